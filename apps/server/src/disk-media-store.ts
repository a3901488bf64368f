import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { MediaStore } from '@app/api/platform/media-store';

/** Keeps files below one folder, readable by this process alone. */
export function createDiskMediaStore(folder: string): MediaStore {
  const root = resolve(folder);
  const pathOf = (key: string) => {
    const path = join(root, key);
    if (!path.startsWith(root + sep)) throw new Error('A media key must stay below its folder.');
    return path;
  };
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // Written aside and moved in place: nobody ever reads half a file, and it survives a power cut.
      const draft = `${path}.${randomUUID()}.tmp`;
      const file = await open(draft, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
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
