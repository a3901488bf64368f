import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { findUnnotedRuns } from '@app/delivery/noted-runs';
import { noteAll } from '../../src/delivery/note-last-messages.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { finishRun, startCampaign } from './campaign-scenes.ts';

type Contact = { lastMessage: string | null; lastMessageTime: string | null; version: number };

let api: ApiFixture;
let admin: ApiCaller;
let runNo: number;
const ids = Array.from({ length: 4 }, () => newId()).toSorted();
const at = (minute: number) => `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`;

beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  await api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at)
     SELECT id, $1, 'Person ' || n, '+44770094000' || n, now() + interval '9 hours'
       FROM unnest($2::uuid[]) WITH ORDINALITY AS p (id, n)`,
    [api.workspaceId, ids],
  );
  await api.addChannel();
  const { id } = await startCampaign(admin, { audience: { contactIds: ids } });
  await finishRun(api, id);
  const { rows } = await api.db.systemPool.query<{ run_no: string }>(
    'SELECT run_no FROM delivery_runs WHERE campaign_id = $1',
    [id],
  );
  runNo = Number(rows[0]!.run_no);
  await report(0, { delivered: at(1) });
  await report(1, { delivered: at(2), read: at(5) });
});
afterAll(() => api.close());

const read = async (id: string) => (await admin.get(`/api/contacts/${id}`)).json<Contact>();

/** What the platform says of one recipient, with the counters that moved with it. */
async function report(seq: number, { delivered, read: seen }: { delivered?: string; read?: string }) {
  await api.db.systemPool.query(
    'UPDATE delivery_recipients SET delivered_at = coalesce($3, delivered_at), read_at = coalesce($4, read_at) WHERE run_no = $1 AND seq = $2',
    [runNo, seq, delivered ?? null, seen ?? null],
  );
  await api.db.systemPool.query('UPDATE delivery_runs SET read = read + $2 WHERE run_no = $1', [
    runNo,
    seen === undefined ? 0 : 1,
  ]);
}
const rowsOf = async () =>
  (
    await api.db.systemPool.query<{ place: string }>(
      'SELECT xmin::text || ctid::text AS place FROM contacts WHERE id = ANY ($1) ORDER BY id',
      [ids],
    )
  ).rows.map(({ place }) => place);

describe('what somebody received and read from a campaign', () => {
  test('is their last message, at the time that was reported; who got nothing has none', async () => {
    await noteAll(api.parts, 'small');
    const all = await Promise.all(ids.map(read));
    expect(all.map(({ lastMessageTime }) => lastMessageTime)).toEqual([at(1), at(5), null, null]);
    expect(all.map(({ lastMessage }) => lastMessage)).toEqual(['Spring', 'Spring', null, null]);
    expect(all.map(({ version }) => version)).toEqual([1, 1, 1, 1]);
  });

  test('is written once, however often it is looked at, and a process that died leaves nothing undone', async () => {
    const before = await rowsOf();
    await noteAll(api.parts, 'small');
    // As a process leaves it that died behind the first of them.
    await api.db.systemPool.query('UPDATE delivery_runs SET noted_results = 0 WHERE run_no = $1', [runNo]);
    await api.db.systemPool.query(
      'UPDATE contacts SET last_message_at = NULL, last_message = NULL WHERE id = $1',
      [ids[1]],
    );
    await noteAll(api.parts, 'small');
    expect((await read(ids[1]!)).lastMessageTime).toBe(at(5));
    expect((await rowsOf())[0]).toBe(before[0]);
  });

  test('moves on with a later reading, and never back behind what was said since', async () => {
    await report(0, { read: at(20) });
    await api.db.systemPool.query(
      `UPDATE contacts SET last_message = 'Thank you', last_message_at = $2 WHERE id = $1`,
      [ids[1], at(30)],
    );
    await report(1, { read: at(6) });
    await noteAll(api.parts, 'small');
    expect(await read(ids[0]!)).toMatchObject({ lastMessage: 'Spring', lastMessageTime: at(20) });
    expect(await read(ids[1]!)).toMatchObject({ lastMessage: 'Thank you', lastMessageTime: at(30) });
  });

  test('takes no word away when its campaign was deleted before anybody looked', async () => {
    const { id } = await startCampaign(admin, { audience: { contactIds: [ids[1]!] } });
    await finishRun(api, id);
    const run = `(SELECT run_no FROM delivery_runs WHERE campaign_id = '${id}')`;
    await api.db.systemPool.query(
      `UPDATE delivery_recipients SET delivered_at = '2026-03-02' WHERE run_no = ${run}`,
    );
    await api.db.systemPool.query('DELETE FROM campaigns WHERE id = $1', [id]);
    await noteAll(api.parts, 'small');
    expect(await read(ids[1]!)).toMatchObject({ lastMessage: 'Thank you', lastMessageTime: at(30) });
    const { rows } = await api.db.systemPool.query(
      'SELECT noted_at FROM delivery_runs WHERE campaign_id = $1',
      [id],
    );
    expect(rows[0]).not.toEqual({ noted_at: null });
  });

  test('is looked for in the newest campaign first, so that who is in many is written once', async () => {
    const begin = async () => (await startCampaign(admin, { audience: { contactIds: [ids[2]!] } })).id;
    const begun = [await begin(), await begin()];
    await api.db.systemPool.query('UPDATE delivery_runs SET delivered = 1 WHERE campaign_id = ANY ($1)', [
      begun,
    ]);
    const { rows } = await api.db.systemPool.query<{ no: string }>(
      'SELECT run_no AS no FROM delivery_runs WHERE campaign_id = ANY ($1) ORDER BY created_at DESC',
      [begun],
    );
    const unnoted = await findUnnotedRuns(api.db.systemPool, 'small');
    expect(unnoted.map(({ runNo: no }) => no)).toEqual(rows.map(({ no }) => Number(no)));
  });

  test('of a large campaign is looked for beside the small ones, the less often the older it is', async () => {
    const set = (total: number, created: string, noted: string | null) =>
      api.db.systemPool.query(
        `UPDATE delivery_runs SET total = $2, noted_results = -1, created_at = now() - $3::interval, noted_at = now() - $4::interval WHERE run_no = $1`,
        [runNo, total, created, noted],
      );
    const isFound = async (size: 'small' | 'large') =>
      (await findUnnotedRuns(api.db.systemPool, size)).some(({ runNo: no }) => no === runNo);
    await set(1_000_000, '1 hour', null);
    expect([await isFound('small'), await isFound('large')]).toEqual([false, true]);
    for (const [created, noted, isDue] of [
      ['10 minutes', '4 minutes', false],
      ['10 minutes', '6 minutes', true],
      ['5 days', '11 hours', false],
      ['5 days', '13 hours', true],
      ['1 year', '23 hours', false],
      ['1 year', '25 hours', true],
    ] as const) {
      await set(1_000_000, created, noted);
      expect(await isFound('large')).toBe(isDue);
    }
    await set(4, '1 hour', null);
    await noteAll(api.parts, 'large');
    expect(await isFound('small')).toBe(true);
  });

  test('is noted of every other campaign, though one cannot be written', async () => {
    const [stuck = '', other = ''] = [ids[2], ids[3]];
    for (const contactId of [other, stuck]) {
      const { id } = await startCampaign(admin, { audience: { contactIds: [contactId] } });
      await api.db.systemPool.query(
        `UPDATE delivery_recipients SET delivered_at = $2 WHERE run_no = (SELECT run_no FROM delivery_runs WHERE campaign_id = $1)`,
        [id, at(40)],
      );
      await api.db.systemPool.query('UPDATE delivery_runs SET delivered = 1 WHERE campaign_id = $1', [id]);
    }
    await api.db.systemPool.query(
      `ALTER TABLE contacts ADD CONSTRAINT stays_quiet CHECK (id <> '${stuck}' OR last_message IS NULL) NOT VALID`,
    );
    await expect(noteAll(api.parts, 'small')).rejects.toThrow('stays_quiet');
    expect((await read(other)).lastMessageTime).toBe(at(40));
    await api.db.systemPool.query('ALTER TABLE contacts DROP CONSTRAINT stays_quiet');
    await noteAll(api.parts, 'small');
    expect((await read(stuck)).lastMessageTime).toBe(at(40));
  });

  test('keeps no contact from going with the import that brought it', async () => {
    const importId = newId();
    await admin.request(`/api/contacts/imports?importId=${importId}`, {
      ...{ method: 'POST', body: 'name,phone\nZoe,+447700940999\nYan,+447700940998\n' },
      headers: { prefer: 'wait=50', 'content-type': 'text/plain' },
    });
    await api.db.systemPool.query(
      `UPDATE contacts SET last_message = 'Spring', last_message_at = now() WHERE import_id = $1`,
      [importId],
    );
    const undone = await admin.post(`/api/contacts/imports/${importId}/undo`);
    expect(await undone.json()).toEqual({ removed: 2, restored: 0, kept: 0 });
  });
});
