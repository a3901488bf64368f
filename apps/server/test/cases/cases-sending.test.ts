import { readFileSync } from 'node:fs';
import { formatDeliveryTag } from '@app/domain/delivery/delivery-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, openHostFixture, wrapValue, type HostFixture } from '../host-fixture.ts';

type Person = { name: string; phone: string; customFields?: Record<string, string> };
type Campaign = {
  id: string;
  status: string;
  counts: Record<'total' | 'sent' | 'failed' | 'cancelled', number>;
};
type Recipient = {
  phone: string;
  outcome: string;
  errorCode: string | null;
  explanation: string | null;
};
type Sent = { text: { type: string; body?: unknown }; status: string; failure: unknown };

let host: HostFixture;
beforeAll(async () => {
  host = await openHostFixture();
});
afterAll(() => host.close());

const readCase = <Case>(name: string): Case =>
  JSON.parse(
    readFileSync(new URL(`../../../../packages/api/test/cases/inputs/${name}`, import.meta.url), 'utf8'),
  ) as Case; // a file of ours

async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await host.call<Answer>(method, path, body);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return answer.body;
}

async function addPeople(people: readonly Person[]): Promise<string[]> {
  const ids: string[] = [];
  for (const person of people) ids.push((await ask<{ id: string }>('POST', '/api/contacts', person)).id);
  return ids;
}

const addField = (label: string) => ask('POST', '/api/custom-fields', { label, type: 'text' });

async function addTemplate(name: string, template: object): Promise<string> {
  const { id } = await ask<{ id: string }>('POST', '/api/templates', {
    name,
    status: 'approved',
    ...template,
  });
  await eventually(
    () => ask<{ isSendable: boolean }>('GET', `/api/templates/${id}`),
    ({ isSendable }) => isSendable,
  );
  return id;
}

/** Sends to these contacts and waits for the end. */
async function campaignTo(contactIds: string[], message: object, flags: object = {}): Promise<Campaign> {
  const draft = { name: 'Case', message, audience: { contactIds } };
  const { id } = await ask<Campaign>('POST', '/api/campaigns', draft);
  await ask('POST', `/api/campaigns/${id}/start`, flags);
  return eventually(
    () => ask<Campaign>('GET', `/api/campaigns/${id}`),
    ({ status }) => status !== 'running',
  );
}

const recipientsOf = async ({ id }: Campaign) =>
  (await ask<{ items: Recipient[] }>('GET', `/api/campaigns/${id}/recipients?limit=100`)).items;

describe('values of one person', () => {
  type Case = {
    fields: string[];
    template: object;
    contacts: (Person & { customFields: Record<string, string> })[];
    expect: { campaign: { status: string; failed: number; sent: number } };
  };
  const one = readCase<Case>('campaign-with-one-value-too-long.json');
  let templateId: string;
  let nextNumber = 4_915_130_720_000;

  beforeAll(async () => {
    for (const label of one.fields) await addField(label);
    templateId = await addTemplate('Values of one', one.template);
  });

  test('campaign-with-one-value-too-long.json', async () => {
    const campaign = await campaignTo(await addPeople(one.contacts), { templateId });
    const { status, ...counts } = one.expect.campaign;
    expect(campaign).toMatchObject({ status, counts });
    const failed = (await recipientsOf(campaign)).filter(({ outcome }) => outcome === 'failed');
    expect(failed).toMatchObject([{ phone: one.contacts[2]!.phone, errorCode: '132005' }]);
    expect(failed[0]!.explanation).toMatch(/too long/);
  });

  test.each([
    ['line breaks and tabs', 'a\nb\r\n\tc', 6],
    ['many spaces', 'a         b', 6],
    ['a sign of the other direction', 'שלום\u200f', 6],
    ['a value that looks like a placeholder', '{{name}}', 6],
    ['a family of emoji', '👩‍👩‍👧‍👦'.repeat(10), 6],
    ['only spaces', '   ', 5],
    ['only line breaks', '\n\r\n', 5],
    ['nothing', undefined, 5],
    ['500 letters beside 500 others', 'n'.repeat(500), 5],
  ])('%s in a value of one: the others get it, and nobody reads a placeholder', async (_, note, sent) => {
    const start = (nextNumber += 10);
    const people = Array.from({ length: 6 }, (_, place) => ({
      name: `Value ${place}`,
      phone: `+${start + place}`,
      customFields: {
        order_ref: place === 3 && note?.length === 500 ? note : `B${place}`,
        ...(place !== 3 ? { note: 'ok' } : note === undefined ? {} : { note }),
      },
    }));
    const campaign = await campaignTo(await addPeople(people), { templateId });
    expect(campaign).toMatchObject({ status: 'completed', counts: { total: 6, sent, failed: 6 - sent } });
    const texts = await Promise.all(people.map(({ phone }) => textsTo(phone)));
    for (const text of texts.flat()) if (note !== '{{name}}') expect(text).not.toContain('{{');
    expect(texts.map((of) => of.length)).toEqual([1, 1, 1, sent === 6 ? 1 : 0, 1, 1]);
  });
});

/** What the sandbox delivered to a number. */
async function textsTo(phone: string): Promise<string[]> {
  const { messages } = await host.sandbox<{ messages: Sent[] }>(
    `/_sandbox/whatsapp/messages?recipient=${encodeURIComponent(phone)}`,
  );
  return messages.map((message) => JSON.stringify(message));
}

describe('reports of one message', () => {
  type Case = {
    contacts: Person[];
    statuses: string[];
    failure: { code: number; title: string };
    expect: { recipient: { outcome: string; errorCode: string | null } };
  };
  const one = readCase<Case>('statuses-delivered-then-failed.json');
  let nextPlace = 10;

  test.each([
    ['as they come', ['delivered', 'failed']],
    ['the failure first', ['failed', 'delivered']],
    ['read without delivered', ['failed', 'read']],
    ['the failure twice', ['failed', 'delivered', 'failed']],
  ])('statuses-delivered-then-failed.json, %s', async (order, statuses) => {
    await host.sandbox('/_sandbox/whatsapp/behaviour', { deliveredRate: 0 });
    const phone = one.contacts[0]!.phone.slice(0, -2) + String((nextPlace += 1));
    const [contactId] = await addPeople([{ ...one.contacts[0]!, phone }]);
    const templateId = await addTemplate(`Reports ${order}`, {
      components: [{ type: 'body', text: 'Hello' }],
    });
    const campaign = await campaignTo([contactId!], { templateId });
    const { rows } = await host.database.query<{ id: string }>(
      'SELECT provider_message_id AS id FROM delivery_recipients WHERE contact_id = $1',
      [contactId],
    );
    const now = Math.floor(Date.now() / 1000);
    const run = await tagOf(contactId!);
    for (const [place, status] of statuses.entries())
      await host.deliver(
        wrapValue({
          statuses: [
            {
              ...{ id: rows[0]!.id, status, timestamp: String(now + place), recipient_id: phone.slice(1) },
              biz_opaque_callback_data: run,
              ...(status === 'failed' && { errors: [one.failure] }),
            },
          ],
        }),
      );
    const shown = await eventually(
      () => recipientsOf(campaign),
      ([recipient]) => recipient!.outcome === (statuses.includes('read') ? 'read' : 'delivered'),
    );
    expect(shown).toMatchObject([{ errorCode: one.expect.recipient.errorCode, explanation: null }]);
    expect(await ask('GET', `/api/campaigns/${campaign.id}`)).toMatchObject({
      counts: { delivered: 1, failed: 0 },
    });
    expect(await ask('GET', `/api/campaigns/${campaign.id}/reasons`)).toMatchObject({ reasons: [] });
  });

  async function tagOf(contactId: string): Promise<string> {
    const { rows } = await host.database.query<{ runNo: number; seq: number }>(
      'SELECT run_no::integer AS "runNo", seq FROM delivery_recipients WHERE contact_id = $1',
      [contactId],
    );
    return formatDeliveryTag({ ...rows[0]!, attempt: 1 });
  }
});

test('selected = sent + excluded + failed, in figures, list, reasons and file, with the reason for each', async () => {
  const people = Array.from({ length: 12 }, (_, place) => ({
    ...{ name: `Sum ${place}`, phone: `+49151307400${10 + place}` },
  }));
  const ids = await addPeople(people);
  await host.database.query('UPDATE contacts SET opted_out_at = now() WHERE id = ANY ($1)', [
    ids.slice(0, 3),
  ]);
  await host.database.query(`UPDATE contacts SET status = 'blocked' WHERE id = ANY ($1)`, [ids.slice(3, 5)]);
  const components = [{ type: 'body', text: 'Hello {{name}}, we write to {{email}} today.' }];
  const templateId = await addTemplate('Sums', { components });
  await host.database.query(`UPDATE contacts SET email = 'a@example.com' WHERE id = ANY ($1)`, [
    ids.slice(6),
  ]);
  const campaign = await campaignTo(ids, { templateId });
  const { total, sent, failed, cancelled } = campaign.counts;
  expect([total, sent, failed, cancelled]).toEqual([ids.length, ids.length - 6, 1, 5]);
  type Reasons = { reasons: { errorCode: string; count: number }[] };
  const { reasons } = await ask<Reasons>('GET', `/api/campaigns/${campaign.id}/reasons`);
  expect(Object.fromEntries(reasons.map(({ errorCode, count }) => [errorCode, count]))).toEqual({
    ...{ opted_out: 3, blocked: 2, value_missing: 1 },
  });
  const recipients = await recipientsOf(campaign);
  expect(recipients).toHaveLength(ids.length);
  for (const { outcome, explanation } of recipients)
    expect(explanation === null).toBe(!['failed', 'cancelled'].includes(outcome));
  const file = await fetch(`${host.url}/api/campaigns/${campaign.id}/recipients/export`, {
    headers: { cookie: host.cookie },
  });
  const rows = (await file.text()).trim().split('\r\n').slice(1);
  expect(rows).toHaveLength(ids.length);
  expect(rows.filter((row) => row.includes(',cancelled,'))).toHaveLength(5);
});
