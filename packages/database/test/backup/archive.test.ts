import type pg from 'pg';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longDescribe, longTest } from '../../src/testing/long-test.ts';
import { ARCHIVED, PEOPLE_COLUMNS } from '../../src/backup/archived-tables.ts';
import { openBackup } from '../../src/backup/read-parts.ts';
import { takeArchive, type ArchiveOptions } from '../../src/backup/take-archive.ts';
import { ONLY_ID } from '../../src/testing/fill-tables.ts';
import { createTestDatabase, type TestDatabase } from '../../src/testing/test-database.ts';
import { connect, fillAll, inPieces, PASSPHRASE, restore, sealerOf, storeOf } from './backup-fixture.ts';

const OTHER = '01990000-0000-7000-8000-0000000000ff';

let source: TestDatabase;
let client: pg.Client;
const files = { 'ws/one': randomBytes(1024 * 1024 + 17), 'ws/two': randomBytes(1024) };

beforeAll(async () => {
  source = await createTestDatabase();
  client = await connect(source.url);
  await fillAll(client);
  await client.query(`INSERT INTO workspaces (id, name, slug) VALUES ($1, 'Somebody else', 'two')`, [OTHER]);
  await client.query(
    `INSERT INTO users (id, name, email) VALUES ($1, 'Of nobody here', 'stranger@example.com')`,
    [OTHER],
  );
});
afterAll(async () => {
  await client.end();
  await source.drop();
});

async function archive(options: Partial<ArchiveOptions> = {}) {
  const pieces: Uint8Array[] = [];
  const taken = await takeArchive({
    ...{ url: source.url, files: storeOf(files), secrets: sealerOf('source'), workspaceId: ONLY_ID },
    ...{ passphrase: undefined, withSecrets: false, now: new Date('2026-11-22T12:00:00Z') },
    sink: async (bytes) => void pieces.push(Uint8Array.from(bytes)),
    onTable: () => undefined,
    onFile: () => undefined,
    ...options,
  });
  return { file: Buffer.concat(pieces), taken };
}

/** What stands in each part, by its name, and how many rows it has. */
async function readAll(file: Uint8Array, passphrase?: string) {
  const { header, parts } = await openBackup(inPieces(file), passphrase);
  const texts = new Map<string, string>();
  const rows = new Map<string, number>();
  let columnsOfPeople: readonly string[] = [];
  for await (const part of parts) {
    const name = 'name' in part.part ? part.part.name : part.part.kind;
    if (part.event === 'begin') texts.set(name, '');
    if (part.event === 'data') texts.set(name, texts.get(name)! + Buffer.from(part.bytes).toString('latin1'));
    if (part.event === 'end' && part.end.rows !== undefined) rows.set(name, part.end.rows);
    if (part.part.kind === 'table' && name === 'users') columnsOfPeople = part.part.columns;
  }
  return { header, texts, rows, columnsOfPeople };
}

describe('an archive of a workspace', () => {
  test('holds each table whose rules say so', async () => {
    const { file } = await archive();
    const found = await readAll(file);
    expect(found.header.kind).toBe('workspace');
    expect([...found.rows.keys()].toSorted()).toEqual([...ARCHIVED, 'users', 'workspaces'].toSorted());
    for (const name of ARCHIVED) {
      const counted = await client.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM "${name}" WHERE workspace_id = $1`,
        [ONLY_ID],
      );
      expect(counted.rows[0]!.n, `a row in ${name}`).toBeGreaterThan(0);
      expect(found.rows.get(name), name).toBe(counted.rows[0]!.n);
    }
  });

  test('holds its files as they are, and counts those that are gone', async () => {
    const { file, taken } = await archive();
    expect(taken).toMatchObject({ files: 2, missingFiles: 1, fileBytes: 1024 * 1024 + 17 + 1024 });
    const { texts } = await readAll(file);
    for (const [key, bytes] of Object.entries(files))
      expect(Buffer.from(texts.get(key)!, 'latin1').equals(bytes), key).toBe(true);
  });

  longTest('tells of its people how they are known, and of nobody else', async () => {
    const { texts, rows, columnsOfPeople } = await readAll((await archive()).file);
    expect(columnsOfPeople).toEqual([...PEOPLE_COLUMNS]);
    expect(rows.get('users')).toBe(1);
    expect(texts.get('users')).not.toContain('stranger@example.com');
  });

  longTest('of another workspace holds nothing of this one', async () => {
    const { file, taken } = await archive({
      workspaceId: OTHER,
      passphrase: PASSPHRASE,
      withSecrets: true,
    });
    expect(taken).toMatchObject({ secrets: 0, lockedSecrets: 0, files: 0, missingFiles: 0 });
    const { rows, texts } = await readAll(file, PASSPHRASE);
    expect(rows.get('workspaces')).toBe(1);
    expect(texts.get('workspaces')).toContain('Somebody else');
    for (const name of ['users', 'contacts', 'messages', 'channels', 'delivery_recipients'])
      expect(rows.get(name), name).toBe(0);
  });
});

longDescribe('secrets', () => {
  test('are in it only when they are asked for, opened, and under a passphrase', async () => {
    const without = await readAll((await archive({ passphrase: PASSPHRASE })).file, PASSPHRASE);
    expect(without.texts.has('secrets')).toBe(false);
    expect(without.texts.get('channels')).not.toContain('source:secret');
    const { file, taken } = await archive({ passphrase: PASSPHRASE, withSecrets: true });
    expect(taken).toMatchObject({ secrets: 1, lockedSecrets: 0 });
    const found = await readAll(file, PASSPHRASE);
    expect(JSON.parse(found.texts.get('secrets')!)).toEqual([
      { table: 'channels', id: ONLY_ID, name: 'token', value: 'secret' },
    ]);
    await expect(archive({ withSecrets: true })).rejects.toThrow('only under a passphrase');
  });
});

describe('a file that is not as it was, or not for this', () => {
  longTest('is told apart', async () => {
    const { file } = await archive({ passphrase: PASSPHRASE });
    const fault = (bytes: Uint8Array, passphrase?: string) =>
      readAll(bytes, passphrase).then(
        () => null,
        (error: { fault?: string }) => error.fault,
      );
    expect(await fault(file, PASSPHRASE)).toBeNull();
    expect(await fault(file)).toBe('passphrase_missing');
    expect(await fault(file, 'another')).toBe('passphrase_wrong');
    expect(await fault(file.subarray(0, -10), PASSPHRASE)).toBe('truncated');
    const flipped = Buffer.from(file);
    flipped[file.length - 2_000]! ^= 1;
    expect(await fault(flipped, PASSPHRASE)).toBe('damaged');
  });

  test('is refused where a whole installation belongs', async () => {
    const { file } = await archive();
    await expect(restore(source.url, file)).rejects.toMatchObject({ fault: 'other_kind' });
  });
});
