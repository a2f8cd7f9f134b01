// Recovers the numbers a person typed from the 32-bit floats of an export: 0.3, not 0.30000001192092896.
// Imported by bytes/ only. Pure functions.

/** The shortest decimal that rounds to the same 32-bit float. */
export function shortestF32(value: number): number {
  return shortest(value, (d) => Math.fround(d) === value);
}

/**
 * The cell size in metres whose reciprocal, in 32-bit floats as Recast computes it, is the quantisation factor of a BV
 * tree. 0 when the factor is no use (zero, or a cell outside 0.1 mm .. 1 km).
 */
export function cellOfQuantFactor(factor: number): number {
  const cell = 1 / factor;
  if (!(cell >= 1e-4 && cell <= 1e3)) return 0;
  return shortest(cell, (d) => Math.fround(1 / Math.fround(d)) === factor);
}

function shortest(value: number, fits: (decimal: number) => boolean): number {
  for (let digits = 1; digits <= 9; digits++) {
    const decimal = Number(value.toPrecision(digits));
    if (fits(decimal)) return decimal;
  }
  return value;
}
