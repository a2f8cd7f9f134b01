// Bytes one number after the other, in either byte order. For the writers of test files only; imports nothing.

export class ByteWriter {
  private view = new DataView(new ArrayBuffer(256));
  private at = 0;
  private readonly little: boolean;

  constructor(little = true) {
    this.little = little;
  }

  u8(...values: number[]): this {
    for (const value of values) {
      const at = this.room(1);
      this.view.setUint8(at, value);
    }
    return this;
  }

  u16(...values: number[]): this {
    for (const value of values) {
      const at = this.room(2);
      this.view.setUint16(at, value, this.little);
    }
    return this;
  }

  i32(...values: number[]): this {
    for (const value of values) {
      const at = this.room(4);
      this.view.setInt32(at, value | 0, this.little);
    }
    return this;
  }

  f32(...values: number[]): this {
    for (const value of values) {
      const at = this.room(4);
      this.view.setFloat32(at, value, this.little);
    }
    return this;
  }

  u64(value: bigint): this {
    const at = this.room(8);
    this.view.setBigUint64(at, value, this.little);
    return this;
  }

  zeros(count: number): this {
    this.room(count);
    return this;
  }

  bytes(more: Uint8Array): this {
    const at = this.room(more.length);
    new Uint8Array(this.view.buffer).set(more, at);
    return this;
  }

  done(): Uint8Array {
    return new Uint8Array(this.view.buffer, 0, this.at).slice();
  }

  private room(bytes: number): number {
    const at = this.at;
    this.at += bytes;
    if (this.at > this.view.byteLength) {
      const wider = new ArrayBuffer(Math.max(this.at, 2 * this.view.byteLength));
      new Uint8Array(wider).set(new Uint8Array(this.view.buffer));
      this.view = new DataView(wider);
    }
    return at;
  }
}
