import { newId } from '@app/database/new-id';
import { TYPING_ENDS_MS, VIEW_ENDS_MS } from '@app/domain/conversations/viewer-rules';
import { expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openLiveEvents } from '../../../src/platform/live-events.ts';
import { openViewers } from '../../../src/platform/live/viewers.ts';
import { readErrorBody, type ApiCaller } from '../../api-fixture.ts';
import { openArrivals } from '../../arrivals.ts';
import { addCaller } from '../../users/add-person.ts';

const { admin, api, add } = await openArrivals();
const ana = await addCaller(api, 'agent', 'Ana');

type Viewer = { id: string; name: string; isTyping: boolean };
let phones = 2_000_000;
const open = async () => {
  const contact = await add(`+1415${(phones += 1)}`);
  const opened = await admin.post('/api/conversations', { contactId: contact.id });
  return (await opened.json<{ id: string }>()).id;
};
const say = (caller: ApiCaller, id: string, state: string, tab = 'tab-of-one') =>
  caller.post(`/api/conversations/${id}/viewers`, { tab, state });
const viewersOf = async (id: string, viewers = api.parts.viewers): Promise<Viewer[]> =>
  viewers.list(api.workspaceId).find(({ conversationId }) => conversationId === id)?.people ?? [];
const seen = async (id: string, people: object[]) => {
  await expect.poll(() => viewersOf(id), { interval: 5 }).toEqual(people);
};
const anaViews = { id: ana.id, name: 'Ana Haddad', isTyping: false };

test('who looks and who types is told to every browser when it changes, and only then', async () => {
  const id = await open();
  const told: unknown[] = [];
  const stop = api.liveEvents.subscribe(api.workspaceId, ({ id: eventId, topic, payload }) => {
    if (topic === 'viewers') told.push([eventId, payload]);
  });
  await say(ana.caller, id, 'viewing');
  await seen(id, [anaViews]);
  await say(ana.caller, id, 'viewing');
  await say(ana.caller, id, 'typing');
  await seen(id, [{ ...anaViews, isTyping: true }]);
  await say(ana.caller, id, 'gone');
  await seen(id, []);
  stop();
  const people = (list: object[]) => [null, { conversationId: id, people: list }];
  expect(told).toEqual([people([anaViews]), people([{ ...anaViews, isTyping: true }]), people([])]);
});

test('a tab that is closed leaves the other one of its person', async () => {
  const id = await open();
  await say(ana.caller, id, 'viewing', 'first tab');
  await say(ana.caller, id, 'viewing', 'second tab');
  await say(ana.caller, id, 'gone', 'first tab');
  await seen(id, [anaViews]);
  const other = await open();
  await say(ana.caller, other, 'viewing', 'second tab');
  await seen(other, [anaViews]);
  expect(await viewersOf(id)).toEqual([]);
});

test('who falls silent stops typing, and is gone after that', async () => {
  const id = await open();
  await say(ana.caller, id, 'typing', 'tab that dies');
  await seen(id, [{ ...anaViews, isTyping: true }]);
  api.advance(TYPING_ENDS_MS);
  api.parts.viewers.sweep();
  expect(await viewersOf(id)).toEqual([anaViews]);
  api.advance(VIEW_ENDS_MS);
  api.parts.viewers.sweep();
  expect(await viewersOf(id)).toEqual([]);
});

test('another process knows it as well, and another workspace does not', async () => {
  const id = await open();
  const liveEvents = await openLiveEvents(api.db, () => undefined);
  const elsewhere = openViewers({ liveEvents, clock: api.parts.clock });
  await say(ana.caller, id, 'viewing');
  await expect.poll(() => viewersOf(id, elsewhere)).toEqual([anaViews]);
  const { items } = await (await admin.get('/api/conversation-viewers')).json<{ items: object[] }>();
  expect(items).toContainEqual({ conversationId: id, people: [anaViews] });
  const others = await (await (await api.asOther()).get('/api/conversation-viewers')).json();
  expect(others).toEqual({ items: [] });
  elsewhere.close();
  await liveEvents.close();
});

test('nobody looks at what is not there, or from more tabs than count', async () => {
  expect(await readErrorBody(await say(ana.caller, newId(), 'viewing'))).toMatchObject({
    code: 'conversation_not_found',
  });
  expect((await say(await api.asOther(), await open(), 'viewing')).status).toBe(404);
  const ids = [await open(), await open()] as const;
  await say(ana.caller, ids[0], 'viewing', 'the oldest tab');
  for (let tab = 0; tab < 20; tab += 1) await say(ana.caller, ids[1], 'viewing', `tab number ${tab}`);
  await seen(ids[1], [anaViews]);
  await seen(ids[0], []);
});

longTest('of hundreds who type at once nobody is refused', async () => {
  const ids = await Promise.all([open(), open(), open()]);
  const words = Array.from({ length: 400 }, (_, place) =>
    say(place % 2 ? admin : ana.caller, ids[place % 3]!, 'typing', `tab-number-${place}`),
  );
  const answers = await Promise.all(words);
  expect([...new Set(answers.map(({ status }) => status))].filter((status) => status > 204)).toEqual([]);
  // Somebody who types on is seen.
  await say(ana.caller, ids[0]!, 'typing', 'tab-of-one');
  await seen(ids[0]!, expect.arrayContaining([{ ...anaViews, isTyping: true }]) as unknown as object[]);
});
