/**
 * The tags in one cell of a file, however the program that wrote it separates them: by comma, semicolon or bar. What
 * stands in quotes is one tag.
 */
export function readTagCell(cell: string): string[] {
  const tags: string[] = [];
  let rest = cell.replaceAll(/\s*:::\s*/g, ';');
  while (rest !== '') {
    const [part = '', quoted, plain = ''] = /^\s*"((?:[^"]|"")*)"\s*(?=[,;|]|$)|^([^,;|]*)/.exec(rest) ?? [];
    tags.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    rest = rest.slice(part.length + 1);
  }
  return tags.filter((tag) => !SYSTEM_GROUP.test(tag));
}

/** Address books of Google put every contact into groups of their own: `* myContacts`. */
const SYSTEM_GROUP = /^\s*\*\s*\S+\s*$/;

/** The same the other way; a tag that would come apart stands in quotes. */
export function writeTagCell(tags: readonly string[]): string {
  return tags.map((tag) => (/^"|[,|]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(';');
}
