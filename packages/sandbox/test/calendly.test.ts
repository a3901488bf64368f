import { afterAll, expect, test } from 'vitest';
import { createSandbox } from '../src/sandbox.ts';

const sandbox = createSandbox();
afterAll(() => sandbox.close());

type Answer = { collection: { status: string; old_invitee: string | null; uri: string }[] };
async function ask(path: string, token = 'sandbox-calendly-token') {
  const response = await sandbox.fetch(
    new Request(`http://127.0.0.1/calendly${path}`, { headers: { authorization: `Bearer ${token}` } }),
  );
  return { status: response.status, body: (await response.json()) as Answer };
}

test('lists meetings of an organisation with their invitees, page by page; a moved meeting is two', async () => {
  expect((await ask('/users/me', 'another')).status).toBe(401);
  expect((await ask('/scheduled_events')).status).toBe(400);
  const first = await ask('/scheduled_events?organization=o&count=3');
  expect(first.body.collection).toHaveLength(3);
  const second = await ask('/scheduled_events?organization=o&count=3&page_token=3');
  expect(second.body.collection).toHaveLength(2);
  const [id = ''] = sandbox.calendly.invitees.keys();
  const moved = sandbox.calendly.happen('move', { id }) as { id: string };
  const [old] = (await ask(`/scheduled_events/${id}/invitees`)).body.collection;
  const [fresh] = (await ask(`/scheduled_events/${moved.id}/invitees`)).body.collection;
  expect([old?.status, fresh?.status, fresh?.old_invitee]).toEqual(['canceled', 'active', old?.uri]);
});
