import { expect, test } from 'vitest';
import { changedIdentity, said } from '../arriving-events.ts';
import { openArrivals } from '../arrivals.ts';

const { api, arrive, query } = await openArrivals();

const readTold = () =>
  query<{ type: string; name: string; values: Record<string, string[]> }>(
    `SELECT type, actor->>'name' AS name, "values" FROM events WHERE actor->>'name' = 'webhooks' ORDER BY id`,
  );
const readIds = async (table: 'messages' | 'contacts') =>
  (await query<{ id: string }>(`SELECT id FROM ${table}`)).map(({ id }) => id);

test('what a group of events changed is told once for all of its people, and a copy of it not again', async () => {
  await api.facts.catchUp();
  const last = await api.liveEvents.readLastId(api.workspaceId);
  const group = ['+447700900301', '+447700900302', '+447700900302'].map((phone) => said({ phone }, 'Hello'));
  await arrive(...group);
  const [fact, ...others] = await readTold();
  expect(others).toEqual([]);
  expect(fact?.type).toBe('messages.arrived');
  expect(fact?.values['messageIds']?.toSorted()).toEqual((await readIds('messages')).toSorted());
  expect(fact?.values['contactIds']?.toSorted()).toEqual((await readIds('contacts')).toSorted());
  await api.facts.catchUp();
  const heard = await api.liveEvents.readSince(api.workspaceId, last);
  expect(heard?.map(({ topic }) => topic).toSorted()).toEqual(['contacts', 'messages']);
  expect(heard?.find(({ topic }) => topic === 'messages')?.payload).toEqual({
    contactIds: fact?.values['contactIds'],
  });
  await arrive(...group);
  expect(await readTold()).toHaveLength(1);
});

test('a word about marketing and a new number are facts of their own', async () => {
  const before = (await readTold()).length;
  const phone = '+447700900303';
  await arrive(said({ phone }, 'STOP'));
  await arrive(changedIdentity({ phone }, { newPhone: '+447700900304' }));
  const [contactId] = await readIds('contacts');
  const told = (await readTold()).slice(before);
  expect(told.map(({ type }) => type)).toEqual([
    ...['messages.arrived', 'consents.said', 'contacts.platform_changed'],
  ]);
  expect(told[1]?.values).toEqual({ optedOut: [contactId], optedIn: [] });
  expect(told[2]?.values).toEqual({ contactIds: [contactId] });
});
