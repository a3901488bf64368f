import { readCustomFields } from '../custom-fields/custom-field-rules.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { ImportChoices } from './import-run.ts';
import { isZip, readFileRows, type ImportFile } from './reading/read-file-rows.ts';

/** More than the longest row has. */
const PROBED_BYTES = 2 * 1024 * 1024;

export type Probe = { add(bytes: Uint8Array): Promise<void>; end(): Promise<void> };

/** Reads the beginning of a file while it arrives, so that what is no file of contacts is refused at once and never kept. */
export async function openProbe({ read }: SignedInContext, choices: ImportChoices): Promise<Probe> {
  const fields = await read((scope) => readCustomFields(scope, scope.workspaceId));
  return probeStart(async (file, isWhole) => {
    // The directory of an archive stands at its end.
    if (!isWhole && (await isZip(file))) return;
    const rows = readFileRows(file, { ...choices, fields, onColumns: () => undefined });
    while (!(await rows.next()).done);
  });
}

/** `readStart` refuses what it is given of the file; the file may go on behind that. */
export function probeStart(readStart: (file: ImportFile, isWhole: boolean) => Promise<void>): Probe {
  let start: Uint8Array[] | null = [];
  let size = 0;

  async function look(isWhole: boolean): Promise<void> {
    const pieces = start ?? [];
    start = null;
    const held = Buffer.concat(pieces);
    async function* read(from = 0, to?: number) {
      yield held.subarray(from, to);
      if (!isWhole && to === undefined) throw new SeenEnough();
    }
    try {
      await readStart({ size: async () => held.length, read }, isWhole);
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
