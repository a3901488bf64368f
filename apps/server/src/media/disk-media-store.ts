import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { MediaDraft, MediaStore } from '@app/api/platform/media-store';
import { full, openDraftFolder } from './media-drafts.ts';

/** Keeps files below one folder, readable by this process alone. */
export function createDiskMediaStore(folder: string): MediaStore {
  const root = resolve(folder);
  // In the same file system: a file that is complete is moved in place, and nobody ever reads half of one.
  const drafts = openDraftFolder(join(root, 'arriving'));
  const pathOf = (key: string) => {
    const path = join(root, key);
    if (!path.startsWith(root + sep)) throw new Error('A media key must stay below its folder.');
    return path;
  };
  async function begin(): Promise<MediaDraft> {
    const draft = await drafts.begin();
    return {
      ...draft,
      async keepAs(key) {
        const path = pathOf(key);
        await draft.seal();
        await full(mkdir(dirname(path), { recursive: true, mode: 0o700 }));
        await full(rename(draft.path, path));
      },
    };
  }
  return {
    begin,
    async put(key, bytes) {
      pathOf(key);
      const draft = await begin();
      try {
        await draft.append(bytes);
        await draft.keepAs(key);
      } finally {
        await draft.discard();
      }
    },
    async read(key, range) {
      try {
        const file = await open(pathOf(key), 'r');
        try {
          if (!range) return await file.readFile();
          const bytes = new Uint8Array(range.end - range.start + 1);
          const { bytesRead } = await file.read(bytes, 0, bytes.length, range.start);
          return bytes.subarray(0, bytesRead);
        } finally {
          await file.close();
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
  };
}
