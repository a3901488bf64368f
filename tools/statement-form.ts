/**
 * The form of a statement that its values, and how many of them there are, do not change: another value is no other promise of a
 * server.
 */
export function nameForm(statement: string): string {
  return (
    statement
      .replaceAll(/--[^\n]*/g, ' ')
      .replaceAll(/\/\*[\s\S]*?\*\//g, ' ')
      .replaceAll(/'(?:[^']|'')*'/g, '?')
      // Names that are made for a process, a queue or a part of a table end in figures.
      .replaceAll(/_(?=[0-9a-f]*\d)[0-9a-f]{12,}/g, '_#')
      .replaceAll(/\$\d+/g, '?')
      .replaceAll(/\d+(?:\.\d+)?/g, '?')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/(?<=[(,] ?)default(?= ?[,)])/g, '?')
      .replaceAll(/\?(?:::\w+)?(?: ?, ?\?(?:::\w+)?)+/g, '?')
      .replaceAll(/(\([^()]*\))(?: ?, ?\1)+/g, '$1')
      .trim()
  );
}
