import { expect, test } from 'vitest';
import type { LiveEvent } from '../../../src/platform/live-events.ts';
import type { ApiCaller } from '../../api-fixture.ts';
import { openArrivals } from '../../arrivals.ts';
import { said } from '../../arriving-events.ts';
import { addCaller } from '../../users/add-person.ts';

const { admin, api, add, arrive } = await openArrivals();
const ana = await addCaller(api, 'agent', 'Ana');
const ben = await addCaller(api, 'agent', 'Ben');
const PHONE = '+14155559001';

type Item = { id: string; kind: string; text: string };
type Brought = { conversationId: string; ids: string[]; items?: Item[] | null };

/** What the stream of a browser brings, until it is stopped. */
async function listen(caller: ApiCaller) {
  const response = await caller.request('/api/events');
  const reader = response.body!.getReader();
  let text = '';
  const reading = (async () => {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
      text += new TextDecoder().decode(chunk.value);
  })();
  await expect.poll(() => text).toContain('event: ready');
  return {
    topics: () => [...text.matchAll(/^event: (\S+)$/gm)].map(([, topic = '']) => topic),
    brought: () =>
      [...text.matchAll(/^event: arrived-messages\ndata: (.*)$/gm)].map(([, data = '']): Brought =>
        JSON.parse(data),
      ),
    async stop() {
      await reader.cancel();
      await reading;
    },
  };
}

const open = async () => {
  const contact = await add(PHONE);
  return (await (await admin.post('/api/conversations', { contactId: contact.id })).json<{ id: string }>())
    .id;
};
const view = async (caller: ApiCaller, id: string) => {
  await caller.post(`/api/conversations/${id}/viewers`, { tab: 'the only tab', state: 'viewing' });
  await expect
    .poll(() => api.parts.viewers.list(api.workspaceId).some(({ conversationId }) => conversationId === id))
    .toBe(true);
};
const textsOf = (all: readonly Brought[]) => all.flatMap(({ items }) => items ?? []).map(({ text }) => text);

test('what a contact writes is brought to whoever shows the conversation, as the chat would read it, and to nobody else', async () => {
  const id = await open();
  await view(ana.caller, id);
  const [hers, his] = [await listen(ana.caller), await listen(ben.caller)];
  await arrive(said({ phone: PHONE }, 'Is it still open?'));
  await expect.poll(() => textsOf(hers.brought())).toEqual(['Is it still open?']);
  // Which messages come is said before the event that names them, so that nobody asks for them.
  const [coming, there] = hers.brought();
  expect(coming).toEqual({ conversationId: id, ids: there!.ids });
  expect(hers.topics().indexOf('arrived-messages')).toBeLessThan(hers.topics().indexOf('messages'));
  const asked = await ana.caller.get(`/api/conversations/${id}/messages?ids=${there!.ids.join(',')}`);
  expect(there!.items).toEqual((await asked.json<{ items: Item[] }>()).items);
  await expect.poll(() => his.topics()).toContain('messages');
  expect(his.brought()).toEqual([]);
  await Promise.all([hers.stop(), his.stop()]);
});

test('each message of a burst is brought once', async () => {
  const id = await open();
  await view(ana.caller, id);
  const stream = await listen(ana.caller);
  const texts = Array.from({ length: 12 }, (_, place) => `word ${place}`);
  for (const text of texts) await arrive(said({ phone: PHONE }, text));
  await expect.poll(() => textsOf(stream.brought()).toSorted()).toEqual(texts.toSorted());
  await stream.stop();
});

test('whoever lost the right to read messages hears of none, though their tab still says that it looks', async () => {
  const id = await open();
  await view(ana.caller, id);
  await api.db.systemPool.query('UPDATE workspaces SET role_permissions = $2 WHERE id = $1', [
    api.workspaceId,
    JSON.stringify({ agent: ['contacts:read'] }),
  ]);
  const stream = await listen(ana.caller);
  await arrive(said({ phone: PHONE }, 'Not for everybody'));
  await expect.poll(() => stream.topics()).toContain('messages');
  await api.liveEvents.publish(api.workspaceId, 'templates');
  await expect.poll(() => stream.topics()).toContain('templates');
  expect(stream.brought()).toEqual([]);
  await api.db.systemPool.query("UPDATE workspaces SET role_permissions = '{}' WHERE id = $1", [
    api.workspaceId,
  ]);
  await stream.stop();
});

test('messages that cannot be read are named as such, so that the browser asks for them', async () => {
  const id = await open();
  await view(ana.caller, id);
  const told: LiveEvent[] = [];
  const stop = api.liveEvents.subscribe(api.workspaceId, (event) => told.push(event));
  await api.db.systemPool.query('DELETE FROM conversations WHERE id = $1', [id]);
  await api.liveEvents.publish(api.workspaceId, 'messages', { conversationIds: [id], arrivedIds: [id] });
  await expect
    .poll(() => told.filter(({ topic }) => topic === 'arrived-messages').map(({ payload }) => payload))
    .toEqual([
      { conversationId: id, ids: [id] },
      { conversationId: id, ids: [id], items: null },
    ]);
  stop();
});
