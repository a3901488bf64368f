import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiFixture, type ApiFixture } from './api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

/** The topics that a stream begins with, up to and with the one that is awaited. */
async function readTopics(path: string, until: string, lastEventId?: number): Promise<string[]> {
  const response = await (
    await api.as('viewer')
  ).request(path, { headers: lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) } });
  const reader = response.body?.getReader();
  let text = '';
  while (!text.includes(`event: ${until}\n`)) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) break;
    text += new TextDecoder().decode(chunk.value);
  }
  await reader?.cancel();
  return [...text.matchAll(/^event: (\S+)$/gm)].map(([, topic = '']) => topic);
}

describe('a fresh stream', () => {
  test('begins with what happened while its page was reading, of its own workspace only', async () => {
    await api.liveEvents.publish(api.otherWorkspaceId, 'settings');
    await api.liveEvents.publish(api.workspaceId, 'templates');
    const topics = await readTopics('/api/events?age=500', 'templates');
    expect(topics[0]).toBe('ready');
    expect(topics).toContain('templates');
    expect(topics).not.toContain('settings');
  });

  test('tells nothing old when its page has just begun', async () => {
    await api.db.systemPool.query("UPDATE live_events SET created_at = now() - interval '1 minute'");
    expect(await readTopics('/api/events?age=500', 'ready')).toEqual(['ready']);
    expect(await readTopics('/api/events', 'ready')).toEqual(['ready']);
  });

  test('has its page read everything anew when the past is no longer kept', async () => {
    expect(await readTopics('/api/events?age=99999999', 'resync')).toEqual(['resync']);
  });
});

test('a stream that broke off goes on after the last event that it told', async () => {
  const last = await api.liveEvents.readLastId(api.workspaceId);
  await api.liveEvents.publish(api.workspaceId, 'channels');
  expect(await readTopics('/api/events', 'channels', last)).toContain('channels');
  expect(await readTopics('/api/events', 'resync', 1_000_000_000)).toEqual(['resync']);
});
