import { indexConnectorKinds } from '@app/domain/integrations/connector-kind';
import type { EventOutcome } from '@app/domain/integrations/event-connector';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Integration } from '../../src/integrations/integrations-queries.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { quietConnector } from './quiet-connector.ts';

// PostgreSQL takes neither NUL nor half a character: what a service says with them must hold up no event.
let fixture: ApiFixture;
let admin: ApiCaller;
let answers: EventOutcome[] = [];
let asked: string[] = [];
const key = () => crypto.randomUUID();
beforeAll(async () => {
  const kind = {
    ...quietConnector,
    events: { topics: [{ name: 'newContacts' as const }], perSecond: 10, withoutAnswer: 'again' as const },
    open: (...given: Parameters<typeof quietConnector.open>) => ({
      ...quietConnector.open(...given),
      events: {
        async send({ id, type }: { id: string; type: string }): Promise<EventOutcome> {
          if (type === 'webhook.test') return { outcome: 'sent' };
          asked.push(id);
          return answers.shift() ?? { outcome: 'sent' };
        },
      },
    }),
  };
  fixture = await openApiFixture({ connectorKinds: indexConnectorKinds([kind]) });
  admin = await fixture.as('admin');
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.db.systemPool.query('DELETE FROM integrations');
  asked = [];
  const answer = await admin.post('/api/integrations/quiet/connect', { values: { quietKey: 'key' } }, key());
  if (answer.status !== 200) throw new Error(await answer.text());
});

let numbers = 0;
async function addContact(name: string) {
  const phone = `+4477009${String((numbers += 1)).padStart(5, '0')}`;
  expect((await admin.post('/api/contacts', { name, phone, tags: [] }, key())).status).toBe(200);
}
const read = async () => (await admin.get('/api/integrations/quiet')).json<Integration>();
const statuses = async () =>
  (
    await fixture.db.systemPool.query<{ status: string }>(
      `SELECT status FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE e.integration_id IS NOT NULL ORDER BY line_no`,
    )
  ).rows.map(({ status }) => status);

test('a refusal whose words hold NUL is of its event alone, and is sent once', async () => {
  answers = [{ outcome: 'refused', detail: 'no\0good' }];
  await addContact('Ada');
  await addContact('Bea');
  await expect.poll(statuses).toEqual(['failed', 'delivered']);
  expect(asked).toHaveLength(2);
});

test('a failure whose words are cut within a character pauses the line and is told', async () => {
  const detail = `${'x'.repeat(299)}😀 and more`;
  answers = [
    { outcome: 'failed', problem: 'credentials_wrong', detail, retryAfterMs: null, isUnknown: false },
  ];
  await addContact('Cem');
  await expect.poll(read).toMatchObject({ status: 'error', problem: 'credentials_wrong' });
  expect(asked).toHaveLength(1);
});
