import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { openFlowFixture, step, trigger, type FlowFixture } from './flow-fixture.ts';

let flows: FlowFixture;
let visitor = 0;
beforeAll(async () => {
  flows = await openFlowFixture();
});
afterAll(() => flows.api.close());
beforeEach(() => flows.api.db.systemPool.query('DELETE FROM flows'));

const config = {
  ...{ slug: 'offer', title: 'Our <offer>', consent: 'Send me news.', thanks: 'See you!' },
  fields: [
    { name: 'name', label: 'Name', type: 'text', isRequired: true },
    { name: 'phone', label: 'Phone', type: 'phone', isRequired: true },
    { name: 'size', label: 'Size', type: 'choice', isRequired: false, options: ['S', 'M'] },
  ],
};
const form = (changes: object = {}) => ({
  ...{ triggers: [trigger('form_submission', { ...config, ...changes })], start: 'note' },
  steps: [step('note', 'add_note', { text: 'Size {{trigger.size}}' })],
});
const show = (language = 'en', slug = 'offer') =>
  flows.api.stranger.request(`/forms/${slug}`, { headers: { 'accept-language': language } });
const send = (fields: Record<string, string>, from = `192.0.2.${(visitor += 1)}`) =>
  flows.api.stranger.request('/forms/offer', {
    ...{ method: 'POST', body: new URLSearchParams(fields).toString() },
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-test-address': from },
  });
const filled = (more: Record<string, string> = {}) => ({
  ...{ name: 'Bo', phone: '+49 151 2345 6789', size: 'M', 'form-key': newId() },
  ...more,
});
const runsOf = async (id: string) => {
  await flows.settle();
  return flows.runsOf(id);
};

test('the answers of a form in the chat begin a run with their values, once, and only where they were asked for', async () => {
  const answered = (answers: string[]) => ({
    ...{ triggers: [trigger('form_submission', { source: 'chat', answers })], start: 'field' },
    steps: [step('field', 'add_note', { text: 'Rated {{trigger.answers.rating}}' })],
  });
  const [rated, other] = [await flows.publish(answered(['rating'])), await flows.publish(answered(['size']))];
  const contact = await flows.addContact();
  const messageId = await flows.receive(contact.id, 'Sent', {
    ...{ type: 'flow_reply', name: 'flow', text: 'Sent', answersText: '' },
    answers: { flow_token: 'secret-of-the-flow', rating: '4' },
  });
  await flows.settle();
  await flows.settle();
  expect(await flows.runsOf(other.id)).toEqual([]);
  const [run] = await flows.runsOf(rated.id);
  expect(run?.contact?.id).toBe(contact.id);
  expect(await (await flows.admin.get(`/api/workflow-runs/${run!.id}`)).json()).toMatchObject({
    ...{ triggerType: 'form_submission', status: 'completed' },
    triggerValues: { answers: { rating: '4' }, message_id: messageId },
  });
  expect(JSON.stringify(await (await flows.admin.get(`/api/workflow-runs/${run!.id}`)).json())).not.toContain(
    'secret-of-the-flow',
  );
});

test('the page has the fields in the language of the visitor, and its texts are no markup', async () => {
  await flows.publish(form());
  const answer = await show('de');
  const page = await answer.text();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-security-policy')).toContain('frame-ancestors *');
  for (const part of [
    'lang="de"',
    'Our &lt;offer&gt;',
    'name="phone"',
    'Send me news.',
    'Absenden',
    '<option value="M"',
  ])
    expect(page).toContain(part);
});

test('what is filled in begins a run with the contact, and the ticked consent is recorded with its text', async () => {
  const { id } = await flows.publish(form());
  const answer = await send(filled({ 'opt-in': 'yes' }));
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('See you!')]);
  const [run] = await runsOf(id);
  expect(run).toMatchObject({ status: 'completed', contact: { name: 'Bo', phone: '+4915123456789' } });
  const of = `/api/contacts/${run!.contact!.id}`;
  expect(await (await flows.admin.get(`${of}/consents`)).json()).toMatchObject({
    items: [{ kind: 'opt_in', source: 'form', text: 'Send me news.', recordedBy: 'Flow' }],
  });
  const timeline = await (await flows.admin.get(`${of}/timeline`)).json<{ items: { kind: string }[] }>();
  expect(timeline.items.find(({ kind }) => kind === 'opt_in')).toMatchObject({
    ...{ detail: 'form', fact: null, text: 'Send me news.' },
  });
  const file = await (await flows.admin.get(`${of}/data`)).json<{ consents: object[] }>();
  expect(file.consents).toMatchObject([{ source: 'form', sender: '+4915123456789' }]);
  await send(filled({ name: 'Somebody else' }));
  expect((await runsOf(id)).map(({ contact }) => contact?.name)).toEqual(['Bo', 'Bo']);
});

test('all that is wrong with a form is said at once, also a number that is none', async () => {
  const { id } = await flows.publish(form());
  const answer = await send(filled({ name: ' ', phone: '12', size: 'XL' }));
  const page = await answer.text();
  expect(answer.status).toBe(422);
  expect([...page.matchAll(/id="field-(\w+)-error"/g)].map(([, name]) => name)).toEqual([
    'name',
    'phone',
    'size',
  ]);
  expect(await runsOf(id)).toEqual([]);
});

test('a form does not end the opt-out of a contact whose number a visitor enters', async () => {
  const { id } = await flows.publish(form());
  const phone = '+4915123456780';
  const contact = await flows.addContact({ phone });
  const optOut = { kind: 'opt_out', text: 'STOP' };
  expect((await flows.admin.post(`/api/contacts/${contact.id}/consents`, optOut)).status).toBeLessThan(300);
  await send(filled({ phone, 'opt-in': 'yes' }));
  expect((await runsOf(id)).map((run) => run.contact?.id)).toEqual([contact.id]);
  expect(await (await flows.admin.get(`/api/contacts/${contact.id}`)).json()).toMatchObject({
    optedOutAt: expect.any(String),
  });
});

test('a field called website is for people', async () => {
  const website = { name: 'website', label: 'Website', type: 'text', isRequired: false };
  const { id } = await flows.publish(form({ fields: [...config.fields, website] }));
  const page = await (await show()).text();
  expect([...page.matchAll(/name="([^"]*)"/g)].map(([, name]) => name)).toHaveLength(
    new Set([...page.matchAll(/name="([^"]*)"/g)].map(([, name]) => name)).size,
  );
  await send(filled({ website: 'https://acme.test' }));
  const [run] = await runsOf(id);
  expect(await (await flows.admin.get(`/api/workflow-runs/${run!.id}`)).json()).toMatchObject({
    triggerValues: { website: 'https://acme.test' },
  });
});

test('a form that is sent twice counts once, one that was corrected counts, and one of a robot not at all', async () => {
  const { id } = await flows.publish(form());
  const once = filled();
  for (let time = 0; time < 2; time += 1) expect((await send(once)).status).toBe(200);
  expect(await runsOf(id)).toHaveLength(1);
  expect((await send({ ...once, phone: '+4915123456780' })).status).toBe(200);
  expect((await send(filled({ 'web-site': 'https://spam.example' }))).status).toBe(200);
  expect(await runsOf(id)).toHaveLength(2);
});

test('what is wrong is shown beside its field, with what was filled in, and begins nothing', async () => {
  const { id } = await flows.publish(form());
  for (const [fields, error] of [
    [{ name: '' }, 'field-name-error'],
    [{ phone: '12' }, 'field-phone-error'],
    [{ size: 'XL' }, 'field-size-error'],
  ] as const) {
    const answer = await send(filled(fields));
    const page = await answer.text();
    expect([answer.status, page.includes(`id="${error}"`), page.includes('value="Bo"')]).toEqual([
      ...[422, true, !('name' in fields)],
    ]);
  }
  expect(await runsOf(id)).toHaveLength(0);
});

test('the first wrong field has the focus, and no other', async () => {
  await flows.publish(form());
  const page = await (await send(filled({ name: '', size: 'XL' }))).text();
  const focused = [...page.matchAll(/<(?:input|select|textarea)[^>]*\sautofocus/g)].map(([tag]) => tag);
  expect(focused).toEqual([expect.stringContaining('name="name"')]);
  expect(await (await show()).text()).not.toContain('autofocus');
});

test('one network address sends so many forms', async () => {
  const { id } = await flows.publish(form());
  const statuses: number[] = [];
  for (let count = 0; count < 22; count += 1) statuses.push((await send(filled(), '198.51.100.7')).status);
  expect([statuses.slice(0, 20).every((status) => status === 200), ...statuses.slice(20)]).toEqual([
    true,
    429,
    429,
  ]);
  expect((await send(filled())).status).toBe(200);
  expect(await runsOf(id)).toHaveLength(21);
});

describe('an address', () => {
  test('is there as long as its workflow is active', async () => {
    const { id } = await flows.publish(form());
    await flows.admin.post(`/api/workflows/${id}/pause`);
    expect([(await show()).status, (await send(filled())).status, (await show('en', 'none')).status]).toEqual(
      [404, 404, 404],
    );
    await flows.admin.post(`/api/workflows/${id}/activate`);
    expect((await show()).status).toBe(200);
  });

  test('belongs to one workflow, and goes with it', async () => {
    const { id } = await flows.publish(form());
    const other = await (
      await flows.admin.post('/api/workflows', { name: 'Other', ...form() })
    ).json<{ id: string }>();
    const publish = () => flows.admin.post(`/api/workflows/${other.id}/publish`, { version: 1 });
    expect(await (await publish()).json()).toMatchObject({
      error: { code: 'workflow_invalid', details: { issues: [{ field: 'triggers.begin.slug' }] } },
    });
    await flows.admin.delete(`/api/workflows/${id}`);
    expect((await publish()).status).toBe(200);
  });
});
