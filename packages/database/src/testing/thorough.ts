/** `npm run faults` plays a generated test thoroughly, with every case. `npm test` plays a part, the same in each run. */
export const isThorough = process.env['THOROUGH'] === '1';

/** Whether tests are played that take too long for every change: `longTest`, and the files `*.slow.test.ts`. */
export const playsLong = isThorough || process.env['LONG_TESTS'] === '1';

/** Every one of `oneOf` neighbours, the first of them at `from`; all in a thorough run. */
export function part<Item>(all: readonly Item[], oneOf: number, from = 0): readonly Item[] {
  return isThorough ? all : all.filter((_, place) => place % oneOf === from % oneOf);
}

/** Of so many drawn cases a third; all in a thorough run, which draws others each time (`tools/property-seed.ts`). */
export function runs(many: number): number {
  return isThorough ? many : Math.ceil(many / 3);
}
