import { createReadStream, existsSync, statSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Sink } from '@app/database/backup/write-parts';
import type { Environment } from '../config.ts';
import { CommandRefused } from './command-refused.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** As the person who typed it means it: npm changes into the folder of the product. */
export function findPath(given: string | undefined, env: Environment, command: string): string {
  if (!given || given.startsWith('-')) throw new CommandRefused(`Name a file: npm run ${command} -- FILE`);
  return resolve(env['INIT_CWD'] ?? process.cwd(), given);
}

/** Everything in the file, piece by piece. */
export function readPieces(path: string): AsyncIterable<Uint8Array> {
  if (!existsSync(path)) throw new CommandRefused(`There is no file ${path}.`);
  if (!statSync(path).isFile()) throw new CommandRefused(`${path} is no file.`);
  return createReadStream(path, { highWaterMark: 1024 * 1024 });
}

/**
 * Writes a new file beside its place, for its owner alone, and puts it there when all of it is on the disk. On any failure nothing is left.
 * @throws {CommandRefused} where there is no room, or something is there already
 */
export async function writeWhole<Result>(
  path: string,
  write: (sink: Sink) => Promise<Result>,
): Promise<Result> {
  if (existsSync(path)) throw existsAlready(path);
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  const file = await open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefused(`${path} cannot be written: ${error.message}`);
  });
  try {
    const result = await write(async (bytes) => {
      for (let at = 0; at < bytes.length;)
        at += (await file.write(bytes, at, bytes.length - at)).bytesWritten;
    });
    await file.sync();
    await file.close();
    await putInPlace(draft, path);
    return result;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
    if (error instanceof Error && 'code' in error && FULL.has(String(error.code)))
      throw new CommandRefused(`There is no room left for ${path}: what was written of it is removed.`);
    throw error;
  }
}

/** Nothing that came there meanwhile is overwritten: a second name of the file is refused where there is one, which renaming is not. */
async function putInPlace(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // Some disks know no second names.
    if (code === 'EEXIST' || existsSync(path)) throw existsAlready(path);
    return rename(draft, path);
  }
  await rm(draft, { force: true });
}

function existsAlready(path: string): CommandRefused {
  return new CommandRefused(`${path} exists already: name another file, or remove it.`);
}
