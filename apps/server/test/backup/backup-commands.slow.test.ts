import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findQuickPlace } from '@app/database/testing/quick-place';
import { createTestDatabase, type TestDatabase } from '@app/database/testing/test-database';
import { backUp } from '../../src/backup/back-up.ts';
import { restoreInstallation } from '../../src/backup/restore.ts';
import { callCommand } from '../../src/backup/run-command.ts';
import { createDiskMediaStore } from '../../src/media/disk-media-store.ts';
import { openInstallationBackups } from '../../src/backup/scheduled-backups.ts';
import { createSecretBox } from '../../src/secret-box.ts';

const KEYS = {
  source: 'the key of the first installation, long',
  target: 'the key of the second installation, long',
  embedded: 'the key of the third installation, long',
};
const PASSPHRASE = 'correct horse battery';
const WORKSPACE = '01990000-0000-7000-8000-00000000000a';
const id = (last: string) => `01990000-0000-7000-8000-0000000000${last}`;

let folder: string;
let source: TestDatabase;
let target: TestDatabase;

beforeAll(async () => {
  folder = mkdtempSync(join(findQuickPlace(), 'backup-'));
  // As root the embedded database runs under an account of its own, which must get in.
  chmodSync(folder, 0o755);
  [source, target] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const token = await createSecretBox(KEYS.source).seal('the token');
  await query(
    source,
    `INSERT INTO workspaces (id, name, slug) VALUES ('${WORKSPACE}', 'Shop', 'shop');
     INSERT INTO channels (id, workspace_id, kind, address, display_name, messages_per_second, is_connected, credentials)
       VALUES ('${id('c1')}', '${WORKSPACE}', 'whatsapp', '1', '+1', 80, true,
               '{"version": 1, "values": {}, "secrets": {"accessToken": "${token}"}}');
     INSERT INTO contacts (id, workspace_id, name, phone)
       SELECT gen_random_uuid(), '${WORKSPACE}', 'Person ' || n, '+49151' || (10000000 + n) FROM generate_series(1, 8000) AS n;
     INSERT INTO contacts (id, workspace_id, name, phone) VALUES ('${id('d1')}', '${WORKSPACE}', 'Ann', '+491');
     INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at)
       VALUES ('${id('e1')}', '${WORKSPACE}', '${id('d1')}', '${id('c1')}', now());
     INSERT INTO campaigns (id, workspace_id, name, status, scheduled_at) VALUES
       ('${id('f1')}', '${WORKSPACE}', 'due', 'scheduled', now() - interval '1 minute'),
       ('${id('f2')}', '${WORKSPACE}', 'later', 'scheduled', now() + interval '1 day');
     INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, state, pause_reason, resume_at, message, category, audience) VALUES
       (1, '${WORKSPACE}', '${id('c1')}', '${id('a1')}', 'running', NULL, NULL, '{}', 'marketing', '{}'),
       (2, '${WORKSPACE}', '${id('c1')}', '${id('a2')}', 'paused', 'daily_limit', now(), '{}', 'marketing', '{}'),
       (3, '${WORKSPACE}', '${id('c1')}', '${id('a3')}', 'paused', 'operator', NULL, '{}', 'marketing', '{}');
     INSERT INTO messages (id, workspace_id, contact_id, channel_id, direction, type, text, occurred_at, author, content, purpose, state, send_no, send_at) VALUES
       ('${id('b1')}', '${WORKSPACE}', '${id('d1')}', '${id('c1')}', 'out', 'text', 'a', now(), 'person', '{}', 'reply', 'queued', 1, NULL),
       ('${id('b2')}', '${WORKSPACE}', '${id('d1')}', '${id('c1')}', 'out', 'text', 'b', now(), 'person', '{}', 'reply', 'scheduled', NULL, now() - interval '1 minute'),
       ('${id('b3')}', '${WORKSPACE}', '${id('d1')}', '${id('c1')}', 'out', 'text', 'c', now(), 'person', '{}', 'reply', 'scheduled', NULL, now() + interval '1 day');
     INSERT INTO flows (id, workspace_id, kind, name, status, draft, published, created_at, updated_at) VALUES
       ('${id('71')}', '${WORKSPACE}', 'workflow', 'waits', 'active', '{}', 1, now(), now()),
       ('${id('72')}', '${WORKSPACE}', 'workflow', 'by hand', 'paused', '{}', 1, now(), now());
     INSERT INTO flow_runs (id, workspace_id, flow_id, version, contact_id, status, state, wait, class, due_at, seed, started_at) VALUES
       ('${id('81')}', '${WORKSPACE}', '${id('71')}', 1, '${id('d1')}', 'running', '{"wait": {"kind": "timer", "until": 0}}', 'timer', 1, now(), 1, now()),
       ('${id('82')}', '${WORKSPACE}', '${id('71')}', 1, '${id('d1')}', 'running', '{"wait": {"kind": "reply", "until": null}}', 'reply', 1, NULL, 1, now());
     INSERT INTO media (id, workspace_id, name, type, mime_type, size, sha256, storage_key)
       VALUES ('${id('91')}', '${WORKSPACE}', 'a.png', 'image', 'image/png', 3, 'x', 'shop/a');`,
  );
  await createDiskMediaStore(join(folder, 'source', 'uploads')).put('shop/a', Buffer.from('png'));
});
afterAll(async () => {
  await Promise.all([source.drop(), target.drop()]);
  rmSync(folder, { recursive: true, force: true });
});

describe('from one installation to another', () => {
  test('everything comes along and opens there; what may have left since waits for a person', async () => {
    const backup = await start('backup', 'source', ['one.backup', '--verify'], {
      environment: { BACKUP_PASSPHRASE: PASSPHRASE },
    });
    expect(backup).toMatchObject({ code: 0 });
    expect(backup.output).toContain('1 file; ');
    expect(backup.output).toContain('Checked: restored into a scratch database');
    expect(statSync(join(folder, 'one.backup')).mode & 0o777).toBe(0o600);

    const restore = await run('restore', 'target', ['one.backup'], { BACKUP_PASSPHRASE: PASSPHRASE });
    expect(restore).toMatchObject({ code: 0 });
    expect(restore.output).toContain('3 campaigns stand paused');
    expect(restore.output).toContain('2 single messages may have left');
    expect(restore.output).toContain('1 workflow or bot flow is paused');
    expect(await query(target, 'SELECT name, status, paused_for FROM flows ORDER BY id')).toEqual([
      { name: 'waits', status: 'paused', paused_for: 'restored' },
      { name: 'by hand', status: 'paused', paused_for: null },
    ]);
    // None of them is due, so that nothing is sent a second time; their states stay, so that a person can let them go on.
    expect(
      await query(
        target,
        "SELECT status, end_code, due_at, state->'wait'->>'kind' AS kind FROM flow_runs ORDER BY id",
      ),
    ).toEqual([
      { status: 'cancelled', end_code: 'restored', due_at: null, kind: 'timer' },
      { status: 'cancelled', end_code: 'restored', due_at: null, kind: 'reply' },
    ]);

    const [channel] = await query(target, 'SELECT credentials, is_connected FROM channels');
    expect(channel.is_connected).toBe(true);
    await expect(createSecretBox(KEYS.target).open(channel.credentials.secrets.accessToken)).resolves.toBe(
      'the token',
    );
    expect(await query(target, 'SELECT name, status, pause_reason FROM campaigns ORDER BY name')).toEqual([
      { name: 'due', status: 'paused', pause_reason: 'restored' },
      { name: 'later', status: 'scheduled', pause_reason: null },
    ]);
    expect(
      await query(target, 'SELECT state, pause_reason, resume_at FROM delivery_runs ORDER BY run_no'),
    ).toEqual([
      { state: 'paused', pause_reason: 'restored', resume_at: null },
      { state: 'paused', pause_reason: 'restored', resume_at: null },
      { state: 'paused', pause_reason: 'operator', resume_at: null },
    ]);
    expect(await query(target, 'SELECT text, state, error_code FROM messages ORDER BY text')).toEqual([
      { text: 'a', state: 'unknown', error_code: 'restored' },
      { text: 'b', state: 'unknown', error_code: 'restored' },
      { text: 'c', state: 'scheduled', error_code: null },
    ]);
    expect(readFileSync(join(folder, 'target', 'uploads', 'shop', 'a'), 'utf8')).toBe('png');
  });

  test('what is there stays unless somebody wants it gone, also when the restore is killed in its middle', async () => {
    await query(target, `UPDATE workspaces SET name = 'There before'`);
    // Without a passphrase, whose key would be derived again for each.
    expect(await run('backup', 'source', ['open.backup'])).toMatchObject({ code: 0 });
    const refused = await run('restore', 'target', ['open.backup']);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.output).toContain(
      'There is an installation already: 1 workspace (There before), 0 people, 8,001 contacts.',
    );
    const unasked = await run('restore', 'target', ['open.backup', '--replace']);
    expect(unasked.output).toContain('Nothing was changed.');

    const killed = await start('restore', 'target', ['open.backup', '--replace', '--yes'], {
      killAt: 'Restoring:',
    });
    expect(killed.code).toBe(null);
    await expect.poll(() => countConnections(target)).toBe(0);
    expect(await query(target, 'SELECT name FROM workspaces')).toEqual([{ name: 'There before' }]);

    const client = new pg.Client({ connectionString: target.url });
    await client.connect();
    const used = await run('restore', 'target', ['open.backup', '--replace', '--yes']);
    await client.end();
    expect(used.output).toContain('Another program is connected to the database: stop the product');

    const replaced = await run('restore', 'target', ['open.backup', '--replace', '--yes']);
    expect(replaced).toMatchObject({ code: 0 });
    expect(await query(target, 'SELECT name FROM workspaces')).toEqual([{ name: 'Shop' }]);
  });
});

test('a backup without room, over another file or of nothing says so and leaves nothing', async () => {
  const full = await start('backup', 'source', ['two.backup'], { blocks: 40 });
  expect(full.code).toBe(1);
  expect(full.output).toContain('There is no room left for');
  writeFileSync(join(folder, 'three.backup'), 'mine');
  const taken = await run('backup', 'source', ['three.backup']);
  expect(taken.output).toContain('exists already');
  expect(readFileSync(join(folder, 'three.backup'), 'utf8')).toBe('mine');
  const none = await run('backup', 'source', []);
  expect(none.output).toContain('Name a file: npm run backup -- FILE');
  const short = await run('backup', 'source', ['four.backup'], { BACKUP_PASSPHRASE: 'short' });
  expect(short.output).toContain('BACKUP_PASSPHRASE must have at least 8 characters.');
  expect(
    readdirSync(folder)
      .filter((name) => name.includes('.backup'))
      .toSorted(),
  ).toEqual(['one.backup', 'open.backup', 'three.backup']);
});

test('a restore of no backup says what is wrong in one sentence', async () => {
  const foreign = await run('restore', 'target', ['three.backup']);
  expect(foreign).toEqual({
    code: 1,
    output: 'three.backup cannot be restored: it is no backup of this product.\n',
  });
  const missing = await run('restore', 'target', ['nowhere.backup']);
  expect(missing.output).toBe(`There is no file ${join(folder, 'nowhere.backup')}.\n`);
});

type Ended = { code: number | null; output: string };

type Side = 'source' | 'target' | 'embedded';

const environmentOf = (side: Side, more: Record<string, string> = {}) => ({
  PATH: process.env['PATH'],
  ...{ INIT_CWD: folder, DATA_DIR: join(folder, side), SECRET_KEY: KEYS[side] },
  // Without an address the product has its own database in the data directory.
  ...(side !== 'embedded' && { DATABASE_URL: { source, target }[side].url }),
  ...more,
});

/** One command, in this process. */
async function run(
  command: 'backup' | 'restore',
  side: Side,
  args: string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  let output = '';
  const write = (text: string) => void (output += text);
  const code = await callCommand({ backup: backUp, restore: restoreInstallation }[command], {
    ...{ args, env: environmentOf(side, environment), write, writeFailure: write },
  });
  return { code, output };
}

/** One command as npm starts it; `killAt` kills it when it says so, `blocks` limits what it may write, in KiB. */
function start(
  command: 'backup' | 'restore',
  side: 'source' | 'target',
  args: string[],
  { environment, killAt, blocks }: { environment?: Record<string, string>; killAt?: string; blocks?: number },
): Promise<Ended> {
  const script = join(import.meta.dirname, `../../src/backup/${command}-command.ts`);
  const limit = blocks === undefined ? '' : `ulimit -f ${blocks}; `;
  const child = spawn('bash', ['-c', `${limit}exec "$@"`, 'bash', process.execPath, script, ...args], {
    env: environmentOf(side, environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => {
      output += bytes;
      if (killAt !== undefined && output.includes(killAt)) child.kill('SIGKILL');
    });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

async function query(database: TestDatabase, sql: string) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function countConnections(database: TestDatabase): Promise<number> {
  const [row] = await query(
    database,
    `SELECT count(*)::integer AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  return row.n;
}

test('one that the product takes by itself is whole under its name, and one that breaks off leaves nothing', async () => {
  const to = join(folder, 'taken');
  const backups = openInstallationBackups({
    config: {
      ...{ dataDir: join(folder, 'source'), databaseUrl: source.url },
      backups: { folder: to, bucketUrl: undefined, everyHours: 24, keep: 2, passphrase: PASSPHRASE },
    },
    ...{ url: source.url, secrets: createSecretBox(KEYS.source), clock: () => new Date() },
    files: createDiskMediaStore(join(folder, 'source', 'uploads')),
  })!; // a place is named
  const bytes = await backups.take('one.backup', new AbortController().signal);
  expect(statSync(join(to, 'one.backup')).size).toBe(bytes);
  const { signal } = new AbortController();
  expect(await backups.verify('one.backup', { bytes, restores: true, signal })).toEqual({
    isRestored: true,
  });
  expect(await backups.verify('one.backup', { bytes, restores: false, signal })).toEqual({
    isRestored: false,
  });
  expect(await query(source, `SELECT FROM pg_database WHERE datname LIKE 'restore_check%'`)).toEqual([]);

  const damaged = readFileSync(join(to, 'one.backup'));
  damaged[damaged.length >> 1]! ^= 1;
  writeFileSync(join(to, 'one.backup'), damaged);
  await expect(backups.verify('one.backup', { bytes, restores: true, signal })).rejects.toMatchObject({
    fault: 'damaged',
  });
  await backups.remove('one.backup');
  await expect(backups.take('two.backup', AbortSignal.abort())).rejects.toThrow('aborted');
  expect(readdirSync(to)).toEqual(['arriving']);
  expect(readdirSync(join(to, 'arriving'))).toEqual([]);
});

test('the embedded database takes a backup of a server, and gives one that a server takes', async () => {
  expect(await run('restore', 'embedded', ['open.backup'])).toMatchObject({ code: 0 });
  expect(await run('backup', 'embedded', ['embedded.backup'])).toMatchObject({ code: 0 });
  await query(target, `UPDATE workspaces SET name = 'There before'`);
  expect(await run('restore', 'target', ['embedded.backup', '--replace', '--yes'])).toMatchObject({
    code: 0,
  });
  expect(await query(target, 'SELECT name FROM workspaces')).toEqual([{ name: 'Shop' }]);
  const people = `SELECT count(*)::integer AS n, md5(string_agg(id::text || phone, ',' ORDER BY id)) AS all FROM contacts`;
  expect(await query(target, people)).toEqual(await query(source, people));
  expect(readFileSync(join(folder, 'target', 'uploads', 'shop', 'a'), 'utf8')).toBe('png');
});
