// Numbers that JSON cannot hold travel as strings. Both directions; a leaf.

const SPECIAL = new Map<unknown, number>([
  ['NaN', Number.NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

/** Fields that hold a number or a list of numbers, in facts and claims alike; in others such a string is a string. */
const NUMERIC_FIELDS = [
  't',
  'seq',
  'pos',
  'from',
  'to',
  'speed',
  'duration',
  'stop',
  'dir',
  'ms',
  'offset',
  'radius',
  'ttl',
  'velocity',
  'decay',
  'yaw',
  'size',
  'box',
  'cylinder',
  'correction',
  'state',
  'path',
  'pause',
];

/** Turns "NaN", "Infinity" and "-Infinity" in numeric fields into numbers, in place. */
export function reviveNumbers(event: Record<string, unknown>): void {
  for (const field of NUMERIC_FIELDS) {
    const value = event[field];
    if (typeof value === 'string') {
      const number = SPECIAL.get(value);
      if (number !== undefined) event[field] = number;
    } else if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        const number = typeof value[i] === 'string' ? SPECIAL.get(value[i]) : undefined;
        if (number !== undefined) value[i] = number;
      }
    }
  }
}

/** The number that such a string stands for; everything else as it is. */
export function reviveNumber(value: unknown): unknown {
  return SPECIAL.get(value) ?? value;
}

/** A number as it stands in a log: shortest decimal that reads back as the same double, -0 kept. */
export function numberText(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"Infinity"' : '"-Infinity"';
}
