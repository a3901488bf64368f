import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRun } from '@app/delivery/start-run';
import { newId } from '@app/database/new-id';
import { createTestSecretBox, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { arriveWith, chose, failed, said } from '../arriving-events.ts';
import { findTraces } from '@app/database/testing/find-traces';
import { part } from '@app/database/testing/thorough';

type Contact = { id: string; version: number };
/** Somebody all of whose names, numbers and words hold a text that nobody else's hold. */
type Somebody = {
  mark: string;
  digits: readonly [string, string];
  userId: string;
  contactId: string;
};

let api: ApiFixture;
let admin: ApiCaller;
let channelId: string;
const secrets = await createTestSecretBox();
beforeAll(async () => {
  api = await openApiFixture({ secrets });
  admin = await api.as('admin');
  channelId = await api.addChannel();
  await admin.post('/api/custom-fields', { label: 'Diet', type: 'text' });
  await admin.post('/api/custom-fields', { label: 'Born', type: 'date' });
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const arrive = (...events: Parameters<ReturnType<typeof arriveWith>>) =>
  arriveWith(api, { secrets, channelId })(...events);

let people = 0;
async function enter(): Promise<Somebody> {
  people += 1;
  const mark = `zeb${people}q`;
  const digits = [`1415555${3000 + people}`, `1415555${6000 + people}`] as const;
  const contactId = await add(mark, digits[0]);
  return { mark, digits, userId: `US.${mark}`, contactId };
}

async function add(mark: string, digits: string): Promise<string> {
  const response = await admin.post('/api/contacts', {
    name: `Ann ${mark}`,
    phone: `+${digits}`,
    email: `${mark}@example.com`,
    customFields: { diet: `no ${mark}` },
  });
  expect(response.status).toBe(200);
  return (await response.json<Contact>()).id;
}

async function merge(survivorId: string, otherId: string): Promise<string> {
  const mergeId = newId();
  const read = async (contactId: string) => {
    const { version } = await (await admin.get(`/api/contacts/${contactId}`)).json<Contact>();
    return { contactId, version };
  };
  const contacts = [await read(survivorId), await read(otherId)];
  const response = await admin.post('/api/contacts/merges', { mergeId, survivorId, contacts });
  expect(response.status).toBe(200);
  return mergeId;
}

/** What happens to somebody as a contact of their own. */
const alone: Record<string, (one: Somebody) => Promise<void>> = {
  async 'is edited'({ contactId, mark }) {
    const { version } = await (await admin.get(`/api/contacts/${contactId}`)).json<Contact>();
    const change = { name: `Bea ${mark}`, tags: [`friend of ${mark}`] };
    expect((await admin.patch(`/api/contacts/${contactId}`, { version, ...change })).status).toBe(200);
  },
  async 'is imported'({ mark, digits: [first] }) {
    for (const row of [`Cleo ${mark},+${first},also ${mark},`, `Dee ${mark},+${first},,the day of ${mark}`])
      await admin.request('/api/contacts/imports?duplicates=update', {
        method: 'POST',
        headers: { prefer: 'wait=50' },
        body: `name,phone,diet,born\n${row}\n`,
      });
  },
  async 'is deleted and comes back'({ contactId }) {
    await admin.delete(`/api/contacts/${contactId}`);
    expect((await admin.post(`/api/contacts/${contactId}/restore`)).status).toBe(200);
  },
  async 'is deleted and added again'(one) {
    await admin.delete(`/api/contacts/${one.contactId}`);
    one.contactId = await add(one.mark, one.digits[0]);
  },
  async 'stands in the list twice, and is merged'(one) {
    const [first, second] = one.digits;
    const { rows } = await query(
      `SELECT FROM contacts WHERE phone = $1 UNION ALL SELECT FROM contact_aliases WHERE identifier = $1`,
      [`+${second}`],
    );
    if (rows.length === 0) await merge(one.contactId, await add(one.mark, second));
    await arrive(said({ phone: `+${second}`, name: one.mark }, `${one.mark} of ${first}`));
  },
};

/** What happens to somebody whether they are a contact of their own or one with another. */
const always: Record<string, (one: Somebody) => Promise<void>> = {
  async writes({ mark, digits: [first], userId }) {
    const raw = { from: first, profile: mark };
    await arrive(said({ phone: `+${first}`, userId, name: `Ann ${mark}` }, `I am ${mark}`, { raw }));
  },
  async 'sends a file'({ mark, digits: [first], userId }) {
    const file = {
      type: 'media',
      kind: 'document',
      mediaId: `9${first}`,
      mimeType: 'application/pdf',
    } as const;
    const about = {
      filename: `${mark}.pdf`,
      caption: mark,
      sha256: null,
      url: null,
      voice: false,
      animated: false,
    };
    await arrive(
      said(
        { phone: `+${first}`, userId, name: `Ann ${mark}` },
        { ...file, ...about },
        { raw: { from: first } },
      ),
    );
  },
  async 'says stop'({ digits: [first], userId }) {
    await arrive(chose({ phone: `+${first}`, userId }, 'stop', Date.now()));
  },
  async 'says resume'({ digits: [first], userId }) {
    await arrive(chose({ phone: `+${first}`, userId }, 'resume', Date.now()));
  },
  async 'is not reached'({ digits: [first] }) {
    await arrive(
      failed({ phone: `+${first}` }, { kind: 'hold_recipient', hours: 24 }, { raw: { to: first } }),
    );
  },
  async 'opts in at the desk'({ contactId }) {
    await admin.post(`/api/contacts/${contactId}/consents`, { kind: 'opt_in', text: 'at the desk' });
  },
  async 'is sent to'({ contactId }) {
    const started = await api.db.inSystem((_, client) =>
      startRun(client, {
        ...{ workspaceId: api.workspaceId, channelId, campaignId: newId(), category: 'utility' },
        audience: { contactIds: [contactId] },
        message: { content: { type: 'text', body: 'Hi' }, variables: {}, businessName: '' },
      }),
    );
    if (started.outcome !== 'started') return;
    await query(
      `UPDATE delivery_recipients SET state = 2, accepted_at = now(), provider_message_id = 'wamid.' || address, error_detail = 'to ' || address
        WHERE run_no = $1`,
      [started.runNo],
    );
  },
  async 'asks what is held'({ contactId }) {
    expect((await admin.get(`/api/contacts/${contactId}/data`)).status).toBe(200);
  },
};

type Data = Record<string, object[]>;
async function read({ contactId }: Somebody): Promise<Data> {
  const { version, exportDate, activityLog, ...data } = JSON.parse(
    await (await admin.get(`/api/contacts/${contactId}/data`)).text(),
  );
  expect([version, typeof exportDate, Array.isArray(activityLog)]).toEqual(['1.0', 'string', true]);
  return data;
}

const acts = { ...alone, ...always };
const act = fc.record({
  who: fc.constantFrom(0, 1),
  name: fc.constantFrom(...Object.keys(acts), 'join or part', 'join or part'),
});

test.each(part([1, 2, 3, 4], 4, 1))(
  'whatever happened to two people, one of whom is erased: nothing is left of them, and all of the other (%i)',
  async (seed) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { minLength: 6, maxLength: 24 }),
        fc.boolean(),
        async (steps, isFirst) => {
          const both = [await enter(), await enter()] as const;
          const joined: { mergeId: string; other: Somebody; otherId: string }[] = [];
          const part = async () => {
            const { mergeId, other, otherId } = joined.pop()!; // asked for where there is one
            expect((await admin.post(`/api/contacts/merges/${mergeId}/undo`)).status).toBe(200);
            other.contactId = otherId;
          };
          for (const { who, name } of steps) {
            const [one, other] = [both[who]!, both[1 - who]!];
            if (name !== 'join or part') {
              if (joined.length === 0 || name in always) await acts[name]!(one);
            } else if (joined.length > 0) await part();
            else {
              const mergeId = await merge(one.contactId, other.contactId);
              joined.push({ mergeId, other, otherId: other.contactId });
              other.contactId = one.contactId;
            }
          }
          while (joined.length > 0) await part();
          const [gone, stays] = isFirst ? both : ([both[1], both[0]] as const);
          const before = await read(stays);
          const marks = [gone.mark, ...gone.digits];
          expect((await findTraces(api.db, marks)).length).toBeGreaterThan(3);
          expect((await admin.post(`/api/contacts/${gone.contactId}/erase`)).status).toBe(200);
          expect(await findTraces(api.db, marks)).toEqual([]);
          expect(await read(stays)).toEqual(before);
        },
      ),
      { seed, numRuns: 3, endOnFailure: true },
    );
  },
);
