/** A pattern for LIKE that matches the term itself anywhere. */
export function containsPattern(term: string): string {
  return `%${escapeLike(term.replaceAll('\0', ''))}%`;
}

/** The text as a part of a pattern for LIKE that matches nothing but itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** One or two letters make no trigram: the index would be read whole, so it is kept out of the planner's sight. */
export function searchedText(column: string, term: string): string {
  return [...term].length < 3 ? `(${column} || '')` : column;
}
