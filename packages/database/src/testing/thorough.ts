/**
 * `npm run faults` plays a test thoroughly: with all that it makes by itself, and with those that are too slow for each change
 * (`*.slow.test.ts`). `npm test` plays a part, the same in each run.
 */
export const isThorough = process.env['THOROUGH'] === '1';

/** Every one of `oneOf` neighbours, the first of them at `from`; all in a thorough run. */
export function part<Item>(all: readonly Item[], oneOf: number, from = 0): readonly Item[] {
  return isThorough ? all : all.filter((_, place) => place % oneOf === from % oneOf);
}

/** Of so many drawn cases a third; all in a thorough run, which draws others each time (`tools/property-seed.ts`). */
export function runs(many: number): number {
  return isThorough ? many : Math.ceil(many / 3);
}
