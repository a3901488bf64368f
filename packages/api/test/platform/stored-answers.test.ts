import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { purgeKeptContacts } from '../../src/contact-removals/purge-kept-contacts.ts';
import { readMarks } from '../../src/platform/answer-marks.ts';
import { deleteAnswersAbout } from '../../src/platform/idempotency.ts';
import { createTestSecretBox, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { countLockWaits } from '../lock-waits.ts';

type Refusal = { error: { code: string } };

let api: ApiFixture;
let admin: ApiCaller;
let letGo = () => {};
const secrets = await createTestSecretBox();
const sent: string[] = [];

beforeAll(async () => {
  api = await openApiFixture({
    secrets,
    messageSender: {
      open: async () => ({
        send: async ({ to }) => {
          sent.push(to);
          await new Promise<void>((resolve) => (letGo = resolve));
          return { outcome: 'accepted', providerMessageId: `wamid.${to}` };
        },
      }),
    },
  });
  admin = await api.as('admin');
  await api.addChannel();
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);

/** A test message that the platform takes its time for; the answer of the first press. */
async function sendSlowly(phone: string, key: string) {
  const press = () =>
    admin.post(
      '/api/campaigns/test-message',
      { message: { customMessage: 'Hi' }, variables: {}, phone },
      key,
    );
  const first = press();
  await expect.poll(() => sent).toContain(phone);
  return { first, press };
}

const age = (column: string, key: string, seconds: number) =>
  query(
    `UPDATE idempotency_keys SET ${column} = clock_timestamp() - make_interval(secs => $2) WHERE key = $1`,
    [key, seconds],
  );

describe('an act outside that takes longer than a press waits', () => {
  test('is under way for whoever presses again, and done once', async () => {
    const phone = '+447700900301';
    const { first, press } = await sendSlowly(phone, 'takes-its-time');
    await age('created_at', 'takes-its-time', 60);
    const second = press();
    // Requests that came after it are answered: it has looked.
    for (const _ of [1, 2, 3]) expect((await admin.get('/api/contacts')).status).toBe(200);
    letGo();
    for (const answer of await Promise.all([first, second]))
      expect([answer.status, await answer.json()]).toEqual([200, { phone }]);
    expect(sent.filter((to) => to === phone)).toHaveLength(1);
  });

  longTest('gives signs of life; without them nobody knows its end', async () => {
    const key = 'its-process-died';
    const { first, press } = await sendSlowly('+447700900302', key);
    await age('alive_at', key, 31);
    const second = await press();
    expect([second.status, (await second.json<Refusal>()).error.code]).toEqual([409, 'outcome_unknown']);
    const isAlive = async () =>
      (
        await query(
          `SELECT alive_at > now() - interval '10 seconds' AS alive FROM idempotency_keys WHERE key = $1`,
          [key],
        )
      ).rows[0].alive;
    await expect.poll(isAlive).toBe(true);
    letGo();
    expect((await first).status).toBe(200);
  });
});

test('the key of a deletion of many is committed with its wish, never before', async () => {
  const added = await admin.post('/api/contacts', { name: 'Ann', phone: '+447700900303' });
  const { id } = await added.json<{ id: string }>();
  const removalId = newId();
  const key = 'killed-before-it-began';
  const isThere = async () =>
    (
      await query(
        `SELECT (SELECT count(*)::int FROM idempotency_keys WHERE key = $1) AS keys,
                (SELECT count(*)::int FROM contacts WHERE id = $2) AS contacts`,
        [key, id],
      )
    ).rows[0];
  const holder = await api.db.systemPool.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE operations IN EXCLUSIVE MODE');
  const press = admin.post('/api/contacts/removals', { removalId, choice: { contactIds: [id] } }, key);
  await expect.poll(() => countLockWaits(holder, 'operations')).toBe(1);
  // Were the process killed here, nothing would be left, and the same key would act.
  const meanwhile = await isThere();
  await holder.query('ROLLBACK');
  holder.release();
  expect(meanwhile).toEqual({ keys: 0, contacts: 1 });
  expect(await (await press).json()).toMatchObject({ id: removalId, state: 'done', done: 1 });
  expect(await isThere()).toEqual({ keys: 1, contacts: 0 });
});

describe('a kept answer', () => {
  test('does not outlive the contact of whom it tells', async () => {
    const body = { name: 'Dora Private', phone: '+447700900304', email: 'dora@private.test' };
    const key = 'tells-of-dora';
    const { id } = await (await admin.post('/api/contacts', body, key)).json<{ id: string }>();
    await admin.post(`/api/contacts/${id}/consents`, { kind: 'opt_in', text: 'Dora signed' });
    await admin.delete(`/api/contacts/${id}`);
    const traces = async () =>
      (
        await query(
          `SELECT endpoint FROM idempotency_keys k WHERE to_jsonb(k)::text ~* 'dora (private|signed)'`,
        )
      ).rows;
    expect(await traces()).not.toEqual([]);
    const clock = () => new Date(Date.now() + 7_200_000);
    // A process that dies between the two would leave the answer to nobody.
    await query(
      `ALTER TABLE idempotency_keys ADD CONSTRAINT not_yet CHECK (response IS NOT NULL OR about <> '{}') NOT VALID`,
    );
    await expect(purgeKeptContacts({ ...api.parts, clock })).rejects.toThrow('not_yet');
    expect((await query('SELECT FROM deleted_contacts WHERE contact_id = $1', [id])).rowCount).toBe(1);
    await query('ALTER TABLE idempotency_keys DROP CONSTRAINT not_yet');
    await purgeKeptContacts({ ...api.parts, clock });
    expect(await traces()).toEqual([]);
    const again = await admin.post('/api/contacts', body, key);
    expect([again.status, (await again.json<Refusal>()).error.code]).toEqual([
      409,
      'idempotency_answer_gone',
    ]);
  });

  test('is found by an index, also beneath the guard of a workspace', async () => {
    const plan = await api.db.inWorkspace(api.workspaceId, async (_, client) => {
      await client.query('SET LOCAL enable_seqscan = off');
      const statements: string[] = [];
      await deleteAnswersAbout(
        { query: async (text: string) => void statements.push(text) } as unknown as typeof client,
        [],
      );
      const { rows } = await client.query(`EXPLAIN ${statements[0]}`, [['someone']]);
      return JSON.stringify(rows);
    });
    expect(plan).toContain('idempotency_keys_about');
  });

  test('is found by the ids and numbers of its records, not by lists of ids', () => {
    const [own, inner, listed] = [newId(), newId(), newId()];
    expect(
      readMarks({
        id: own,
        parts: [{ contactId: inner, phone: '+447700900305', name: 'Ann' }],
        audience: { contactIds: [listed] },
      }),
    ).toEqual([own, inner, '+447700900305']);
  });
});
