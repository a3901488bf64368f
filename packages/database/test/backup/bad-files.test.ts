import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../src/testing/long-test.ts';
import { dumpTables } from '../../src/backup/dump-database.ts';
import { checkBackup } from '../../src/backup/restore-backup.ts';
import { openPartWriter } from '../../src/backup/write-parts.ts';
import { readApplied } from '../../src/check-applied.ts';
import { openSystemConnection } from '../../src/database.ts';
import { part } from '../../src/testing/thorough.ts';
import {
  createOlderDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../src/testing/test-database.ts';
import {
  connect,
  fillAll,
  inPieces,
  PASSPHRASE,
  readRows,
  restore,
  storeOf,
  take,
} from './backup-fixture.ts';

let database: TestDatabase;
let client: pg.Client;
let open: Buffer;
let closed: Buffer;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await connect(database.url);
  await fillAll(client);
  const files = storeOf({ 'ws/one': Buffer.from('one'), 'ws/two': Buffer.from('two') });
  open = (await take(database.url, { files })).file;
  closed = (await take(database.url, { files, passphrase: PASSPHRASE })).file;
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const flipped = (file: Buffer, at: number) => {
  const copy = Buffer.from(file);
  copy[at] = copy[at]! ^ 1;
  return copy;
};
/** The same file with another word of the same length in front. */
const reworded = (file: Buffer, from: string, to: string) => {
  const at = file.indexOf(from);
  return Buffer.concat([file.subarray(0, at), Buffer.from(to), file.subarray(at + from.length)]);
};
const frameStart = (file: Buffer) => 27 + 4 + file.readUInt32BE(27);
/** The first two frames in the other order. */
const swapped = (file: Buffer) => {
  const first = frameStart(file);
  const second = first + 5 + file.readUInt32BE(first) + 16;
  const third = second + 5 + file.readUInt32BE(second) + 16;
  return Buffer.concat([
    ...[file.subarray(0, first), file.subarray(second, third), file.subarray(first, second)],
    file.subarray(third),
  ]);
};

const badFiles = [
  ['an empty file', () => Buffer.alloc(0), 'foreign'],
  ['another file', () => Buffer.from('PGDMP and much more than a first line'), 'foreign'],
  [
    'the file of another product',
    () => reworded(open, '"messaging-dashboard"', '"messaging-dashboart"'),
    'foreign',
  ],
  ['one workspace', () => reworded(open, '"kind":"installation"', '"kind":"workspace"   '), 'other_kind'],
  ['a later form', () => reworded(open, '"format":1', '"format":2'), 'newer'],
  ['a file that ends in its header', () => open.subarray(0, 60), 'truncated'],
  ['a file that ends in its middle', () => open.subarray(0, open.length >> 1), 'truncated'],
  ['a file without its last byte', () => open.subarray(0, -1), 'truncated'],
  ['a file with a byte too many', () => Buffer.concat([open, Buffer.from('x')]), 'damaged'],
  ['a changed header', () => reworded(open, '2026-11-22T12', '2026-11-22T13'), 'damaged'],
  ['a bit of the middle', () => flipped(open, open.length >> 1), 'damaged'],
  ['a bit of the end', () => flipped(open, open.length - 3), 'damaged'],
  ['a bit of a length', () => flipped(open, frameStart(open)), 'damaged'],
  ['frames in another order', () => swapped(open), 'damaged'],
  ['another way to make a key', () => reworded(closed, '"kdf":"scrypt"', '"kdf":"scripp"'), 'damaged'],
  ['another effort', () => reworded(closed, '"cost":131072', '"cost":131071'), 'damaged'],
  ['no sign of the passphrase', () => reworded(closed, '"check":', '"chick":'), 'damaged'],
  ['no salt', () => reworded(closed, '"salt":', '"soot":'), 'damaged'],
  ['no word about encryption', () => reworded(closed, '"encryption":', '"encryptian":'), 'foreign'],
  ['an encrypted bit', () => flipped(closed, closed.length >> 1), 'damaged'],
  ['encrypted frames in another order', () => swapped(closed), 'damaged'],
  ['an encrypted file that ends early', () => closed.subarray(0, closed.length - 40), 'truncated'],
] as const;

// A closed file is opened by a key that takes long to derive.
describe.each(part(badFiles, 3))('%s', (_, make, fault) => {
  test(`is refused as ${fault}`, async () => {
    const file = make();
    const passphrase = file.includes('"kdf"') ? PASSPHRASE : undefined;
    await expect(checkBackup(() => inPieces(file), passphrase)).rejects.toMatchObject({ fault });
  });
});

longTest('an encrypted file wants its passphrase', async () => {
  await expect(checkBackup(() => inPieces(closed), undefined)).rejects.toMatchObject({
    fault: 'passphrase_missing',
  });
  await expect(checkBackup(() => inPieces(closed), 'another one')).rejects.toMatchObject({
    fault: 'passphrase_wrong',
  });
  await expect(checkBackup(() => inPieces(closed), PASSPHRASE)).resolves.toMatchObject({ files: 2 });
});

test('steps that this version does not know are those of a newer one, or of none', async () => {
  const { header } = await checkBackup(() => inPieces(open), undefined);
  const write = async (steps: readonly string[]) => {
    const pieces: Uint8Array[] = [];
    const about = { ...header, steps };
    const writer = await openPartWriter(async (bytes) => void pieces.push(bytes), about, undefined);
    await writer.finish();
    return Buffer.concat(pieces);
  };
  const newer = await write([...header.steps, 'f'.repeat(64)]);
  await expect(checkBackup(() => inPieces(newer), undefined)).rejects.toMatchObject({ fault: 'newer' });
  const other = await write(['f'.repeat(64)]);
  await expect(checkBackup(() => inPieces(other), undefined)).rejects.toMatchObject({ fault: 'unreleased' });
});

longTest('a restore that fails in its middle leaves rows and files as they were', async () => {
  await client.query(`UPDATE contacts SET name = 'was here before'`);
  const before = await readRows(client, 'contacts');
  const store = storeOf({ 'ws/one': Buffer.from('before') });
  const failing = { ...store, put: store.put };
  let stored = 0;
  failing.put = async (key, bytes) => {
    stored += 1;
    if (stored === 2) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    await store.put(key, bytes);
  };
  await expect(restore(database.url, open, { files: failing })).rejects.toThrow('full');
  await expect(restore(database.url, open.subarray(0, -20), { files: store })).rejects.toMatchObject({
    fault: 'truncated',
  });

  expect(await readRows(client, 'contacts')).toEqual(before);
  expect([...store.kept.keys()]).toEqual(['ws/one']);
});

longTest('a backup of an earlier version is filled in as it was and brought to this one', async () => {
  const older = await createOlderDatabase(65);
  const { client: reader, close } = await openSystemConnection(older.url);
  await reader.query(
    `INSERT INTO workspaces (id, name, slug) VALUES ('01990000-0000-7000-8000-0000000000aa', 'Older', 'older')`,
  );
  const steps = (await readApplied(reader)).map(({ hash }) => hash);
  const pieces: Uint8Array[] = [];
  const writer = await openPartWriter(
    async (bytes) => void pieces.push(Uint8Array.from(bytes)),
    { kind: 'installation', schema: 'older', steps, createdAt: new Date().toISOString() },
    undefined,
  );
  await dumpTables(reader, writer, { secrets: null, onTable: () => undefined });
  await writer.finish();
  await close();
  await older.drop();

  await restore(database.url, Buffer.concat(pieces));

  expect((await readRows(client, 'workspaces')).join()).toContain('Older');
  expect(await readRows(client, 'conversation_notes')).toEqual([]);
});
