import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, openHostFixture, type HostFixture } from './host-fixture.ts';

type Template = { id: string; isSendable: boolean };
type Contact = { id: string; version: number };
type Preflight = {
  receiving: number;
  languages: {
    counts: { language: string; count: number }[];
    withoutLanguage: number;
    leftOut: { language: string; reason: string }[];
  } | null;
};

let host: HostFixture;
let english: Template;
const numbers = ['+447700920001', '+447700920002', '+447700920003', '+447700920004'] as const;
const people: Contact[] = [];
const audience = { filter: { tags: ['tongues'] } };

beforeAll(async () => {
  host = await openHostFixture();
  english = await create('en', 'Hello {{name}}, your code is {{code}} today.');
  await create('de', 'Hallo {{name}}, Ihr Code ist heute {{code}}.');
  await create('fr', 'Bonjour {{name}}, voici {{email}} pour vous.');
  await create('es', 'Hola {{name}}, su código es {{code}} hoy.');
  const languages = ['German', 'en_GB', null, 'es'];
  for (const [at, phone] of numbers.entries()) {
    const contact = { name: `Person ${at}`, phone, language: languages[at], tags: ['tongues'] };
    people.push((await host.call<Contact>('POST', '/api/contacts', contact)).body);
  }
  await host.sandbox('/_sandbox/whatsapp/behaviour', { throughputMps: 0, latencyMs: 0 });
});
afterAll(() => host.close());

async function create(language: string, text: string, name = 'Four tongues'): Promise<Template> {
  const components = [{ type: 'body', text }];
  const template = { name, language, status: 'approved', components };
  const { body } = await host.call<Template>('POST', '/api/templates', template);
  return eventually(
    async () => (await host.call<Template>('GET', `/api/templates/${body.id}`)).body,
    ({ isSendable }) => isSendable,
  );
}

const variables = { code: { text: 'SPRING' } };
const inOwn = () => ({ templateId: english.id, inContactLanguage: true });
const preflight = async (message: object) =>
  (await host.call<Preflight>('POST', '/api/campaigns/preflight', { message, audience })).body;

/** The languages and names of the templates that the sandbox took for a number, the oldest first. */
async function arrived(phone: string): Promise<string[]> {
  const { messages } = await host.sandbox<{ messages: { template: { language: { code: string } } }[] }>(
    `/_sandbox/whatsapp/messages?recipient=${encodeURIComponent(phone)}`,
  );
  return messages
    .map((message) => JSON.stringify(message))
    .map((text) => /"code":"(\w+)"/.exec(text)?.[1] ?? text);
}

async function finish(campaignId: string): Promise<void> {
  await eventually(
    async () => (await host.call<{ status: string }>('GET', `/api/campaigns/${campaignId}`)).body,
    ({ status }) => status === 'completed',
  );
}

it('has nothing to count where a template is in one language', async () => {
  const { id } = await create('en', 'Hello {{name}}!', 'One tongue');
  expect(await preflight({ templateId: id, inContactLanguage: true })).toMatchObject({
    ...{ receiving: 4, languages: null },
  });
});

it('counts beforehand who gets which language, and says which languages nobody gets and why', async () => {
  expect(await preflight({ templateId: english.id })).toMatchObject({ receiving: 4, languages: null });
  const { languages } = await preflight(inOwn());
  expect(languages).toEqual({
    ...{ main: 'en', withoutLanguage: 1 },
    counts: [
      { language: 'en', count: 2 },
      { language: 'de', count: 1 },
      { language: 'es', count: 1 },
    ],
    leftOut: [{ language: 'fr', reason: 'other_placeholders' }],
  });
});

it('counts nobody in a language who is left alone because another campaign is about to reach them', async () => {
  await host.database.query(
    `INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, message, category, audience, state)
     SELECT 999, $1, id, gen_random_uuid(), '{}', 'marketing', $2, 'paused' FROM channels WHERE workspace_id = $1 LIMIT 1`,
    [host.workspaceId, JSON.stringify({ contactIds: [people[0]?.id] })],
  );
  const rested = { message: inOwn(), audience: { ...audience, restDays: 2 } };
  const { body } = await host.call<Preflight>('POST', '/api/campaigns/preflight', rested);
  await host.database.query('DELETE FROM delivery_runs WHERE run_no = 999');
  expect(body).toMatchObject({ receiving: 3, languages: { withoutLanguage: 1 } });
  expect(body.languages?.counts).toEqual([
    { language: 'en', count: 2 },
    { language: 'de', count: 0 },
    { language: 'es', count: 1 },
  ]);
});

it('shows each person the language that they will get', async () => {
  const asked = { message: inOwn(), audience, variables };
  const { body } = await host.call<{ messages: { contactId: string; language: string; text: string }[] }>(
    'POST',
    '/api/bulk-messages/preview',
    asked,
  );
  const shown = people.map(({ id }) => body.messages.find(({ contactId }) => contactId === id));
  expect(shown.map((one) => one?.language)).toEqual(['de', 'en', 'en', 'es']);
  expect(shown[0]?.text).toBe('Hallo Person 0, Ihr Code ist heute SPRING.');
});

it('sends everybody their own, in one campaign; a language that is stopped meanwhile falls to the main one', async () => {
  const saved = await host.call<{ id: string; inContactLanguage: boolean }>('POST', '/api/campaigns', {
    ...{ name: 'Tongues', message: inOwn(), audience, variables },
  });
  expect(saved.body.inContactLanguage).toBe(true);
  const { id } = saved.body;
  const stopped = await host.database.query<{ id: string }>(
    `UPDATE templates SET platform_status = 'PAUSED' WHERE name = 'Four tongues' AND language = 'es' RETURNING id`,
  );
  expect(stopped.rowCount).toBe(1);
  expect((await preflight(inOwn())).languages).toMatchObject({
    counts: [
      { language: 'en', count: 3 },
      { language: 'de', count: 1 },
    ],
    leftOut: [
      { language: 'fr', reason: 'other_placeholders' },
      { language: 'es', reason: 'not_sendable' },
    ],
  });
  expect((await host.call('POST', `/api/campaigns/${id}/start`, {})).status).toBe(200);
  await finish(id);
  expect(await Promise.all(numbers.map(arrived))).toEqual([['de'], ['en'], ['en'], ['en']]);
  const { body } = await host.call<{ languages: string[] | null }>('GET', `/api/campaigns/${id}`);
  expect(body.languages).toEqual(['en', 'de']);
});

it('shows the conversation what was sent, also when the contact speaks another language since', async () => {
  const [ann] = people;
  await host.call('PATCH', `/api/contacts/${ann?.id}`, { version: ann?.version, language: 'es' });
  const { body: conversation } = await host.call<{ id: string }>('POST', '/api/conversations', {
    contactId: ann?.id,
  });
  const { body } = await host.call<{ items: { content?: { language: string } | null }[] }>(
    'GET',
    `/api/conversations/${conversation.id}/messages`,
  );
  expect(body.items.flatMap(({ content }) => content?.language ?? [])).toEqual(['de']);
});

it('asks for nothing where there is one language, and programs that say nothing get the chosen one', async () => {
  const alone = await host.call<{ id: string; inContactLanguage: boolean }>('POST', '/api/campaigns', {
    ...{ name: 'Own words', message: { customMessage: 'Hi' }, audience },
  });
  expect(alone.body.inContactLanguage).toBe(false);
  const bulk = await host.call<{ campaignId: string }>('POST', '/api/bulk-messages', {
    ...{ message: { templateId: english.id }, audience, variables },
  });
  await finish(bulk.body.campaignId);
  expect(await Promise.all(numbers.map(arrived))).toEqual([
    ['de', 'en'],
    ['en', 'en'],
    ['en', 'en'],
    ['en', 'en'],
  ]);
});
