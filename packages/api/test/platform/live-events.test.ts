import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '@app/database/database';
import { LISTENER_NAME } from '@app/database/keep-listening';
import pg from 'pg';
import { openLiveEvents, storeLiveEvents } from '../../src/platform/live-events.ts';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
// What one test could not tell at once is told later: each has events of its own.
beforeEach(async () => {
  api = await openApiFixture();
});
afterEach(() => api.close());

/** The topics that a stream begins with, up to and with the one that is awaited. */
async function readTopics(
  path: string,
  until: string,
  lastEventId?: number,
  onOpen: () => unknown = () => undefined,
): Promise<string[]> {
  const response = await (
    await api.as('viewer')
  ).request(path, { headers: lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) } });
  const reader = response.body?.getReader();
  let text = '';
  while (!text.includes(`event: ${until}\n`)) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) break;
    if (!text.includes('event:') && new TextDecoder().decode(chunk.value).includes('event:')) await onOpen();
    text += new TextDecoder().decode(chunk.value);
  }
  await reader?.cancel();
  return [...text.matchAll(/^event: (\S+)$/gm)].map(([, topic = '']) => topic);
}

test('names of who looks at what are told to those alone who may ask for them', async () => {
  await api.db.systemPool.query('UPDATE workspaces SET role_permissions = $2 WHERE id = $1', [
    api.workspaceId,
    JSON.stringify({ viewer: ['contacts:read'] }),
  ]);
  const tell = () => {
    api.liveEvents.tellHere(api.workspaceId, 'viewers', { conversationId: 'one', people: [] });
    return api.liveEvents.publish(api.workspaceId, 'templates');
  };
  expect(await readTopics('/api/events', 'templates', undefined, tell)).not.toContain('viewers');
  await api.db.systemPool.query("UPDATE workspaces SET role_permissions = '{}' WHERE id = $1", [
    api.workspaceId,
  ]);
  expect(await readTopics('/api/events', 'templates', undefined, tell)).toContain('viewers');
});

describe('a fresh stream', () => {
  test('begins with what happened while its page was reading, of its own workspace only', async () => {
    await api.liveEvents.publish(api.otherWorkspaceId, 'settings');
    await api.liveEvents.publish(api.workspaceId, 'templates');
    const topics = await readTopics('/api/events?age=60000', 'templates');
    expect(topics[0]).toBe('ready');
    expect(topics).toContain('templates');
    expect(topics).not.toContain('settings');
  });

  test('tells nothing old when its page has just begun', async () => {
    await api.liveEvents.publish(api.workspaceId, 'templates');
    await api.db.systemPool.query("UPDATE live_events SET created_at = now() - interval '1 minute'");
    expect(await readTopics('/api/events?age=500', 'ready')).toEqual(['ready']);
    expect(await readTopics('/api/events', 'ready')).toEqual(['ready']);
  });

  test('has its page read everything anew when the past is no longer kept', async () => {
    expect(await readTopics('/api/events?age=99999999', 'resync')).toEqual(['resync']);
  });
});

test('a stream that broke off goes on after the last event that it told', async () => {
  await api.liveEvents.publish(api.workspaceId, 'templates');
  const last = await api.liveEvents.readLastId(api.workspaceId);
  await api.liveEvents.publish(api.workspaceId, 'channels');
  expect(await readTopics('/api/events', 'channels', last)).toContain('channels');
  expect(await readTopics('/api/events', 'resync', 1_000_000_000)).toEqual(['resync']);
});

test('a stream that nobody reads ends, and whoever comes back reads everything anew', async () => {
  const first = await api.liveEvents.readLastId(api.workspaceId);
  const stream = await (await api.as('viewer')).request('/api/events');
  const reader = stream.body!.getReader();
  await reader.read(); // it is open
  const signs = Array.from({ length: 300 }, (_, place) => ({
    topic: 'contacts' as const,
    payload: { place, text: 'x'.repeat(5_000) },
  }));
  let heard = 0;
  api.liveEvents.subscribe(api.workspaceId, ({ topic }) => (heard += Number(topic === 'contacts')));
  await storeLiveEvents(api.db.systemPool, api.workspaceId, signs);
  await expect.poll(() => heard).toBe(signs.length);
  let size = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
    size += chunk.value.byteLength;
  expect(size).toBeGreaterThan(1_000_000);
  expect(size).toBeLessThan(1_100_000);
  expect(await readTopics('/api/events', 'resync', first + 1)).toEqual(['resync']);
});

describe('while events cannot be told', () => {
  test('a saved change is answered as saved', async () => {
    const admin = await api.as('admin');
    await api.db.systemPool.query('ALTER TABLE live_events RENAME TO live_events_away');
    try {
      const answer = await admin.post('/api/contacts', { name: 'Ann', phone: '+447700900001' });
      expect(answer.status).toBe(200);
    } finally {
      await api.db.systemPool.query('ALTER TABLE live_events_away RENAME TO live_events');
    }
  });

  test('they are kept and told when the database has time again, each once', async () => {
    const db = await openDatabase({ url: api.databaseUrl, poolSize: 2 });
    const liveEvents = await openLiveEvents(db, () => undefined);
    const told: string[] = [];
    liveEvents.subscribe(api.workspaceId, ({ topic }) => told.push(topic));
    const held = await db.systemPool.connect();
    db.systemPool.options.connectionTimeoutMillis = 100;
    await liveEvents.publish(api.workspaceId, 'progress');
    await liveEvents.publish(api.workspaceId, 'channels');
    expect(told).toEqual([]);
    held.release();
    await expect.poll(() => told).toEqual(['progress', 'channels']);
    await liveEvents.close();
    await db.close();
  });

  test('none that comes later overtakes them: the last that is told of a campaign is its last state', async () => {
    const db = await openDatabase({ url: api.databaseUrl, poolSize: 2 });
    const liveEvents = await openLiveEvents(db, () => undefined);
    const told: unknown[] = [];
    liveEvents.subscribe(api.workspaceId, ({ payload }) => told.push(payload['state']));
    const held = await db.systemPool.connect();
    db.systemPool.options.connectionTimeoutMillis = 100;
    const progress = (state: string) => liveEvents.publish(api.workspaceId, 'campaign-progress', { state });
    await progress('running');
    held.release();
    await progress('completed');
    await expect.poll(() => told).toContain('running');
    await expect.poll(() => told).toEqual(['running', 'completed']);
    await liveEvents.close();
    await db.close();
  });
});

test('an open stream whose process lost its connection has its page read everything anew', async () => {
  const admin = new pg.Client({ connectionString: api.databaseUrl });
  await admin.connect();
  const endListener = () =>
    admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
      [LISTENER_NAME],
    );
  // News of the sign-in may come between the two.
  const topics = await readTopics('/api/events', 'resync', undefined, endListener).finally(() => admin.end());
  expect([topics[0], topics.at(-1)]).toEqual(['ready', 'resync']);
});

test('of more events than can be kept, all pages learn that they read everything anew, here and elsewhere', async () => {
  const db = await openDatabase({ url: api.databaseUrl, poolSize: 2 });
  const liveEvents = await openLiveEvents(db, () => undefined);
  const last = await api.liveEvents.readLastId(api.workspaceId);
  const elsewhere: string[] = [];
  const ofOthers: string[] = [];
  let gaps = 0;
  api.liveEvents.subscribe(api.workspaceId, ({ topic }) => elsewhere.push(topic));
  api.liveEvents.subscribe(api.otherWorkspaceId, ({ topic }) => ofOthers.push(topic));
  liveEvents.subscribe(
    api.workspaceId,
    () => undefined,
    () => (gaps += 1),
  );
  const held = await db.systemPool.connect();
  db.systemPool.options.connectionTimeoutMillis = 300;
  await liveEvents.publish(api.otherWorkspaceId, 'channels');
  await Promise.all(Array.from({ length: 1_001 }, () => liveEvents.publish(api.workspaceId, 'progress')));
  expect(gaps).toBe(1);
  held.release();
  await expect.poll(() => elsewhere).toContain('resync');
  expect(elsewhere).not.toContain('progress');
  expect(ofOthers).toEqual(['channels']);
  expect(await readTopics('/api/events', 'resync', last)).toContain('resync');
  await liveEvents.close();
  await db.close();
});
