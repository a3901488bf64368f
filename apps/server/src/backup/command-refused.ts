/** What a person can act on: shown as it is, without a stack. */
export class CommandRefused extends Error {
  override name = 'CommandRefused';
}
