/** The SQL statements that the product sent during a test file, and how long the file took. */
export type FileRecord = { file: string; seconds: number; statements: readonly string[] };

type Cover = {
  /** Together they send every statement that any file sends. */
  needed: string[];
  /** What is sent by no needed file but by this one is nothing. */
  spare: string[];
};

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

/** Chooses few and quick files that send all forms of statements; those that `isFixed` belong to them in any case. */
export function chooseFiles(records: readonly FileRecord[], isFixed: (file: string) => boolean): Cover {
  const forms = new Map(records.map((record) => [record.file, new Set(record.statements.map(nameForm))]));
  const formsOf = (file: string) => forms.get(file) ?? new Set<string>();
  const fixed = records.filter(({ file }) => isFixed(file));
  const others = records.filter(({ file }) => !isFixed(file));
  const missing = new Set([...forms.values()].flatMap((of) => [...of]));
  const take = (file: string) => formsOf(file).forEach((form) => missing.delete(form));
  for (const { file } of fixed) take(file);

  const chosen: FileRecord[] = [];
  while (missing.size > 0) {
    const worth = ({ file, seconds }: FileRecord) =>
      [...formsOf(file)].filter((form) => missing.has(form)).length / Math.max(seconds, 0.1);
    const best = others.reduce((one, other) => (worth(other) > worth(one) ? other : one));
    chosen.push(best);
    take(best.file);
  }
  const needed = dropCovered(fixed, chosen, formsOf).map(({ file }) => file);
  return { needed, spare: records.map(({ file }) => file).filter((file) => !needed.includes(file)) };
}

/** What was chosen early may be covered by what came after it; the longest is looked at first. */
function dropCovered(
  fixed: readonly FileRecord[],
  chosen: readonly FileRecord[],
  formsOf: (file: string) => Set<string>,
): FileRecord[] {
  let kept = [...fixed, ...chosen];
  for (const record of chosen.toSorted((one, other) => other.seconds - one.seconds)) {
    const rest = kept.filter((other) => other !== record);
    const sent = new Set(rest.flatMap(({ file }) => [...formsOf(file)]));
    if ([...formsOf(record.file)].every((form) => sent.has(form))) kept = rest;
  }
  return kept;
}

/** Forms that only files of this list send, each with the first file that does. */
export function findUncovered(
  records: readonly FileRecord[],
  leftOut: ReadonlySet<string>,
): { form: string; file: string }[] {
  const sent = new Set(
    records.filter(({ file }) => !leftOut.has(file)).flatMap(({ statements }) => statements.map(nameForm)),
  );
  const uncovered = new Map<string, string>();
  for (const { file, statements } of records)
    for (const form of statements.map(nameForm))
      if (!sent.has(form) && !uncovered.has(form)) uncovered.set(form, file);
  return [...uncovered].map(([form, file]) => ({ form, file }));
}
