import { openBackup } from '../backup/read-parts.ts';
import type { Part } from '../backup/parts.ts';
import { openPartWriter } from '../backup/write-parts.ts';

export type Rewrite = {
  /** The migrations of the version that wrote it, by their hashes. */
  steps?(steps: readonly string[]): readonly string[];
  /** The rows of a table as COPY wrote them, each a list of its values; what comes back is written. */
  rows?(table: string, rows: string[][], columns: readonly string[]): string[][];
  /** The part itself: another name, other columns. Null leaves it out. */
  part?(part: Part): Part | null;
};

/** An open archive as somebody else could have made it: whole by its sums, and not as the product writes it. */
export async function rewriteArchive(
  file: Uint8Array,
  { rows, part: change, steps }: Rewrite,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const source = async function* () {
    yield file;
  };
  const { header, parts } = await openBackup(source(), undefined);
  const writer = await openPartWriter(
    async (bytes) => void pieces.push(Uint8Array.from(bytes)),
    steps ? { ...header, steps: steps(header.steps) } : header,
    undefined,
  );
  let body: Uint8Array[] = [];
  for await (const event of parts) {
    if (event.event === 'begin') body = [];
    else if (event.event === 'data') body.push(event.bytes);
    else {
      const { part } = event;
      const changed = change ? change(part) : part;
      if (changed === null) continue;
      await writer.begin(changed);
      const bytes = Buffer.concat(body);
      if (part.kind !== 'table' || !rows) {
        await writer.data(bytes);
        await writer.end(event.end.rows === undefined ? {} : { rows: event.end.rows });
        continue;
      }
      const lines = bytes.toString().split('\n').slice(0, -1);
      const written = rows(
        part.name,
        lines.map((line) => line.split('\t')),
        part.columns,
      );
      await writer.data(Buffer.from(written.map((values) => `${values.join('\t')}\n`).join('')));
      await writer.end({ rows: written.length });
    }
  }
  await writer.finish();
  return Buffer.concat(pieces);
}
