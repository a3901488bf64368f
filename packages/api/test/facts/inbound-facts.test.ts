import { expect, test } from 'vitest';
import { formatDeliveryTag } from '@app/domain/delivery/delivery-tag';
import type { RejectionAction } from '@app/domain/messaging/rejection';
import { changedIdentity, failed, said } from '../arriving-events.ts';
import { openArrivals } from '../arrivals.ts';

const { api, admin, arrive, query } = await openArrivals();

const readEmitted = () =>
  query<{ type: string; name: string; values: Record<string, string[]> }>(
    `SELECT type, actor->>'name' AS name, "values" FROM events WHERE actor->>'name' = 'webhooks' ORDER BY id`,
  );
const readIds = async (table: 'messages' | 'contacts' | 'conversations') =>
  (await query<{ id: string }>(`SELECT id FROM ${table}`)).map(({ id }) => id);

test('what a group of events changed is told once for all of its people, and a copy of it not again', async () => {
  await api.facts.catchUp();
  const last = await api.liveEvents.readLastId(api.workspaceId);
  const group = ['+447700900301', '+447700900302', '+447700900302'].map((phone) => said({ phone }, 'Hello'));
  await arrive(...group);
  const [created, fact, ...others] = await readEmitted();
  expect(created?.type).toBe('contacts.created');
  expect(created?.values['contactIds']?.toSorted()).toEqual((await readIds('contacts')).toSorted());
  expect(others.map(({ type }) => type)).toEqual(['conversations.opened']);
  expect(fact?.type).toBe('messages.arrived');
  expect(fact?.values['messageIds']?.toSorted()).toEqual((await readIds('messages')).toSorted());
  expect(fact?.values['contactIds']?.toSorted()).toEqual((await readIds('contacts')).toSorted());
  await api.facts.catchUp();
  const heard = await api.liveEvents.readSince(api.workspaceId, last);
  expect(heard?.map(({ topic }) => topic).toSorted()).toEqual(['contacts', 'messages', 'notifications']);
  expect(heard?.find(({ topic }) => topic === 'messages')?.payload).toEqual({
    conversationIds: fact?.values['conversationIds'],
    arrivedIds: fact?.values['messageIds'],
  });
  expect(fact?.values['conversationIds']?.toSorted()).toEqual((await readIds('conversations')).toSorted());
  await arrive(...group);
  expect(await readEmitted()).toHaveLength(3);
});

test('a word about marketing and a new number are facts of their own', async () => {
  const before = (await readEmitted()).length;
  const phone = '+447700900303';
  await arrive(said({ phone }, 'STOP'));
  await arrive(changedIdentity({ phone }, { newPhone: '+447700900304' }));
  const [contactId] = await readIds('contacts');
  const told = (await readEmitted()).slice(before);
  expect(told.map(({ type }) => type)).toEqual([
    ...['contacts.created', 'messages.arrived', 'conversations.opened'],
    ...['consents.said', 'contacts.platform_changed'],
  ]);
  expect(told[3]?.values).toEqual({ optedOut: [contactId], optedIn: [] });
  expect(told[4]?.values).toEqual({ contactIds: [contactId] });
});

test('what failed campaign messages say is told with the group: opt-outs, holds, and the campaign that they paused', async () => {
  const [ann, ben, cid] = ['+447700900311', '+447700900312', '+447700900313'] as const;
  for (const phone of [ann, ben, cid]) await arrive(said({ phone }, 'Hello'));
  const sent = await admin.post('/api/bulk-messages', {
    ...{ message: { customMessage: 'News' }, variables: {}, audience: { filter: {} } },
  });
  const { campaignId } = await sent.json<{ campaignId: string }>();
  const recipients = await query<{ run_no: number; seq: number; address: string; contact_id: string }>(
    `SELECT run_no::int, seq, address, contact_id FROM delivery_recipients ORDER BY seq`,
  );
  const of = (phone: string) => recipients.find(({ address }) => address === phone)!; // it was sent to all of them
  const fail = (phone: string, action: RejectionAction) =>
    failed({ phone }, action, {
      tag: formatDeliveryTag({ runNo: of(phone).run_no, seq: of(phone).seq, attempt: 1 }),
    });
  await api.facts.catchUp();
  const last = await api.liveEvents.readLastId(api.workspaceId);
  const before = (await readEmitted()).length;
  const group = [
    fail(ann, { kind: 'opt_out' }),
    fail(ben, { kind: 'hold_recipient', hours: 24 }),
    fail(cid, { kind: 'stop_campaign', recipient: 'failed' }),
  ];
  await arrive(...group);
  const told = (await readEmitted()).slice(before).map(({ type, values }) => ({ type, values }));
  expect(told).toEqual([
    { type: 'campaign.run_changed', values: { state: 'paused', reason: 'campaign_stopped' } },
    { type: 'consents.said', values: { optedOut: [of(ann).contact_id], optedIn: [] } },
    { type: 'contacts.platform_changed', values: { contactIds: [of(ben).contact_id] } },
  ]);
  // An open page of the contact reads anew, and so does the campaign's.
  await api.facts.catchUp();
  const heard = (await api.liveEvents.readSince(api.workspaceId, last))?.map(({ topic, payload }) => ({
    topic,
    payload,
  }));
  expect(heard).toContainEqual({ topic: 'contacts', payload: {} });
  expect(heard).toContainEqual({ topic: 'campaigns', payload: { campaignId } });
  const contact = await (
    await admin.get(`/api/contacts/${of(ann).contact_id}`)
  ).json<{ optedOutAt: string | null }>();
  expect(contact.optedOutAt).not.toBeNull();
  // The platform tells it again: nothing happened.
  await arrive(...group);
  expect(await readEmitted()).toHaveLength(before + told.length);
});

test('whoever is erased is taken out of the facts that list people, and out of no other', async () => {
  const phones = ['+447700900321', '+447700900322'] as const;
  const before = (await readEmitted()).length;
  await arrive(...phones.map((phone) => said({ phone }, 'STOP')));
  await query(
    `INSERT INTO fact_dead_letters (consumer, event_id, workspace_id, type, subject_kind, fact, error)
     SELECT 'somebody', id, workspace_id, type, subject_kind, jsonb_build_object('values', "values"), 'Error' FROM events
      WHERE type = 'consents.said'`,
  );
  const [gone, stays] = await Promise.all(
    phones.map(
      async (phone) =>
        (await query<{ id: string }>('SELECT id FROM contacts WHERE phone = $1', [phone]))[0]!.id,
    ),
  );
  expect((await admin.post(`/api/contacts/${gone}/erase`)).status).toBe(200);
  for (const table of ['events', 'fact_dead_letters', 'activities']) {
    const text = JSON.stringify(await query(`SELECT kept::text FROM ${table} AS kept`));
    expect([table, text.includes(gone!)]).toEqual([table, false]);
  }
  const [created, arrived, opened, words] = (await readEmitted()).slice(before);
  expect(created?.values).toEqual({ contactIds: [stays] });
  expect(arrived?.values).toEqual({
    messageIds: [expect.any(String), expect.any(String)],
    buttonIds: [null, null],
    contactIds: [stays],
    conversationIds: [expect.any(String), expect.any(String)],
  });
  expect(opened?.values['contactIds']).toEqual([stays]);
  expect(words?.values).toEqual({ optedOut: [stays], optedIn: [] });
});
