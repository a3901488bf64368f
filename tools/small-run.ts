/**
 * `npm run bench -- --small` and `npm run faults -- --small` play every part once, in a size that measures nothing: a change of the product or of its pages
 * that breaks one of them shows within minutes.
 */
export const isSmall = process.argv.includes('--small');

/** A size of a scenario: the first in a small run, else the usual one. */
export function inSmall<Value>(small: Value, usual: Value): Value {
  return isSmall ? small : usual;
}
