// Numbers of text formats are the numbers that JavaScript itself reads, to the last bit.
import { expect, it } from 'vitest';
import { TextScan } from '../../src/bytes/textscan.ts';
import { random } from '../oracle/random.ts';

const read = (text: string) => new TextScan(new TextEncoder().encode(text), 'test').number('n');

it('decimals of any length, signs and exponents (seed 31)', () => {
  const next = random(31);
  const digits = (n: number) => Array.from({ length: n }, () => Math.floor(next() * 10)).join('');
  for (let i = 0; i < 20_000; i++) {
    const whole = digits(Math.floor(next() * 18));
    const places = digits(Math.floor(next() * (whole === '' ? 17 : 18)) + (whole === '' ? 1 : 0));
    const exponent = next() < 0.2 ? `e${next() < 0.5 ? '-' : '+'}${Math.floor(next() * 30)}` : '';
    const text = `${['', '-', '+'][Math.floor(next() * 3)]}${whole}${places === '' && next() < 0.8 ? '' : `.${places}`}${exponent}`;
    expect(Object.is(read(`${text} 1`), Number(text)), text).toBe(true);
  }
  for (const float of new Float32Array(new Uint32Array(Array.from({ length: 5000 }, () => next() * 2 ** 32)).buffer)) {
    if (Number.isFinite(float)) expect(read(String(float))).toBe(float);
  }
});

it('what is no number is none', () => {
  for (const text of ['', '-', '.', '-.', '1-2', '1..2', '1.2.3', 'e5', '1e', '--1', '0x10', '1e400']) {
    if (text === '0x10') expect(read(text)).toBe(0);
    else expect(() => read(text), text).toThrow('a finite number such as -1.5');
  }
});
