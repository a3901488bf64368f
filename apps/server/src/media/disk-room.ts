import { statfs } from 'node:fs/promises';

/** Below this a database can hardly write: a segment of its log has 16 MB. */
const LEAST_ROOM = 16 * 2 ** 20;

/** There is no room to start in. What it says is for the person who starts the product. */
export class DiskFull extends Error {
  override name = 'DiskFull';
}

/** Whether the disk of a directory has no room; false where the system does not say. */
export async function isDiskFull(directory: string): Promise<boolean> {
  const room = await roomOf(directory);
  return room !== null && room < LEAST_ROOM;
}

/** Fails with `DiskFull`, which names the directory, before anything is written to a full disk. */
export async function checkRoom(directory: string): Promise<void> {
  const room = await roomOf(directory);
  if (room !== null && room < LEAST_ROOM) throw diskFull(directory, room);
}

/** The sentence for an error of a start that has no room; undefined for every other error. */
export function explainFull(error: Error): string | undefined {
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code === '53100') return 'The disk of the database is full. Free some space and start again.';
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `The disk of ${path ?? 'the data directory'} is full. Free some space and start again.`;
  return /no space left on device/i.test(message)
    ? `${message}\nThe disk of the data directory (DATA_DIR) is full. Free some space and start again.`
    : undefined;
}

function diskFull(directory: string, room: number): DiskFull {
  const [has, needs] = [room, LEAST_ROOM].map((bytes) => Math.floor(bytes / 2 ** 20));
  return new DiskFull(
    `The disk of ${directory} (DATA_DIR) is full: ${has} MB are free, at least ${needs} MB are needed. Free some space and start again.`,
  );
}

/** Free bytes for this process; null where the directory is not there yet or the system does not say. */
async function roomOf(directory: string): Promise<number | null> {
  try {
    const { bavail, bsize, blocks } = await statfs(directory);
    // Some network disks say nothing of their size.
    return blocks === 0 ? null : bavail * bsize;
  } catch {
    return null;
  }
}
