import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { createTestDatabase } from '@app/database/testing/test-database';
import { restoreInstallation } from '../../apps/server/src/backup/restore.ts';
import { callCommand } from '../../apps/server/src/backup/run-command.ts';
import { openInstallationBackups } from '../../apps/server/src/backup/scheduled-backups.ts';
import { createDiskMediaStore } from '../../apps/server/src/media/disk-media-store.ts';
import { createSecretBox } from '../../apps/server/src/secret-box.ts';
import type { FaultReport } from '../fault-report.ts';
import { inSmall } from '../../tools/small-run.ts';

const SECRET_KEY = 'a key of this scenario alone, long enough';
const PASSPHRASE = 'of this scenario alone';
const CONTACTS = inSmall(100, 20_000);
const FILES = inSmall(3, 6);
const FILE_BYTES = 4_000_000;
const SMALL_DISK = '8m';

/**
 * Backups that the product takes by itself: into a bucket that takes them, and out of it again into another database; into one that refuses, breaks
 * off or says nothing; onto a disk that is full. Whatever fails leaves nothing behind. The disk is a mount, which only root can make.
 */
export async function backupPlaces(): Promise<FaultReport> {
  const folder = mkdtempSync('/tmp/messaging-backup-places-');
  const [source, target] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const bucket = await openBucket(folder);
  const disk = join(folder, 'disk');
  let isMounted = false;
  try {
    await fill(source.url, folder);
    const open = (place: { folder?: string; bucketUrl?: string }) =>
      openInstallationBackups({
        config: {
          ...{ dataDir: join(folder, 'source'), databaseUrl: source.url },
          backups: {
            ...{ folder: place.folder ?? '', bucketUrl: place.bucketUrl, everyHours: 24, keep: 2 },
            passphrase: PASSPHRASE,
          },
        },
        ...{ url: source.url, secrets: createSecretBox(SECRET_KEY), clock: () => new Date() },
        files: createDiskMediaStore(join(folder, 'source', 'uploads')),
      })!; // a place is named
    const wanted = { restores: true, signal: new AbortController().signal };
    const left = () => readdirSync(join(folder, 'source', 'arriving')).length + bucket.list().length;
    const take = (name: string) => open({ bucketUrl: bucket.url }).take(name, new AbortController().signal);

    const bytes = await take('whole.backup');
    const tried = await open({ bucketUrl: bucket.url }).verify('whole.backup', { ...wanted, bytes });
    const restored = await restore(join(folder, 'bucket', 'whole.backup'), target.url, folder);
    const isEqual =
      restored === 0 &&
      (await digest(source.url, folder, 'source')) === (await digest(target.url, folder, 'target'));
    await open({ bucketUrl: bucket.url }).remove('whole.backup');

    const failures: Record<string, string> = {};
    for (const way of ['refuses', 'breaks off', 'says nothing'] as const) {
      bucket.way = way;
      failures[`a bucket that ${way}`] = await failureOf(take(`${way}.backup`));
    }
    const leftInBucket = left();

    mkdirSync(disk);
    if (process.getuid?.() === 0) {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK}`, 'tmpfs', disk]);
      isMounted = true;
      const full = open({ folder: disk });
      failures['a disk that is full'] = await failureOf(
        full.take('full.backup', new AbortController().signal),
      );
      const leftOnDisk = readdirSync(join(disk, 'arriving')).length;
      execFileSync('mount', ['-o', 'remount,size=256m', disk]);
      const again = await full.take('again.backup', new AbortController().signal);
      await full.verify('again.backup', { ...wanted, bytes: again });
      failures['left on it'] = String(leftOnDisk);
    }
    const isToldApart = ['left on it', 'a disk that is full'].every(
      (name, place) => !isMounted || failures[name] === ['0', 'There is no room for a file.'][place],
    );
    return {
      isPassed:
        tried.isRestored &&
        isEqual &&
        leftInBucket === 0 &&
        isToldApart &&
        !Object.values(failures).includes(TAKEN),
      figures: {
        ...{ contacts: CONTACTS, 'bytes of files': FILES * FILE_BYTES, 'bytes of the backup': bytes },
        'tried in a database of its own': tried.isRestored ? 'yes' : 'no',
        ...{ 'equal after a restore from the bucket': isEqual ? 'yes' : 'no', ...failures },
        'left in the bucket and on its way': leftInBucket,
        ...(!isMounted && { 'a disk that is full': 'not tried: only root can mount one' }),
      },
    };
  } finally {
    if (isMounted) execFileSync('umount', [disk]);
    bucket.close();
    await Promise.all([source.drop(), target.drop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

const TAKEN = 'taken';

async function failureOf(act: Promise<unknown>): Promise<string> {
  return act.then(
    () => TAKEN,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

async function fill(url: string, folder: string): Promise<void> {
  const store = createDiskMediaStore(join(folder, 'source', 'uploads'));
  await query(
    url,
    `INSERT INTO workspaces (id, name, slug) VALUES ('01990000-0000-7000-8000-00000000000a', 'Shop', 'shop');
     INSERT INTO contacts (id, workspace_id, name, phone)
       SELECT gen_random_uuid(), '01990000-0000-7000-8000-00000000000a', 'Person ' || n, '+49151' || (10000000 + n) FROM generate_series(1, ${CONTACTS}) AS n;
     INSERT INTO media (id, workspace_id, name, type, mime_type, size, sha256, storage_key)
       SELECT gen_random_uuid(), '01990000-0000-7000-8000-00000000000a', n || '.png', 'image', 'image/png', ${FILE_BYTES}, 'x' || n, 'shop/' || n
         FROM generate_series(1, ${FILES}) AS n`,
  );
  for (let file = 1; file <= FILES; file += 1) await store.put(`shop/${file}`, randomBytes(FILE_BYTES));
}

function restore(file: string, url: string, folder: string): Promise<number> {
  const env = {
    ...{ PATH: process.env['PATH'], DATA_DIR: join(folder, 'target'), DATABASE_URL: url },
    ...{ SECRET_KEY, BACKUP_PASSPHRASE: PASSPHRASE },
  };
  const write = () => undefined;
  return callCommand(restoreInstallation, { args: [file], env, write, writeFailure: write });
}

/** Of all contacts and all files. */
async function digest(url: string, folder: string, side: string): Promise<string> {
  const [row] = await query(
    url,
    `SELECT md5(string_agg(md5(c::text), '' ORDER BY c.id)) AS sum FROM contacts c`,
  );
  const hash = createHash('sha256').update(String(row?.sum));
  for (let file = 1; file <= FILES; file += 1)
    hash.update(readFileSync(join(folder, side, 'uploads', 'shop', String(file))));
  return hash.digest('hex');
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

type Way = 'takes' | 'refuses' | 'breaks off' | 'says nothing';

/** As much of a bucket as the product asks of one, in a folder. */
async function openBucket(folder: string) {
  const place = join(folder, 'bucket');
  mkdirSync(place);
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const self = {
    ...{ way: 'takes' as Way, url: '' },
    list: () => readdirSync(place),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = join(place, (request.url ?? '').split('/').at(-1) ?? '');
    if (request.method === 'DELETE') {
      rmSync(path, { force: true });
      response.writeHead(204).end();
    } else if (request.method === 'GET') {
      const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
      response.writeHead(206).end(readFileSync(path).subarray(Number(from), Number(to) + 1));
    } else if (self.way === 'refuses') response.writeHead(403).end('SignatureDoesNotMatch');
    else if (self.way === 'breaks off') request.once('data', () => request.socket.destroy());
    else if (self.way === 'takes') {
      await pipeline(request, createWriteStream(path));
      response.writeHead(200).end();
    }
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  self.url = `s3://key-id:top-secret@127.0.0.1:${port}/files?tls=off`;
  return self;
}
