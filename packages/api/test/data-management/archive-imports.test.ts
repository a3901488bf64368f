import { MOVED } from '@app/database/backup/read-in/moved-tables';
import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longDescribe, longTest } from '@app/database/testing/long-test';
import { tidyArchiveImports } from '../../src/data-management/archive-import/leftovers.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { createMemoryMediaStore } from '../memory-media-store.ts';
import { addWorkspaceRows } from '../workspace-rows/workspace-rows.ts';
import { openArchiveImports } from './archive-imports-fixture.ts';

const store = createMemoryMediaStore();
let api: ApiFixture;
let admin: ApiCaller;
let other: ApiCaller;
let here: ReturnType<typeof openArchiveImports>;
let beside: ReturnType<typeof openArchiveImports>;
let file: Uint8Array;
let channelId: string;

const query = async (text: string, values: unknown[] = []) =>
  (await api.db.systemPool.query(text, values)).rows;
const count = async (table: string, workspaceId: string) =>
  Number((await query(`SELECT count(*) AS n FROM "${table}" WHERE workspace_id = $1`, [workspaceId]))[0].n);
/** But for what people are told, which comes by itself. */
const countAll = async (workspaceId: string) =>
  Object.fromEntries(
    await Promise.all(
      Object.keys(MOVED)
        .filter((table) => table !== 'notifications')
        .map(async (table) => [table, await count(table, workspaceId)] as const),
    ),
  );

beforeAll(async () => {
  api = await openApiFixture({ mediaStore: store }, { isWorking: false });
  admin = await api.as('admin');
  other = await api.asOther();
  here = openArchiveImports(api, admin, api.workspaceId);
  beside = openArchiveImports(api, other, api.otherWorkspaceId);
  const rows = await addWorkspaceRows(api.parts, api.workspaceId, admin);
  // A name that a person could have given it.
  await query(`UPDATE conversation_labels SET name = 'Urgent' WHERE workspace_id = $1`, [api.workspaceId]);
  channelId = rows.channelId!;
  await api.addChannel();
  await addUnderWay(rows.contactId!, rows.campaignId!);
  file = await here.take();
});
afterAll(() => api.close());

/** A run that is paused, a message that waits and one that is due next week, a campaign whose time comes, and a file. */
async function addUnderWay(contactId: string, campaignId: string): Promise<void> {
  const { workspaceId } = api;
  await query(
    `UPDATE campaigns SET status = 'scheduled', scheduled_at = now() + interval '1 day', audience = $2 WHERE id = $1`,
    [campaignId, JSON.stringify({ contactIds: [contactId] })],
  );
  await query(
    `INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, state, pause_reason, resume_at, message, category, audience, total)
     SELECT nextval('delivery_run_small'), $1, $2, $3, 'paused', 'quiet_hours', now() + interval '1 hour', '{}', 'marketing', $4, 1`,
    [workspaceId, channelId, campaignId, JSON.stringify({ contactIds: [contactId] })],
  );
  await query(
    `INSERT INTO delivery_recipients (run_no, seq, workspace_id, contact_id, address)
     SELECT run_no, 1, workspace_id, $2, '+14150000001' FROM delivery_runs WHERE workspace_id = $1`,
    [workspaceId, contactId],
  );
  for (const [state, sendAt] of [
    ['queued', null],
    ['scheduled', new Date(Date.now() + 7 * 86_400_000)],
  ] as const)
    await query(
      `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, type, text, content, occurred_at, author, author_id, state, purpose, send_no, send_at)
       VALUES ($1, $2, $3, $4, 'out', 'text', $5, $6, now(), 'person', $7, $5, 'service', CASE WHEN $5 = 'queued' THEN nextval('message_numbers') END, $8)`,
      [
        newId(),
        workspaceId,
        channelId,
        contactId,
        state,
        JSON.stringify({ type: 'text', text: 'Hello' }),
        await api.userId('admin@acme.test'),
        sendAt,
      ],
    );
  store.files.set('one/picture', new Uint8Array(3_000_000).fill(7));
  await query(
    `INSERT INTO media (id, workspace_id, name, type, mime_type, size, sha256, storage_key) VALUES ($1, $2, 'a.png', 'image', 'image/png', 3, 'wrong', 'one/picture')`,
    [newId(), workspaceId],
  );
}

describe('an archive beside the original', () => {
  longTest('is looked through without changing anything', async () => {
    const before = await countAll(api.otherWorkspaceId);
    const id = await beside.sent(file);
    expect((await beside.check(id, 'another passphrase')).error?.code).toBe('archive_passphrase_wrong');
    expect((await beside.check(id, null)).error?.code).toBe('archive_passphrase_missing');
    expect(await beside.check(id)).toMatchObject({ state: 'done' });
    const [reading] = await beside.list();
    expect(reading).toMatchObject({
      id,
      state: 'here',
      isEncrypted: true,
      replacedAt: null,
      undoableUntil: null,
    });
    expect(reading!.report).toMatchObject({ hasSecrets: true, fileBytes: 3_000_000 });
    expect(reading!.report!.holds.contacts).toBe(await count('contacts', api.workspaceId));
    expect(reading!.report!.people.map(({ email }) => email)).toContain('admin@acme.test');
    expect(await countAll(api.otherWorkspaceId)).toEqual(before);
    expect(await query(`SELECT wish FROM operations WHERE kind = 'archive-check' AND wish <> '{}'`)).toEqual(
      [],
    );
    expect((await other.delete(`/api/data/archive-readings/${id}`)).status).toBe(200);
    await tidyArchiveImports(api.parts);
    expect(await beside.list()).toEqual([]);
  });

  longTest('comes under ids of its own, and nothing that was under way goes on', async () => {
    const original = await countAll(api.workspaceId);
    await beside.readIn(file);
    expect(await countAll(api.workspaceId)).toEqual(original);
    const added = await countAll(api.otherWorkspaceId);
    // Those of nobody who is here, and what comes back only where it was.
    const leaves = Object.keys(MOVED).filter((table) => added[table] !== original[table]);
    const ownerless = [
      'contact_list_layouts',
      'conversation_drafts',
      'conversation_marks',
      'conversation_views',
      'quick_replies',
      'report_views',
      'team_members',
    ];
    for (const table of leaves)
      expect(MOVED[table]!.onlyBack !== undefined || ownerless.includes(table), table).toBe(true);
    const ids = await query('SELECT id FROM contacts WHERE workspace_id = ANY ($1)', [
      [api.workspaceId, api.otherWorkspaceId],
    ]);
    expect(new Set(ids.map(({ id }) => id)).size).toBe(ids.length);
    const inOther = (text: string) => query(text, [api.otherWorkspaceId]);
    expect(
      await inOther(
        `SELECT DISTINCT state, pause_reason, resume_at FROM delivery_runs WHERE workspace_id = $1`,
      ),
    ).toEqual([{ state: 'paused', pause_reason: 'restored', resume_at: null }]);
    expect(
      await inOther(
        `SELECT DISTINCT state, error_code FROM messages WHERE workspace_id = $1 AND text IN ('queued', 'scheduled')`,
      ),
    ).toEqual([{ state: 'unknown', error_code: 'restored' }]);
    expect(
      await inOther(
        `SELECT status, pause_reason FROM campaigns WHERE workspace_id = $1 AND scheduled_at IS NOT NULL`,
      ),
    ).toEqual([{ status: 'paused', pause_reason: 'restored' }]);
    expect(await inOther(`SELECT DISTINCT is_connected FROM channels WHERE workspace_id = $1`)).toEqual([
      { is_connected: false },
    ]);
    // An audience names the contact that came.
    const [{ named }] = await inOther(
      `SELECT EXISTS (SELECT FROM contacts k WHERE k.workspace_id = $1 AND k.id::text = r.audience->'contactIds'->>0) AS named
         FROM delivery_runs r WHERE r.workspace_id = $1`,
    );
    expect(named).toBe(true);
    const [picture] = await inOther(
      `SELECT storage_key, size FROM media WHERE workspace_id = $1 AND name = 'a.png'`,
    );
    expect([Number(picture.size), picture.storage_key.startsWith(api.otherWorkspaceId)]).toEqual([
      3_000_000,
      true,
    ]);
    expect(Buffer.from(store.files.get(picture.storage_key)!).equals(store.files.get('one/picture')!)).toBe(
      true,
    );
    const [{ credentials }] = await inOther(
      `SELECT credentials FROM channels WHERE workspace_id = $1 AND credentials->'secrets' <> '{}' LIMIT 1`,
    );
    const [sealed] = Object.values(credentials.secrets as Record<string, string>);
    await expect(api.parts.secrets.open(sealed!)).resolves.toBeTruthy();
    expect(
      await inOther(
        `SELECT "values"->>'isBack' AS back FROM events WHERE workspace_id = $1 AND type = 'data.archive_read_in'`,
      ),
    ).toEqual([{ back: 'false' }]);
    expect(
      (await inOther(`SELECT sum(total)::int AS n FROM contact_counts WHERE workspace_id = $1`))[0].n,
    ).toBe(added.contacts);
  });

  test('no row of it names a row of the original', async () => {
    const known = new Set<string>();
    for (const table of Object.keys(MOVED))
      for (const { row } of await query(
        `SELECT to_jsonb(t) AS row FROM "${table}" t WHERE workspace_id = $1`,
        [api.workspaceId],
      ))
        if (typeof row.id === 'string') known.add(row.id);
    for (const table of Object.keys(MOVED)) {
      // Columns that name rows; a text may hold what it likes.
      const columns = await query(
        `SELECT column_name AS name FROM information_schema.columns
          WHERE table_schema = 'public' AND table_name = $1 AND udt_name IN ('uuid', '_uuid', 'jsonb')`,
        [table],
      );
      const texts = columns.map(({ name }) => `t."${name}"::text`).join(', ');
      const rows = await query(
        `SELECT concat_ws(' ', ${texts}) AS row FROM "${table}" t WHERE workspace_id = $1`,
        [api.otherWorkspaceId],
      );
      for (const { row } of rows)
        for (const id of (row as string).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [])
          expect(known.has(id), `${table} names ${id}`).toBe(false);
    }
  });
});

longDescribe('taken back', () => {
  test('everything is as it was, with its ids, and held', async () => {
    const ids = async (table: string) =>
      (await query(`SELECT id FROM ${table} WHERE workspace_id = $1 ORDER BY 1`, [api.workspaceId])).map(
        ({ id }) => id,
      );
    const before = {
      counts: await countAll(api.workspaceId),
      contacts: await ids('contacts'),
      messages: await ids('messages'),
    };
    const id = await here.readIn(file);
    expect((await here.list())[0]).toMatchObject({ id, state: 'over', undoableUntil: expect.any(String) });
    expect(await ids('contacts')).not.toEqual(before.contacts);
    expect(await here.undo(id)).toMatchObject({ state: 'done' });
    expect({
      counts: await countAll(api.workspaceId),
      contacts: await ids('contacts'),
      messages: await ids('messages'),
    }).toEqual(before);
    const [picture] = await query(
      `SELECT storage_key FROM media WHERE workspace_id = $1 AND name = 'a.png'`,
      [api.workspaceId],
    );
    expect(store.files.get(picture.storage_key)?.length).toBe(3_000_000);
    const again = await admin.post(`/api/data/archive-readings/${id}/undo`, {});
    expect([again.status, await again.json()]).toMatchObject([
      409,
      { error: { code: 'archive_reading_not_undoable' } },
    ]);
    await tidyArchiveImports(api.parts);
    expect(
      [...store.files.keys()].filter((key) => key.includes('before-') || key.includes('reading-')),
    ).toEqual([
      // What was here before in the other workspace, which nobody took back.
      expect.stringContaining(`${api.otherWorkspaceId}/before-`),
    ]);
  });
});
