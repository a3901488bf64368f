import { describe, expect, test } from 'vitest';
import { eventually } from '../screen.tsx';
import { Outbox, OutboxFull, type OutboxParts, type TabNews } from '../../src/shared/outbox/outbox.ts';
import { openMemoryStore } from '../../src/shared/outbox/outbox-store.ts';

const OFFLINE = new TypeError('no connection');
class Refused extends Error {}

/** A browser with any number of tabs, and a server that does each key once. */
function openBrowser() {
  const store = openMemoryStore();
  const tabs: ((news: TabNews) => void)[] = [];
  let alone: Promise<unknown> = Promise.resolve();
  let keys = 0;
  const server = {
    isAway: false,
    losesAnswers: false,
    refuses: false,
    arrived: [] as string[],
    done: new Map<string, string>(),
    calls: 0,
  };
  const send: OutboxParts['send'] = async ({ id, content }) => {
    server.calls += 1;
    await Promise.resolve();
    if (server.isAway) throw OFFLINE;
    if (server.refuses) throw new Refused('window_closed');
    if (!server.done.has(id)) {
      server.done.set(id, `message ${id}`);
      server.arrived.push('text' in content ? content.text : '');
    }
    if (server.losesAnswers) throw OFFLINE;
    return server.done.get(id)!;
  };
  const openTab = (owner = 'acme:ann') => {
    const own: { hear?: (news: TabNews) => void } = {};
    return new Outbox({
      ...{
        owner,
        store,
        send,
        now: () => 1_000,
        newKey: () => `key ${String((keys += 1)).padStart(3, '0')}`,
      },
      readFailure: (error) => ({
        ...{ code: error === OFFLINE ? 'offline' : 'window_closed', field: null, values: {}, issues: [] },
        isUnanswered: error === OFFLINE,
      }),
      whileAlone: (work) => (alone = alone.then(work)) as Promise<void>,
      tabs: {
        tell: (news) => tabs.filter((hear) => hear !== own.hear).forEach((hear) => hear(news)),
        listen(hear) {
          own.hear = hear;
          tabs.push(hear);
        },
      },
    });
  };
  return { store, server, openTab };
}

const statesOf = (outbox: Outbox, id = 'one') => outbox.itemsOf(id).map(({ state }) => state);

describe('an outbox', () => {
  test('shows a message at once, and sends it', async () => {
    const { server, store, openTab } = openBrowser();
    const outbox = openTab();
    const adding = outbox.add('one', { text: 'Hi' });
    await adding;
    expect(outbox.itemsOf('one')).toHaveLength(1);
    await eventually(() => expect(statesOf(outbox)).toEqual(['sent']));
    expect(outbox.itemsOf('one')[0]?.messageId).toBe('message key 001');
    expect(await store.readAll()).toEqual([]);
    expect(server.arrived).toEqual(['Hi']);
  });

  test('keeps the order of a conversation', async () => {
    const { server, openTab } = openBrowser();
    const outbox = openTab();
    for (const text of ['1', '2', '3', '4']) await outbox.add('one', { text });
    await eventually(() => expect(server.arrived).toEqual(['1', '2', '3', '4']));
  });

  test('waits without a connection, and goes on where it was after the page was loaded anew', async () => {
    const { server, openTab } = openBrowser();
    server.isAway = true;
    const before = openTab();
    await before.add('one', { text: 'Hi' });
    await eventually(() => expect(server.calls).toBeGreaterThan(0));
    await eventually(() => expect(statesOf(before)).toEqual(['pending']));
    server.isAway = false;
    const after = openTab();
    await eventually(() => expect(statesOf(after)).toEqual(['sent']));
    before.wake();
    await eventually(() => expect(statesOf(before)).toEqual(['sent']));
    expect(server.arrived).toEqual(['Hi']);
  });

  test('sends once from many tabs, whose answers get lost', async () => {
    const { server, openTab } = openBrowser();
    server.losesAnswers = true;
    const tabs = [openTab(), openTab(), openTab()];
    await tabs[0]!.add('one', { text: 'Hi' });
    await eventually(() => expect(server.arrived).toEqual(['Hi']));
    tabs.forEach((tab) => tab.wake());
    server.losesAnswers = false;
    tabs.forEach((tab) => tab.wake());
    await eventually(() => tabs.forEach((tab) => expect(statesOf(tab)).toEqual(['sent'])));
    expect(server.arrived).toEqual(['Hi']);
  });

  test('shows a refusal, lets later messages pass, and sends again when somebody wants it', async () => {
    const { server, openTab } = openBrowser();
    server.refuses = true;
    const outbox = openTab();
    await outbox.add('one', { text: 'Hi' });
    await eventually(() => expect(statesOf(outbox)).toEqual(['failed']));
    expect(outbox.itemsOf('one')[0]?.failure).toMatchObject({ code: 'window_closed' });
    server.refuses = false;
    await outbox.add('one', { text: 'Later' });
    await eventually(() => expect(server.arrived).toEqual(['Later']));
    await outbox.retry(outbox.itemsOf('one')[0]!.id);
    await eventually(() => expect(server.arrived).toEqual(['Later', 'Hi']));
  });

  test('forgets what somebody takes back before it left', async () => {
    const { server, openTab } = openBrowser();
    server.isAway = true;
    const outbox = openTab();
    await outbox.add('one', { text: 'Oops' });
    await eventually(() => expect(server.calls).toBeGreaterThan(0));
    await eventually(async () => expect(await outbox.discard(outbox.itemsOf('one')[0]!.id)).toBe(true));
    server.isAway = false;
    outbox.wake();
    await outbox.add('one', { text: 'Hi' });
    await eventually(() => expect(server.arrived).toEqual(['Hi']));
  });

  test('makes a message of each file, and of what is for later nothing that is shown', async () => {
    const { server, openTab } = openBrowser();
    server.isAway = true;
    const outbox = openTab();
    const file = new Blob(['x']);
    await outbox.add('one', { files: [1, 2].map((n) => ({ file, name: `${n}.png` })), replyTo: 'quoted' });
    const contents = outbox.itemsOf('one').map(({ content }) => content);
    expect(contents).toMatchObject([
      { file: { name: '1.png' }, replyTo: 'quoted' },
      { file: { name: '2.png' } },
    ]);
    expect(contents[1]).not.toHaveProperty('replyTo');
    server.isAway = false;
    await outbox.add('two', { text: 'Later', sendAt: '2030-01-01T00:00:00Z' });
    await eventually(() => expect(server.arrived).toContain('Later'));
    await eventually(() => expect(outbox.itemsOf('two')).toEqual([]));
  });

  test('leaves nothing to the next person', async () => {
    const { server, store, openTab } = openBrowser();
    server.isAway = true;
    await openTab().add('one', { text: 'Mine' });
    const other = openTab('acme:bob');
    await eventually(async () => expect(await store.readAll()).toEqual([]));
    expect(other.itemsOf('one')).toEqual([]);
  });

  test('keeps what the same person wrote in another workspace, and sends it from a tab of that one alone', async () => {
    const { server, store, openTab } = openBrowser();
    await store.put({
      ...{ id: 'left', owner: 'acme:ann', conversationId: 'one', content: { text: 'For Acme' } },
      ...{ at: 1, state: 'pending' },
    });
    const other = openTab('other:ann');
    await other.add('two', { text: 'For the other' });
    await eventually(() => expect(statesOf(other, 'two')).toEqual(['sent']));
    expect(other.itemsOf('one')).toEqual([]);
    expect(server.arrived).toEqual(['For the other']);
    expect((await store.readAll()).map(({ owner }) => owner)).toEqual(['acme:ann']);
    openTab('acme:ann');
    await eventually(() => expect(server.arrived).toEqual(['For the other', 'For Acme']));
  });

  test('says when the browser has no room', async () => {
    const { openTab } = openBrowser();
    const file = new Blob([new Uint8Array(101 * 1024 * 1024)]);
    const adding = openTab().add('one', { files: [1, 2, 3].map(() => ({ file, name: 'a.mp4' })) });
    await expect(adding).rejects.toThrow(OutboxFull);
  });
});
