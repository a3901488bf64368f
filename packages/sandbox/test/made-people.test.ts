import { afterAll, expect, test } from 'vitest';
import { createSandbox } from '../src/sandbox.ts';

const sandbox = createSandbox();
afterAll(() => sandbox.close());

async function ask(method: string, path: string, body?: object) {
  const response = await sandbox.fetch(
    new Request(`http://127.0.0.1${path}`, { method, ...(body && { body: JSON.stringify(body) }) }),
  );
  return { status: response.status, body: (await response.json()) as { records: object[] } };
}

test.each(['hubspot', 'salesforce', 'mailchimp', 'shopify', 'calendly'])(
  '%s gets many people by one call, and others by the next',
  async (vendor) => {
    const count = async () => (await ask('GET', `/_sandbox/${vendor}/records`)).body.records.length;
    const before = await count();
    expect((await ask('POST', `/_sandbox/${vendor}/people`, { count: 300 })).status).toBe(200);
    expect((await ask('POST', `/_sandbox/${vendor}/people`, { count: 20 })).status).toBe(200);
    expect(await count()).toBe(before + 320);
    for (const wrong of [0, 1.5, 50_001, 'ten'])
      expect((await ask('POST', `/_sandbox/${vendor}/people`, { count: wrong })).status).toBe(400);
    expect(await count()).toBe(before + 320);
  },
);

test('a service without people takes none', async () => {
  expect(
    (await sandbox.fetch(new Request('http://127.0.0.1/_sandbox/slack/people', { method: 'POST' }))).status,
  ).toBe(404);
});

test('made people of Calendly share meetings, so that thousands of them are read by some hundred calls', async () => {
  await ask('DELETE', '/_sandbox/calendly/records');
  await ask('POST', '/_sandbox/calendly/people', { count: 300 });
  const invitees = [...sandbox.calendly.invitees.values()];
  expect(new Set(invitees.map(({ event }) => event)).size).toBeLessThan(10);
  for (const all of Map.groupBy(invitees, ({ event }) => event).values())
    expect(new Set(all.map(({ startsAt }) => startsAt)).size).toBe(1);
});
