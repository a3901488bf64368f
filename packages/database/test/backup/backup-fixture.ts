import pg from 'pg';
import type { Sealer } from '../../src/backup/carry-secrets.ts';
import { restoreBackup, type RestoreOptions } from '../../src/backup/restore-backup.ts';
import { takeBackup, type Taken } from '../../src/backup/take-backup.ts';
import { fillTables, ONLY_ID } from '../../src/testing/fill-tables.ts';

export const PASSPHRASE = 'correct horse battery';

/** What rows of these tables need beside their types. */
export const GIVEN = {
  workspaces: { slug: 'one' },
  contacts: { language: 'de' },
  templates: { language: 'de' },
  channels: {
    credentials: JSON.stringify({ version: 1, values: { a: 'b' }, secrets: { token: 'source:secret' } }),
    stopped_code: null,
    stopped_for: null,
  },
  flow_secrets: { sealed: 'source:header' },
  integrations: {
    credentials: JSON.stringify({ version: 1, values: {}, secrets: { token: 'source:service' } }),
    status: 'connected',
  },
  two_factor: { secret_sealed: 'source:second' },
  messages: { direction: 'out', state: 'accepted', provider_message_id: 'one' },
  media: { storage_key: 'ws/one' },
  message_files: { content: 'ws/two', thumbnail: 'ws/missing' },
  distinct_contacts: { second_id: '01990000-0000-7000-8000-000000000002' },
} as const;

/** Text with the name of its key in front stands for what only that key opens. */
export function sealerOf(name: string): Sealer {
  return {
    seal: (plain) => Promise.resolve(`${name}:${plain}`),
    open: (sealed) =>
      sealed.startsWith(`${name}:`)
        ? Promise.resolve(sealed.slice(name.length + 1))
        : Promise.reject(new Error('another key')),
  };
}

/** A store in memory. */
export function storeOf(files: Record<string, Buffer>) {
  const kept = new Map(Object.entries(files));
  return {
    kept,
    read: (key: string, { start, end }: { start: number; end: number }) =>
      Promise.resolve(kept.get(key)?.subarray(start, end + 1) ?? null),
    has: (key: string) => Promise.resolve(kept.has(key)),
    put: async (key: string, bytes: Uint8Array) => void kept.set(key, Buffer.from(bytes)),
    remove: async (key: string) => void kept.delete(key),
  };
}

/** As the product connects: a superuser, so that a test sees every row. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: '-c app.scope=system -c TimeZone=UTC' });
  await client.connect();
  return client;
}

export async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** A row in every table, and places in partitions that a new database does not have. */
export async function fillAll(client: pg.Client): Promise<void> {
  await client.query(`SELECT ensure_delivery_partition(2000), ensure_delivery_partition(1000000000007, 3)`);
  const tables = (await listTables(client)).filter((name) => name !== 'company_attempts');
  await fillTables(client, tables, GIVEN);
  await client.query(`INSERT INTO delivery_recipients (run_no, seq, workspace_id, address) VALUES
    (2001, 1, '${ONLY_ID}', '+1'), (1000000000007, 2, '${ONLY_ID}', '+2')`);
  await client.query(`SELECT setval('message_numbers', 42)`);
}

export async function take(
  url: string,
  { passphrase, files = storeOf({}) }: { passphrase?: string; files?: ReturnType<typeof storeOf> } = {},
): Promise<{ file: Buffer; taken: Taken }> {
  const pieces: Uint8Array[] = [];
  const taken = await takeBackup({
    ...{ url, files, passphrase, secrets: sealerOf('source'), now: new Date('2026-11-22T12:00:00Z') },
    sink: async (bytes) => void pieces.push(Uint8Array.from(bytes)),
    onTable: () => undefined,
    onFile: () => undefined,
  });
  return { file: Buffer.concat(pieces), taken };
}

/** In pieces that fit no frame. */
export async function* inPieces(file: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += 7_001) yield file.subarray(at, at + 7_001);
}

export function restore(url: string, file: Uint8Array, options: Partial<RestoreOptions> = {}) {
  return restoreBackup({
    ...{ url, passphrase: undefined, secrets: sealerOf('target'), files: storeOf({}) },
    read: () => inPieces(file),
    hold: async () => undefined,
    onTable: () => undefined,
    onFile: () => undefined,
    ...options,
  });
}

/** Every row of a table as text, in an order of its own. */
export async function readRows(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ row: string }>(
    `SELECT to_jsonb(t)::text AS row FROM "${table}" t ORDER BY 1`,
  );
  return rows.map(({ row }) => row);
}
