// A bounds-checked reader over one byte array, of either byte order: no read leaves it, whatever the offset.
// Imported by bytes/ only.
import { NavguardError } from '../errors.ts';

/** Reads numbers at absolute byte offsets. Throws `BAD_FILE` for a read that leaves the bytes. */
export class ByteReader {
  readonly length: number;
  private readonly view: DataView;
  private readonly little: boolean;

  /** `little`: the byte order of every number (default little-endian). */
  constructor(bytes: Uint8Array, little = true) {
    this.little = little;
    this.length = bytes.byteLength;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u8(at: number): number {
    this.need(at, 1);
    return this.view.getUint8(at);
  }

  u16(at: number): number {
    this.need(at, 2);
    return this.view.getUint16(at, this.little);
  }

  u32(at: number): number {
    this.need(at, 4);
    return this.view.getUint32(at, this.little);
  }

  i32(at: number): number {
    this.need(at, 4);
    return this.view.getInt32(at, this.little);
  }

  f32(at: number): number {
    this.need(at, 4);
    return this.view.getFloat32(at, this.little);
  }

  private need(at: number, bytes: number): void {
    // Written so that NaN and fractions fail too.
    if (Number.isInteger(at) && at >= 0 && at + bytes <= this.length) return;
    throw new NavguardError(
      'BAD_FILE',
      `The file ends too early: got ${this.length} bytes, expected at least ${at + bytes} for a number at byte ${at}.`,
      { offset: at, got: this.length, expected: at + bytes },
    );
  }
}
