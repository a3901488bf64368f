import { readCustomFields } from '../custom-fields/custom-field-rules.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { readImportRows } from './import-rows.ts';
import type { ImportChoices } from './import-run.ts';
import { decodeImport } from './import-text.ts';

/** More than the longest row has. */
const PROBED_BYTES = 2 * 1024 * 1024;

export type Probe = { add(bytes: Uint8Array): Promise<void>; end(): Promise<void> };

/** Reads the beginning of a file while it arrives, so that what is no file of contacts is refused at once and never kept. */
export async function openProbe(
  { read }: SignedInContext,
  { mapping }: Pick<ImportChoices, 'mapping'>,
): Promise<Probe> {
  const fields = await read((scope) => readCustomFields(scope, scope.workspaceId));
  return probeStart(async (bytes) => {
    const rows = readImportRows(decodeImport(bytes), fields, mapping, () => undefined);
    while (!(await rows.next()).done);
  });
}

/** `readStart` refuses what it is given of the file; the file may go on behind that. */
export function probeStart(readStart: (bytes: AsyncIterable<Uint8Array>) => Promise<void>): Probe {
  let start: Uint8Array[] | null = [];
  let size = 0;

  async function look(isWhole: boolean): Promise<void> {
    const pieces = start ?? [];
    start = null;
    async function* bytes() {
      yield* pieces;
      if (!isWhole) throw new SeenEnough();
    }
    try {
      await readStart(bytes());
    } catch (error) {
      if (!(error instanceof SeenEnough)) throw error;
    }
  }

  return {
    async add(bytes) {
      if (!start) return;
      start.push(bytes);
      size += bytes.length;
      if (size >= PROBED_BYTES) await look(false);
    },
    async end() {
      if (start) await look(true);
    },
  };
}

class SeenEnough extends Error {}
