/**
 * A condition: the message did not come with the history of a number, which a platform hands over when the number is connected. The platform marks
 * each message of it with `history_context`, also those of the last minutes. Nothing answers them.
 */
export function isLiveSql(alias: string): string {
  return `NOT coalesce(${alias}.payload ? 'history_context', false)`;
}
