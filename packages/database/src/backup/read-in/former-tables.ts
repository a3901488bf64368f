/** Tables of archives that were written before migration 0290, and what they are called today. */
export const FORMER_TABLES: Readonly<Record<string, string>> = { kept_words: 'suppression_list' };

/** The name that a table of an archive has today. */
export function currentTableName(name: string): string {
  return Object.hasOwn(FORMER_TABLES, name) ? FORMER_TABLES[name]! : name; // it has it: see before
}
