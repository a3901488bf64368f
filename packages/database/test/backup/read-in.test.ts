import type pg from 'pg';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../src/testing/long-test.ts';
import { FORMER_TABLES } from '../../src/backup/read-in/former-tables.ts';
import { MOVED } from '../../src/backup/read-in/moved-tables.ts';
import { takeArchive } from '../../src/backup/take-archive.ts';
import { ONLY_ID } from '../../src/testing/fill-tables.ts';
import { createTestDatabase, type TestDatabase } from '../../src/testing/test-database.ts';
import { part as partOf } from '../../src/testing/thorough.ts';
import { rewriteArchive, type Rewrite } from '../../src/testing/rewrite-archive.ts';
import { connect, fillAll, sealerOf, storeOf } from './backup-fixture.ts';
import { readIn } from './read-in-fixture.ts';

const OTHER = '01990000-0000-7000-8000-0000000000ff';
const files = { 'ws/one': randomBytes(1024), 'ws/two': randomBytes(2048) };
let source: TestDatabase;
let client: pg.Client;
let file: Buffer;

beforeAll(async () => {
  source = await createTestDatabase();
  client = await connect(source.url);
  await fillAll(client);
  await client.query(`INSERT INTO workspaces (id, name, slug) VALUES ($1, 'Somebody else', 'two')`, [OTHER]);
  await client.query(`INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, 'admin')`, [
    OTHER,
    ONLY_ID,
  ]);
  // Rows were made without asking for their numbers.
  await client.query(`SELECT setval('delivery_run_small', 3000), setval('message_numbers', 3000)`);
  // Nobody has a tag without a name.
  await client.query(
    `SET session_replication_role = replica; UPDATE contacts SET tags = '{one}'; RESET session_replication_role`,
  );
  file = await archive();
});
afterAll(async () => {
  await client.end();
  await source.drop();
});

async function archive(workspaceId = ONLY_ID) {
  const pieces: Uint8Array[] = [];
  await takeArchive({
    ...{ url: source.url, files: storeOf(files), secrets: sealerOf('source'), workspaceId },
    ...{ passphrase: undefined, withSecrets: false, now: new Date('2026-11-22T12:00:00Z') },
    sink: async (bytes) => void pieces.push(Uint8Array.from(bytes)),
    onTable: () => undefined,
    onFile: () => undefined,
  });
  return Buffer.concat(pieces);
}

const count = async (table: string, workspaceId: string) =>
  (
    await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM "${table}" WHERE workspace_id = $1`, [
      workspaceId,
    ])
  ).rows[0]!.n;

describe('what an archive holds', () => {
  test('and each column that could name a row, a person, a run or a file', async () => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = ANY ($1) AND is_generated = 'NEVER'
          AND (udt_name IN ('uuid', '_uuid', 'jsonb') OR column_name ~ '(run_no|send_no|fact_id|storage_key|thumbnail|_id|_ids|_by|owner)$')`,
      [Object.keys(MOVED)],
    );
    const open = rows.filter(({ name }) => {
      const [table, column] = name.split('.') as [string, string];
      return !Object.hasOwn(MOVED[table]!.columns, column);
    });
    // Ids of platforms, which mean the same everywhere, and the names of a model and of somebody.
    expect(open.map(({ name }) => name).toSorted()).toEqual([
      'bot_knowledge_parts.embedded_by',
      'contacts.platform_user_id',
      'delivery_recipients.provider_message_id',
      'distinct_contacts.said_by',
      'message_files.platform_id',
      'messages.group_id',
      'messages.provider_message_id',
      'templates.platform_template_id',
    ]);
    const columns = await client.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'`,
    );
    const known = new Set(columns.rows.map(({ name }) => name));
    const gone = Object.entries(MOVED).flatMap(([table, { columns: named }]) =>
      Object.keys(named)
        .filter((column) => !known.has(`${table}.${column}`))
        .map((column) => `${table}.${column}`),
    );
    expect(gone).toEqual([]);
  });
});

describe('beside the original', () => {
  test('every table that moves is there twice, under other ids, and the original is as it was', async () => {
    const before = await client.query(
      `SELECT to_jsonb(t)::text AS row FROM contacts t WHERE workspace_id = $1`,
      [ONLY_ID],
    );
    const { added } = await readIn(client, file, { workspaceId: OTHER });
    const moves = Object.keys(MOVED).filter((name) => !MOVED[name]!.onlyBack);
    for (const name of moves) {
      // Two recipients of the sample are of no run.
      const rows = name === 'delivery_recipients' ? 1 : await count(name, ONLY_ID);
      expect(added.get(name), name).toBe(rows);
      expect(await count(name, OTHER), name).toBe(rows);
    }
    for (const name of Object.keys(MOVED))
      if (MOVED[name]!.onlyBack) expect(await count(name, OTHER), name).toBe(0);
    const after = await client.query(
      `SELECT to_jsonb(t)::text AS row FROM contacts t WHERE workspace_id = $1`,
      [ONLY_ID],
    );
    expect(after.rows).toEqual(before.rows);
    const { rows } = await client.query('SELECT id, is_connected FROM channels WHERE workspace_id = $1', [
      OTHER,
    ]);
    expect(rows[0].id).not.toBe(ONLY_ID);
    expect(rows[0].is_connected).toBe(false);
  });

  test('the same archive again replaces what it brought', async () => {
    await readIn(client, file, { workspaceId: OTHER });
    expect(await count('contacts', OTHER)).toBe(1);
  });

  test.each(Object.entries(FORMER_TABLES))('one that still says %s is read in, as %s', async (was, name) => {
    const former = await rewriteArchive(file, {
      part: (part) => (part.kind === 'table' && part.name === name ? { ...part, name: was } : part),
    });
    const { staged } = await readIn(client, former, { workspaceId: OTHER });
    expect(staged.rows.has(name)).toBe(true);
    expect(await count('contacts', OTHER)).toBe(1);
  });

  test('what was tidied away before its runs came is made again', async () => {
    await client.query(`SELECT setval('delivery_run_small', 7000)`);
    const meanwhile = () => client.query('DROP TABLE delivery_recipients_7000, delivery_events_7000');
    const { added } = await readIn(client, file, { workspaceId: OTHER, meanwhile });
    expect(added.get('delivery_recipients')).toBe(1);
  });
});

describe('an archive that somebody made up', () => {
  /** Reads a changed archive in, and answers with what was said against it; the workspace is as it was. */
  async function refusal(change: Rewrite): Promise<string> {
    const state = async () =>
      JSON.stringify([
        await count('contacts', OTHER),
        await count('messages', OTHER),
        await count('contacts', ONLY_ID),
      ]);
    const before = await state();
    const outcome = await readIn(client, await rewriteArchive(file, change), { workspaceId: OTHER }).then(
      () => 'taken',
      (error: Error) => error.message,
    );
    expect(await state()).toBe(before);
    return outcome;
  }
  const rowsOf = (
    name: string,
    change: (rows: string[][], columns: readonly string[]) => string[][],
  ): Rewrite => ({
    rows: (table, rows, columns) => (table === name ? change(rows, columns) : rows),
  });
  const setting = (name: string, column: string, value: string): Rewrite =>
    rowsOf(name, (rows, columns) =>
      rows.map((row) => row.map((one, place) => (columns[place] === column ? value : one))),
    );

  const refused: [string, Rewrite, RegExp][] = [
    ['rows of another workspace', setting('contacts', 'workspace_id', OTHER), /rows of another workspace/],
    ['a row twice', rowsOf('templates', (rows) => [...rows, ...rows]), /templates: 23505/],
    ['a value of another type', setting('contacts', 'created_at', 'yesterday or so'), /contacts: 22/],
    ['a value that no rule allows', setting('contacts', 'status', 'deleted'), /contacts: 23514/],
    ['a message of nobody', setting('messages', 'contact_id', OTHER), /messages: 23503/],
    ['a channel of somebody else', setting('delivery_runs', 'channel_id', OTHER), /delivery_runs: 23503/],
    ['nothing where something belongs', setting('segments', 'name', '\\N'), /segments: 23502/],
    [
      'a table that is none of a workspace',
      {
        part: (part) =>
          part.kind === 'table' && part.name === 'summaries' ? { ...part, name: 'sessions' } : part,
      },
      /not known/,
    ],
    [
      'a column that is not there',
      {
        part: (part) =>
          part.kind === 'table' && part.name === 'segments'
            ? { ...part, columns: part.columns.map((one) => (one === 'name' ? 'owner' : one)) }
            : part,
      },
      /columns of segments/,
    ],
    [
      'a column that is worked out',
      {
        part: (part) =>
          part.kind === 'table' && part.name === 'contacts'
            ? { ...part, columns: part.columns.map((one) => (one === 'email' ? 'search_text' : one)) }
            : part,
      },
      /columns of contacts/,
    ],
    ['two workspaces', rowsOf('workspaces', (rows) => [...rows, ...rows]), /not of one workspace/],
  ];
  longTest.each(partOf(refused, 3))('with %s is refused, and nothing changes', async (_, change, said) => {
    expect(await refusal(change)).toMatch(said);
  });

  test('that lets somebody in, spends nothing, or tells another story of the log changes none of that', async () => {
    const kept = [
      'memberships',
      'activities',
      'budget_months',
      'erased_people',
      'suppression_list',
      'delivery_usage',
    ];
    const state = async () => {
      const counts: number[] = [];
      for (const table of kept) counts.push(await count(table, OTHER));
      return counts;
    };
    const before = await state();
    const open = await rewriteArchive(file, setting('memberships', 'role', 'admin'));
    await readIn(client, open, { workspaceId: OTHER });
    expect(await state()).toEqual(before);
  });

  longTest('that names a row of another workspace in a document names nothing', async () => {
    const named = await rewriteArchive(
      file,
      setting(
        'segments',
        'rules',
        JSON.stringify({ conditions: [{ kind: 'field', fieldId: OTHER }], [OTHER]: [OTHER] }),
      ),
    );
    await readIn(client, named, { workspaceId: OTHER });
    const { rows } = await client.query('SELECT rules::text FROM segments WHERE workspace_id = $1', [OTHER]);
    expect(rows[0].rules).not.toContain(OTHER);
    expect(rows[0].rules).toContain('fieldId');
  });
});
