import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { addPeople, type BenchProduct } from '../bench-product.ts';
import {
  CONVERSATION_COLUMNS,
  FILE_COLUMNS,
  InboxHistory,
  LABELS,
  MESSAGE_COLUMNS,
  type InboxPeople,
  type InboxSize,
} from './inbox-history.ts';

const SLICE = 250_000;
const TEAMS = ['Sales', 'Support', 'Returns', 'Billing', 'Wholesale'];

/**
 * Fills the sample workspace while its server is stopped: people, then the history in the order of its time by COPY, without foreign keys and
 * indexes, which are built at the end.
 */
export async function fillInbox(product: BenchProduct, size: InboxSize): Promise<void> {
  await addPeople(product, size.conversations);
  const client = new pg.Client({ connectionString: product.database.url });
  await client.connect();
  // A file that the server of the database reads, whoever it runs as.
  const folder = mkdtempSync(join(tmpdir(), 'messaging-bench-copy-'));
  chmodSync(folder, 0o755);
  try {
    await client.query(
      `SET session_replication_role = replica; SET synchronous_commit = off; SET statement_timeout = 0;
       SET maintenance_work_mem = '1GB'; SET max_parallel_maintenance_workers = 1`,
    );
    const people = await addStaff(client, product.workspaceId);
    await client.query('TRUNCATE messages, conversations, message_files CASCADE');
    const indexes = await takeIndexes(client);
    await copyAll(client, folder, new InboxHistory(size, people, Date.now()));
    const say = (what: string) => console.log(`  ${new Date().toISOString().slice(11, 19)} ${what}`);
    for (const { name, statement } of indexes) {
      say(name);
      await client.query(statement);
    }
    say('vacuum');
    for (const table of ['messages', 'conversations', 'message_files'])
      await client.query(`VACUUM (ANALYZE, FREEZE, PARALLEL 0) ${table}`);
    await client.query('CHECKPOINT');
    say('filled');
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await client.end();
  }
}

async function addStaff(client: pg.Client, workspaceId: string): Promise<InboxPeople> {
  const ids = async (text: string) =>
    (await client.query<{ id: string }>(text, [workspaceId])).rows.map(({ id }) => id);
  for (const [place, name] of ['Support', 'Wholesale'].entries())
    await client.query(
      `INSERT INTO channels (id, workspace_id, kind, address, credentials, is_connected, messages_per_second)
       VALUES ($1, $2, 'whatsapp', $3, '{"version": 1, "values": {}, "secrets": {}}', false, 80)`,
      [randomUUID(), workspaceId, `20000000000009${place} ${name}`],
    );
  for (const name of TEAMS)
    await client.query(
      `INSERT INTO teams (id, workspace_id, name, created_at, updated_at) VALUES ($1, $2, $3, now(), now()) ON CONFLICT DO NOTHING`,
      [randomUUID(), workspaceId, name],
    );
  for (const name of LABELS)
    await client.query(
      `INSERT INTO conversation_labels (id, workspace_id, name, colour, created_at) VALUES ($1, $2, $3, 'blue', now()) ON CONFLICT DO NOTHING`,
      [randomUUID(), workspaceId, name],
    );
  const { rows: staff } = await client.query<{ id: string; name: string }>(
    `SELECT u.id, u.name FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1 ORDER BY u.email`,
    [workspaceId],
  );
  return {
    workspaceId,
    staff,
    contacts: await ids(
      `SELECT id FROM contacts WHERE workspace_id = $1 AND phone LIKE '+49157%' ORDER BY id`,
    ),
    channels: await ids('SELECT id FROM channels WHERE workspace_id = $1 ORDER BY is_connected DESC, id'),
    teams: await ids('SELECT id FROM teams WHERE workspace_id = $1 ORDER BY id'),
  };
}

/** Takes the indexes and keys of messages away; answers with what builds them again, the index of words last. */
async function takeIndexes(client: pg.Client): Promise<{ name: string; statement: string }[]> {
  const { rows } = await client.query<{ name: string; drop: string; statement: string }>(
    `SELECT i.relname AS name,
            CASE WHEN c.oid IS NULL THEN format('DROP INDEX %I', i.relname) ELSE format('ALTER TABLE messages DROP CONSTRAINT %I', c.conname) END AS drop,
            CASE WHEN c.oid IS NULL THEN pg_get_indexdef(x.indexrelid)
                 ELSE format('ALTER TABLE messages ADD CONSTRAINT %I %s', c.conname, pg_get_constraintdef(c.oid)) END AS statement
       FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid LEFT JOIN pg_constraint c ON c.conindid = x.indexrelid AND c.conrelid = x.indrelid
      WHERE x.indrelid = 'messages'::regclass ORDER BY i.relname = 'messages_words', i.relname`,
  );
  for (const { drop } of rows) await client.query(drop);
  return rows;
}

async function copyAll(client: pg.Client, folder: string, history: InboxHistory): Promise<void> {
  const copy = async (table: string, columns: string, lines: string) => {
    const file = join(folder, `${table}-${randomUUID()}`);
    writeFileSync(file, lines, { mode: 0o644 });
    await client.query(`COPY ${table} (${columns}) FROM '${file}'`);
    rmSync(file);
  };
  let copying: Promise<void> = Promise.resolve();
  for (let total = 0; ;) {
    const { messages, files, written } = history.nextMessages(SLICE);
    // One slice is made while the one before is taken in.
    await copying;
    if (written === 0) break;
    total += written;
    console.log(`  ${new Date().toISOString().slice(11, 19)} ${total.toLocaleString('en')} messages`);
    copying = (async () => {
      await copy('messages', MESSAGE_COLUMNS, messages);
      await copy('message_files', FILE_COLUMNS, files);
    })();
  }
  const { lines, unread, pinned } = history.conversations();
  await copy('conversations', CONVERSATION_COLUMNS, lines);
  await client.query(`SELECT setval('message_numbers', $1)`, [Math.max(1, history.lastSendNo)]);
  await client.query(
    `UPDATE messages SET is_unread = true FROM unnest($1::uuid[]) AS u (id) WHERE messages.id = u.id`,
    [unread],
  );
  await client.query(
    `INSERT INTO conversation_marks (workspace_id, conversation_id, user_id, pinned_at)
     SELECT c.workspace_id, c.id, u.id, now() FROM conversations c, users u WHERE c.id = ANY ($1::uuid[]) AND u.email = 'admin@example.com'`,
    [pinned],
  );
}
