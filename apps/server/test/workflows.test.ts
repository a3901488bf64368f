import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, openHostFixture, type HostFixture } from './host-fixture.ts';

const FROM = '+447700911077';
let host: HostFixture;

beforeAll(async () => {
  host = await openHostFixture();
});
afterAll(() => host.close());

type Run = { id: string; status: string; code: string | null };
type Template = { id: string; isSendable: boolean };

it('somebody gets a tag, their phone receives the template, and the log says why', async () => {
  // The platform has approved those of the sample a moment after the start.
  const template = (await eventually(
    async () =>
      (await host.call<{ items: Template[] }>('GET', '/api/templates')).body.items.find(
        ({ isSendable }) => isSendable,
      ),
    (found) => found !== undefined,
  ))!;
  const { body: workflow } = await host.call<{ id: string }>('POST', '/api/workflows', {
    name: 'Welcome',
    triggers: [{ id: 'tagged', type: 'tag_added', config: { tags: ['customer'] } }],
    start: 'say',
    steps: [
      {
        ...{ id: 'say', type: 'send_message' },
        config: {
          ...{ content: 'template', template: template.id },
          variables: { name: '{{contact.first_name | friend}}' },
        },
        next: { done: 'tag' },
      },
      { id: 'tag', type: 'add_tag', config: { tag: 'welcomed' } },
    ],
  });
  const published = await host.call('POST', `/api/workflows/${workflow.id}/publish`, { version: 1 });
  expect(published.status).toBe(200);
  const { body: contact } = await host.call<{ id: string }>('POST', '/api/contacts', {
    ...{ name: 'Ann Lee', phone: FROM, tags: ['Customer'] },
  });

  const run = await eventually(
    async () =>
      (await host.call<{ items: Run[] }>('GET', `/api/workflows/${workflow.id}/runs`)).body.items[0],
    (found) => found !== undefined && found.status !== 'running',
  );
  expect(run).toMatchObject({ status: 'completed', code: null });
  const { body: details } = await host.call<{ log: object[]; triggerValues: object }>(
    ...(['GET', `/api/workflow-runs/${run!.id}`] as const),
  );
  expect(details.triggerValues).toEqual({ tag: 'Customer' });
  expect(details.log).toMatchObject([
    { stepId: 'say', event: 'left', exit: 'done', details: { message_id: expect.any(String) } },
    { stepId: 'tag', event: 'left', exit: 'done' },
  ]);
  const { messages } = await host.sandbox<{ messages: { type: string }[] }>(
    `/_sandbox/whatsapp/messages?recipient=${encodeURIComponent(FROM)}&limit=10`,
  );
  expect(messages).toMatchObject([{ type: 'template' }]);
  const { body: after } = await host.call<{ tags: string[] }>('GET', `/api/contacts/${contact.id}`);
  expect(after.tags).toEqual(['Customer', 'welcomed']);
});
