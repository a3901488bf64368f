/** A pattern for LIKE that matches the term itself anywhere. */
export function containsPattern(term: string): string {
  return `%${term.replaceAll('\0', '').replace(/[\\%_]/g, '\\$&')}%`;
}

/** One or two letters make no trigram: the index would be read whole, so it is kept out of the planner's sight. */
export function searchedText(column: string, term: string): string {
  return [...term].length < 3 ? `(${column} || '')` : column;
}
