import { describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import type pg from 'pg';
import { ownContacts } from '@app/delivery/follow-merges';
import { removeContacts } from '../../src/contacts/deleted-contacts.ts';
import { people } from '../../src/features.ts';
import { mergeIntoOne } from '../../src/contact-merges/merge-contacts.ts';
import { undoMerge } from '../../src/contact-merges/undo-merge.ts';
import { openArrivals, type ArrivedContact } from '../arrivals.ts';
import { changedIdentity, failed, said } from '../arriving-events.ts';
import { startCampaign } from '../campaigns/campaign-scenes.ts';
import { scopeOn } from '../scope-on.ts';

const PHONE = '+14155552671';
const OTHER = '+14155552672';

const { api, admin, secrets, arrive, query, add, read } = await openArrivals();

const messagesOf = (id: string) => query('SELECT text FROM messages WHERE contact_id = $1 ORDER BY 1', [id]);

const mergeOf = (survivor: ArrivedContact, other: ArrivedContact, mergeId: string = crypto.randomUUID()) => ({
  mergeId,
  survivorId: survivor.id,
  contacts: [survivor, other].map(({ id, version }) => ({ contactId: id, version })),
});
const mergeBy = (client: pg.PoolClient, wish: ReturnType<typeof mergeOf>) =>
  mergeIntoOne(scopeOn(client, api.workspaceId), people, {
    ...wish,
    picks: {},
    customPicks: {},
    userName: 'Mia',
  });

/** Does the one in a transaction that stays open until each of the others waits behind it, or is done without waiting. */
async function meet<Answers extends unknown[]>(
  first: (client: pg.PoolClient) => Promise<unknown>,
  ...others: { [Place in keyof Answers]: () => Promise<Answers[Place]> }
): Promise<Answers> {
  const client = await api.db.systemPool.connect();
  try {
    await client.query('BEGIN');
    await first(client);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    let done = 0;
    const answers: Promise<unknown>[] = [];
    for (const other of others) {
      const answer = other().finally(() => (done += 1));
      answer.catch(() => {}); // thrown below
      answers.push(answer);
      await expect.poll(async () => done + (await countWaiting(rows[0]!.pid))).toBe(answers.length); // one row
    }
    await client.query('COMMIT');
    return (await Promise.all(answers)) as Answers; // one for each of the others
  } finally {
    client.release();
  }
}

async function countWaiting(pid: number): Promise<number> {
  return (await query('SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [pid])).length;
}

describe('a message that meets', () => {
  test('a merge goes to the contact that stays, with its STOP', async () => {
    const [ann, anna] = [await add(PHONE), await add(OTHER)];
    await meet(
      (client) => mergeBy(client, mergeOf(ann, anna)),
      () => arrive(said({ phone: OTHER }, 'STOP')),
    );
    expect(await messagesOf(ann.id)).toEqual([{ text: 'STOP' }]);
    expect((await read(ann.id)).optedOutAt).not.toBeNull();
  });

  test('a merge that is taken back goes to the contact of its number', async () => {
    const [ann, anna] = [await add(PHONE), await add(OTHER)];
    const wish = mergeOf(ann, anna);
    expect((await admin.post('/api/contacts/merges', wish)).status).toBe(200);
    await meet(
      (client) => undoMerge(scopeOn(client, api.workspaceId), { people, secrets }, wish.mergeId),
      () => arrive(said({ phone: OTHER }, 'STOP')),
    );
    expect(await messagesOf(anna.id)).toEqual([{ text: 'STOP' }]);
    expect([(await read(ann.id)).optedOutAt, (await read(anna.id)).optedOutAt !== null]).toEqual([
      null,
      true,
    ]);
  });

  test('a deletion makes a new contact, and its STOP holds for both', async () => {
    const ann = await add(PHONE);
    await meet(
      (client) => removeContacts(scopeOn(client, api.workspaceId), secrets, { contactIds: [ann.id] }),
      () => arrive(said({ phone: PHONE }, 'STOP')),
    );
    const [fresh] = await query<{ id: string }>('SELECT id FROM contacts WHERE opted_out_at IS NOT NULL');
    expect(await messagesOf(fresh!.id)).toEqual([{ text: 'STOP' }]);
    expect((await admin.delete(`/api/contacts/${fresh!.id}`)).status).toBe(200);
    expect((await admin.post(`/api/contacts/${ann.id}/restore`)).status).toBe(200);
    expect((await read(ann.id)).optedOutAt).not.toBeNull();
  });

  test('somebody else who learned the platform id is stored none the less', async () => {
    const [ann, anna] = [await add(PHONE), await add(OTHER)];
    await meet(
      (client) => client.query(`UPDATE contacts SET platform_user_id = 'US.9' WHERE id = $1`, [anna.id]),
      () => arrive(said({ phone: PHONE, userId: 'US.9' }, 'Hello')),
    );
    const messages = await query('SELECT text FROM messages WHERE contact_id = ANY ($1)', [
      [ann.id, anna.id],
    ]);
    expect(messages).toEqual([{ text: 'Hello' }]);
  });
});

test('an opt-out comes back with somebody who writes while another of the group is being added', async () => {
  const { id } = await add(PHONE);
  await arrive(said({ phone: PHONE }, 'STOP'));
  expect((await admin.delete(`/api/contacts/${id}`)).status).toBe(200);
  await meet(
    (client) =>
      client.query(
        `INSERT INTO contacts (id, workspace_id, name, phone) VALUES (gen_random_uuid(), $1, 'Bea', $2)`,
        [api.workspaceId, OTHER],
      ),
    () => arrive(said({ phone: PHONE }, 'Hello'), said({ phone: OTHER }, 'Hi')),
  );
  const contacts = await query(
    'SELECT phone, opted_out_at IS NOT NULL AS "isOptedOut", last_message FROM contacts ORDER BY phone',
  );
  expect(contacts).toEqual([
    { phone: PHONE, isOptedOut: true, last_message: 'Hello' },
    { phone: OTHER, isOptedOut: false, last_message: 'Hi' },
  ]);
});

test('a failure that meets a deletion keeps its opt-out and its hold for the return', async () => {
  const ann = await add(PHONE);
  await meet(
    (client) => removeContacts(scopeOn(client, api.workspaceId), secrets, { contactIds: [ann.id] }),
    () =>
      arrive(
        failed({ phone: PHONE }, { kind: 'opt_out' }),
        failed({ phone: PHONE }, { kind: 'hold_recipient', hours: 24 }),
      ),
  );
  expect(await query('SELECT FROM contacts')).toEqual([]);
  expect((await admin.post(`/api/contacts/${ann.id}/restore`)).status).toBe(200);
  expect((await read(ann.id)).optedOutAt).not.toBeNull();
  expect(await query('SELECT FROM marketing_holds WHERE contact_id = $1', [ann.id])).toHaveLength(1);
});

test('a deletion that waits for a message takes it along, with hold and words', async () => {
  const ann = await add(PHONE);
  const [deleted] = await meet(
    async (client) => {
      await client.query('SELECT FROM contacts WHERE id = $1 FOR NO KEY UPDATE', [ann.id]);
      await client.query(
        `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at)
         SELECT gen_random_uuid(), $1, id, $2, 'in', 'wamid.late', 'text', 'my order', '{}', now() FROM channels WHERE workspace_id = $1`,
        [api.workspaceId, ann.id],
      );
      await client.query(
        `SELECT hold_contacts(ARRAY[$1]::uuid[], ARRAY[$2]::uuid[], ARRAY[now() + interval '1 day'])`,
        [...[api.workspaceId, ann.id]],
      );
    },
    () => admin.delete(`/api/contacts/${ann.id}`),
  );
  expect(deleted.status).toBe(200);
  expect((await admin.post(`/api/contacts/${ann.id}/restore`)).status).toBe(200);
  expect(await messagesOf(ann.id)).toEqual([{ text: 'my order' }]);
  expect(await query('SELECT FROM marketing_holds WHERE contact_id = $1', [ann.id])).toHaveLength(1);
});

describe('a merge by hand and the platform that joins the same contacts', () => {
  test.each([
    ['a new number', changedIdentity({ phone: PHONE }, { newPhone: OTHER })],
    ['a message under both names', said({ phone: OTHER, userId: 'US.1' }, 'Hi')],
  ])('wait for each other, whichever began: %s', async (_, event) => {
    const [ann, anna] = [await add(PHONE), await add(OTHER)];
    await query(`UPDATE contacts SET platform_user_id = 'US.1' WHERE id = $1`, [ann.id]);
    const [merged, joined] = await meet(
      (client) => ownContacts(client, api.workspaceId),
      () => admin.post('/api/contacts/merges', mergeOf(ann, anna)),
      () => arrive(event).then(() => 'stored'),
      // Neither holds a contact while it waits for the workspace.
      () => query('SELECT FROM contacts FOR UPDATE NOWAIT'),
    );
    expect([200, 404, 409]).toContain(merged.status);
    expect(joined).toBe('stored');
    expect(await query('SELECT FROM contacts')).toHaveLength(1);
  });
});

describe('a join by the platform takes its locks in the order of all', () => {
  const join = () => arrive(changedIdentity({ phone: PHONE }, { newPhone: OTHER }));
  const isFree = (id: string) => () =>
    query('SELECT FROM contacts WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [id]);

  test('contacts with the right to delete one, before anything else happens to them', async () => {
    const [ann, anna] = [await add(PHONE), await add(OTHER)];
    await meet(
      // Refers to the first of them, and would meet a later wish to delete it.
      (client) =>
        client.query(
          `INSERT INTO contact_consents (workspace_id, contact_id, kind, source, occurred_at) VALUES ($1, $2, 'opt_in', 'person', now())`,
          [api.workspaceId, ann.id],
        ),
      join,
      isFree(anna.id),
    );
    expect(await query('SELECT FROM contacts')).toHaveLength(1);
  });

  test('recipients before contacts, as the engine does', async () => {
    const [ann, anna] = [await add(PHONE), await add(OTHER)];
    await query(`UPDATE contacts SET window_expires_at = now() + interval '9 hours'`);
    await startCampaign(admin, { audience: { contactIds: [ann.id, anna.id] } });
    await meet(
      (client) => client.query('SELECT FROM delivery_recipients WHERE contact_id = $1 FOR UPDATE', [ann.id]),
      join,
      isFree(ann.id),
      isFree(anna.id),
    );
    expect(await query('SELECT FROM contacts')).toHaveLength(1);
  });
});

/** The same numbers for the same seed, each below 1. */
function createDice(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

longTest.each([1, 2, 3])(
  'webhooks among merges, undos, deletions and returns lose nothing: seed %i',
  async (seed) => {
    const dice = createDice(seed * 7_919);
    const phones = Array.from({ length: 4 }, (_, place) => `+1415555${seed}${300 + place}`);
    for (const phone of phones) await add(phone);
    const pick = <One>(list: readonly One[]): One => list[Math.floor(dice() * list.length)]!; // never empty here
    const contacts = () => query<ArrivedContact>('SELECT id, version FROM contacts ORDER BY id');
    const statuses: number[] = [];
    const act = async (call: () => Promise<{ status: number }>) => statuses.push((await call()).status);

    const ids: string[] = [];
    const hooks = Array.from({ length: 40 }, (_, place) => {
      const messageId = `wamid.race.${seed}.${place}`;
      ids.push(messageId);
      const phone = pick(phones);
      const userId = dice() < 0.3 ? `US.${seed}${phones.indexOf(phone)}` : null;
      return said({ phone, userId }, place % 5 === 0 ? 'STOP' : 'Hi', { messageId });
    });
    const stored = async () => {
      while (hooks.length > 0) await arrive(...hooks.splice(0, 1 + Math.floor(dice() * 3)));
    };
    const staff = async () => {
      while (hooks.length > 0) {
        const known = await contacts();
        const [one, other] = [known.at(0), known.at(-1)];
        if (one === undefined || other === undefined) continue;
        if (dice() < 0.5 && one !== other) {
          const wish = mergeOf(one, other);
          await act(() => admin.post('/api/contacts/merges', wish));
          if (dice() < 0.7) await act(() => admin.post(`/api/contacts/merges/${wish.mergeId}/undo`));
        } else {
          await act(() => admin.delete(`/api/contacts/${one.id}`));
          if (dice() < 0.7) await act(() => admin.post(`/api/contacts/${one.id}/restore`));
        }
      }
    };
    await Promise.all([stored(), stored(), staff()]);

    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    // Each message is in a conversation, or went with a contact that was deleted.
    const rows = await query<{ id: string }>(
      `SELECT provider_message_id AS id FROM messages WHERE contact_id IS NOT NULL
     UNION SELECT m->>'provider_message_id' FROM deleted_contacts, jsonb_array_elements(messages) AS m`,
    );
    expect(ids.filter((id) => !rows.some((row) => row.id === id))).toEqual([]);
    // Nobody who said STOP is open to marketing: no START was said.
    const open = await query(
      `SELECT c.id FROM contacts c JOIN contact_consents w ON w.contact_id = c.id AND w.kind = 'opt_out' WHERE c.opted_out_at IS NULL`,
    );
    expect(open).toEqual([]);
  },
);
