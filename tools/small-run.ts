/**
 * `--small` plays every part of a benchmark or fault scenario once, in a size that measures nothing. `npm test` does so with all of them
 * (`small-runs.ts`), so that none breaks unnoticed.
 */
export const isSmall = process.argv.includes('--small');

/** A size of a scenario: the first in a small run, else the usual one. */
export function inSmall<Value>(small: Value, usual: Value): Value {
  return isSmall ? small : usual;
}
