import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageFull, type MediaDraft } from '@app/api/platform/media-store';

/** Nobody writes to a file for so long and comes back to it. */
const ABANDONED_MS = 60 * 60_000;

export type DraftOnDisk = Omit<MediaDraft, 'keepAs'> & {
  path: string;
  /** All bytes survive a power cut. */
  seal(): Promise<void>;
};

/** A folder in which files lie until they are complete. What processes left there that died is removed at the start and once an hour. */
export function openDraftFolder(folder: string): {
  begin(): Promise<DraftOnDisk>;
} {
  let prunedAt = 0;
  const prune = async () => {
    if (Date.now() - prunedAt < ABANDONED_MS) return;
    prunedAt = Date.now();
    await removeAbandoned(folder, prunedAt - ABANDONED_MS);
  };
  void prune().catch(() => undefined); // the first draft says what is wrong with the folder
  return {
    async begin() {
      await full(mkdir(folder, { recursive: true, mode: 0o700 }));
      await prune();
      return openDraft(join(folder, randomUUID()));
    },
  };
}

async function openDraft(path: string): Promise<DraftOnDisk> {
  const file = await full(open(path, 'wx+', 0o600));
  const hash = createHash('sha256');
  let size = 0;
  let isOpen = true;
  const close = async () => {
    if (isOpen) await file.close();
    isOpen = false;
  };
  return {
    path,
    async append(piece) {
      await full(file.writeFile(piece));
      hash.update(piece);
      size += piece.length;
    },
    size: () => size,
    sha256: () => hash.copy().digest('hex'),
    async read(start, end) {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start));
      let read = 0;
      while (read < bytes.length) {
        const { bytesRead } = await file.read(bytes, read, bytes.length - read, start + read);
        if (bytesRead === 0) break;
        read += bytesRead;
      }
      return bytes.subarray(0, read);
    },
    async seal() {
      await full(file.sync());
      await close();
    },
    async discard() {
      await close();
      await rm(path, { force: true });
    },
  };
}

async function removeAbandoned(folder: string, before: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && found.mtimeMs < before) await rm(path, { force: true });
  }
}

/** A disk without room is nobody's bug. */
export async function full<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOSPC', 'EDQUOT'].includes(code))
      throw new StorageFull('There is no room for a file.', { cause: error });
    throw error;
  }
}
