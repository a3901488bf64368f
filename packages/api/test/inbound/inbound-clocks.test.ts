import fc from 'fast-check';
import { runs } from '@app/database/testing/thorough';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import { createTestSecretBox, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { arriveWith, chose, failed, said } from '../arriving-events.ts';

const ann = { phone: '+14155552671' };
const SECOND = 1_000;

let api: ApiFixture;
let admin: ApiCaller;
let arrive: (...events: InboundEvent[]) => Promise<void>;
beforeAll(async () => {
  const secrets = await createTestSecretBox();
  api = await openApiFixture({ secrets });
  admin = await api.as('admin');
  arrive = arriveWith(api, { secrets, channelId: await api.addChannel() });
});
afterAll(() => api.close());
beforeEach(async () => {
  await api.db.systemPool.query('DELETE FROM contacts');
});

async function add(): Promise<string> {
  const response = await admin.post('/api/contacts', { name: 'Ann', ...ann });
  return (await response.json<{ id: string }>()).id;
}
async function isOut(id: string): Promise<boolean> {
  const contact = await (await admin.get(`/api/contacts/${id}`)).json<{ optedOutAt: string | null }>();
  return contact.optedOutAt !== null;
}
const note = async (id: string, kind: 'opt_in' | 'opt_out', at: number) => {
  const noted = { kind, text: 'on the phone', occurredAt: new Date(at).toISOString() };
  expect((await admin.post(`/api/contacts/${id}/consents`, noted)).status).toBe(200);
};
/** A whole second by the platform's clock, which is so many minutes ahead of ours. */
const whole = (minutes: number, second = 0) =>
  Math.floor(Date.now() / SECOND) * SECOND + (minutes * 60 + second) * SECOND;

test('an older START that arrives after a newer STOP opts nobody in while our clock is behind', async () => {
  const id = await add();
  await arrive(said(ann, 'STOP', { occurredAt: whole(5) }));
  expect(await isOut(id)).toBe(true);
  // By our clock it comes in another second than the STOP.
  await api.db.systemPool.query(
    `UPDATE contact_consents SET occurred_at = occurred_at - interval '2 seconds' WHERE contact_id = $1`,
    [id],
  );
  await arrive(said(ann, 'START', { occurredAt: whole(2) }));
  expect(await isOut(id)).toBe(true);
  await arrive(said(ann, 'START', { occurredAt: whole(6) }));
  expect(await isOut(id)).toBe(false);
});

const ways = {
  STOP: (at: number) => said(ann, 'STOP', { occurredAt: at }),
  START: (at: number) => said(ann, 'START', { occurredAt: at }),
  stop: (at: number) => chose(ann, 'stop', at),
  resume: (at: number) => chose(ann, 'resume', at),
  refused: (at: number) => failed(ann, { kind: 'opt_out' }, { occurredAt: at }),
};
const isOptOut = (way: keyof typeof ways) => way !== 'START' && way !== 'resume';

longTest('what a person says ends alike in any order and any groups, whatever our clock says', async () => {
  const word = fc.record({
    way: fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[])),
    second: fc.integer({ min: 1, max: 8 }),
    endsGroup: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { minLength: 2, maxLength: 7 }),
      fc.integer({ min: -9, max: 9 }),
      async (words, minutesAhead) => {
        await api.db.systemPool.query('DELETE FROM contacts');
        const id = await add();
        const start = whole(minutesAhead);
        const group: InboundEvent[] = [];
        for (const { way, second, endsGroup } of words) {
          group.push(ways[way](start + second * SECOND));
          if (endsGroup) await arrive(...group.splice(0));
        }
        await arrive(...group);
        const newest = Math.max(...words.map(({ second }) => second));
        const last = words.filter(({ second }) => second === newest);
        expect(await isOut(id)).toBe(last.some(({ way }) => isOptOut(way)));
      },
    ),
    { numRuns: runs(30) },
  );
});

test("a word of the platform's clock, however far ahead, counts among staff's from its arrival", async () => {
  const id = await add();
  await arrive(said(ann, 'START', { occurredAt: whole(9) }));
  await note(id, 'opt_out', Date.now());
  expect(await isOut(id)).toBe(true);
  // Neither does an older one of the person that comes later outdo staff.
  await arrive(said(ann, 'START', { occurredAt: whole(4) }));
  expect(await isOut(id)).toBe(true);
  const { rows } = await api.db.systemPool.query<{ ahead: number }>(
    'SELECT count(*)::int AS ahead FROM contact_consents WHERE contact_id = $1 AND occurred_at > clock_timestamp()',
    [id],
  );
  expect(rows).toEqual([{ ahead: 0 }]);
});

test('an opt-out of an unknown moment counts from its arrival against a word from a clock that is ahead', async () => {
  const id = await add();
  await arrive(said(ann, 'START', { occurredAt: whole(5) }));
  await arrive(said(ann, 'STOP', { occurredAt: 0 }));
  expect(await isOut(id)).toBe(true);
});

test('a word that goes away with its contact and comes back keeps its place', async () => {
  const id = await add();
  await arrive(said(ann, 'STOP', { occurredAt: whole(5) }));
  expect((await admin.delete(`/api/contacts/${id}`)).status).toBe(200);
  expect((await admin.post(`/api/contacts/${id}/restore`)).status).toBe(200);
  await api.db.systemPool.query(
    `UPDATE contact_consents SET occurred_at = occurred_at - interval '2 seconds' WHERE contact_id = $1`,
    [id],
  );
  await arrive(said(ann, 'START', { occurredAt: whole(2) }));
  expect(await isOut(id)).toBe(true);
});
