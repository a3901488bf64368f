import fc from 'fast-check';
import { runs } from '@app/database/testing/thorough';
import { describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openArrivals } from '../arrivals.ts';
import { changedIdentity, chose, failed, said } from '../arriving-events.ts';

const PHONE = '+14155552671';
const OTHER = '+14155552672';
const ann = { phone: PHONE };
/** Seconds on one day, as the platform counts. */
const at = (second: number) => Date.UTC(2026, 9, 1) + second * 1000;

const { api, admin, arrive, query, read, ...people } = await openArrivals();
const add = (phone = PHONE) => people.add(phone);
const isOut = async (id: string) => (await read(id)).optedOutAt !== null;

/** One word about consent on each of its ways, said at this second. */
const ways = {
  'keyword STOP': {
    kind: 'opt_out',
    tell: (_: string, s: number) => arrive(said(ann, 'STOP', { occurredAt: at(s) })),
  },
  'keyword START': {
    kind: 'opt_in',
    tell: (_: string, s: number) => arrive(said(ann, 'START', { occurredAt: at(s) })),
  },
  'setting stop': { kind: 'opt_out', tell: (_: string, s: number) => arrive(chose(ann, 'stop', at(s))) },
  'setting resume': { kind: 'opt_in', tell: (_: string, s: number) => arrive(chose(ann, 'resume', at(s))) },
  'refused delivery': {
    kind: 'opt_out',
    tell: (_: string, s: number) => arrive(failed(ann, { kind: 'opt_out' }, { occurredAt: at(s) })),
  },
  'opt-out noted by staff': { kind: 'opt_out', tell: (id: string, s: number) => note(id, 'opt_out', s) },
  'opt-in noted by staff': { kind: 'opt_in', tell: (id: string, s: number) => note(id, 'opt_in', s) },
} as const;
type Way = keyof typeof ways;

const note = async (id: string, kind: string, second: number) => {
  const answer = await admin.post(`/api/contacts/${id}/consents`, {
    kind,
    text: 'on the phone',
    occurredAt: new Date(at(second)).toISOString(),
  });
  expect(answer.status).toBe(200);
};

describe('the newest word decides by the time at which it was said', () => {
  test.each<[Way, Way]>([
    ['keyword START', 'keyword STOP'],
    ['setting resume', 'setting stop'],
    ['setting resume', 'keyword STOP'],
    ['keyword START', 'refused delivery'],
    ['opt-in noted by staff', 'keyword STOP'],
    ['keyword STOP', 'keyword START'],
    ['refused delivery', 'setting resume'],
  ])('%s that arrives after a newer %s changes nothing', async (older, newer) => {
    const { id } = await add();
    await ways[newer].tell(id, 20);
    await ways[older].tell(id, 10);
    expect(await isOut(id)).toBe(ways[newer].kind === 'opt_out');
  });

  test.each([
    ['opt_in', 'keyword STOP', true],
    ['opt_out', 'keyword START', true],
  ] as const)('%s noted within the second of a %s', async (kind, way, out) => {
    const { id } = await add();
    await note(id, kind, 20.3);
    await ways[way].tell(id, 20);
    expect(await isOut(id)).toBe(out);
  });

  test('a START between two STOPs does not outdo the second one when it arrives last', async () => {
    const { id } = await add();
    for (const [text, second] of [
      ['STOP', 10],
      ['STOP', 30],
      ['START', 20],
    ] as const)
      await arrive(said(ann, text, { occurredAt: at(second) }));
    expect(await isOut(id)).toBe(true);
  });

  longTest('any words in any order and any groups end alike', async () => {
    const word = fc.record({
      way: fc.constantFrom(...(Object.keys(ways) as Way[])),
      second: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 6 }), async (words) => {
        const { id } = await add();
        for (const { way, second } of words) await ways[way].tell(id, second);
        const newest = Math.max(...words.map(({ second }) => second));
        const last = words.filter(({ second }) => second === newest);
        expect(await isOut(id)).toBe(last.some(({ way }) => ways[way].kind === 'opt_out'));
        await query('DELETE FROM contacts');
      }),
      { numRuns: runs(25) },
    );
  });

  test('a word without a time, or from the future, widens nothing and stops at once', async () => {
    const { id } = await add();
    await arrive(said(ann, 'STOP', { occurredAt: at(5) }));
    await arrive(said(ann, 'START', { occurredAt: 0 }), chose(ann, 'resume', Date.now() + 86_400_000));
    expect(await isOut(id)).toBe(true);
    await arrive(said(ann, 'START', { occurredAt: at(6) }));
    expect(await isOut(id)).toBe(false);
    await arrive(chose(ann, 'stop', 9e18));
    expect(await isOut(id)).toBe(true);
    const rows = await query('SELECT window_expires_at FROM contacts');
    expect(rows).toEqual([{ window_expires_at: new Date(at(6) + 86_400_000) }]);
  });

  test('each word is kept once, with what was written', async () => {
    const { id } = await add();
    const stop = chose(ann, 'stop', at(9));
    await arrive(said(ann, 'Stop.', { occurredAt: at(5) }));
    await arrive(stop, { ...stop, dedupKey: 'a copy under another key' });
    const { items } = await (await admin.get(`/api/contacts/${id}/consents`)).json<{ items: object[] }>();
    expect(items).toMatchObject([
      { kind: 'opt_out', source: 'person', text: '' },
      { kind: 'opt_out', source: 'person', text: 'Stop.' },
    ]);
  });
});

describe('a wish that arrives as a word and as an event', () => {
  const counted = async () =>
    (
      await query<{ opt_outs: number }>(
        `SELECT coalesce(sum(contacts), 0)::int AS opt_outs FROM contact_rollup_deltas WHERE kind = 'opt_out'`,
      )
    )[0]!.opt_outs;
  const heard = async () =>
    (await query<{ type: string }>(`SELECT type FROM events WHERE type = 'consents.said'`)).length;

  test.each<[string, [Way, number][], number]>([
    [
      'the word first',
      [
        ['keyword STOP', 1],
        ['setting stop', 3],
      ],
      1,
    ],
    [
      'the event first',
      [
        ['setting stop', 3],
        ['keyword STOP', 1],
      ],
      1,
    ],
    [
      'with another wish between them',
      [
        ['keyword STOP', 1],
        ['keyword START', 2],
        ['setting stop', 3],
      ],
      2,
    ],
    [
      'more than a minute apart',
      [
        ['keyword STOP', 1],
        ['setting stop', 70],
      ],
      2,
    ],
  ])('%s: it counts as often as it was meant, and whoever listens hears as much', async (_, said, times) => {
    const { id } = await add();
    const [countedBefore, heardBefore] = [await counted(), await heard()];
    for (const [way, second] of said) await ways[way].tell(id, second);
    expect(await isOut(id)).toBe(true);
    expect((await counted()) - countedBefore).toBe(times);
    const others = said.filter(([way]) => ways[way].kind === 'opt_in').length;
    expect((await heard()) - heardBefore).toBe(times + others);
  });
});

describe('consent follows the contact', () => {
  test('an import over somebody who opted out leaves that alone', async () => {
    const { id } = await add();
    await arrive(said(ann, 'STOP', { occurredAt: at(5) }));
    const imported = await admin.request('/api/contacts/imports?duplicates=update', {
      method: 'POST',
      headers: { prefer: 'wait=50' },
      body: `name,phone\nAnna,${PHONE}\n`,
    });
    expect(await imported.json()).toMatchObject({ updated: 1 });
    expect(await isOut(id)).toBe(true);
  });

  test('a START older than a merge that held an opt-out for all changes nothing when it comes later', async () => {
    const [one, other] = [await add(), await add(OTHER)];
    await arrive(said({ phone: OTHER }, 'STOP', { occurredAt: at(10) }));
    const mergeId = crypto.randomUUID();
    const merged = await admin.post('/api/contacts/merges', {
      mergeId,
      survivorId: one.id,
      contacts: [await read(one.id), await read(other.id)].map(({ id, version }) => ({
        contactId: id,
        version,
      })),
    });
    expect(merged.status).toBe(200);
    await arrive(said({ phone: OTHER }, 'START', { occurredAt: at(5) }), chose(ann, 'resume', at(6)));
    expect(await isOut(one.id)).toBe(true);
    expect((await admin.post(`/api/contacts/merges/${mergeId}/undo`)).status).toBe(200);
    expect(await isOut(one.id)).toBe(false);
    expect(await isOut(other.id)).toBe(true);
  });

  test('an older word that came while contacts were one is outdone by the newer one of its own contact', async () => {
    const [one, other] = [await add(), await add(OTHER)];
    await note(other.id, 'opt_in', 20);
    const mergeId = crypto.randomUUID();
    await admin.post('/api/contacts/merges', {
      mergeId,
      survivorId: one.id,
      contacts: [one, await read(other.id)].map(({ id, version }) => ({ contactId: id, version })),
    });
    await arrive(said({ phone: OTHER }, 'STOP', { occurredAt: at(10) }));
    expect((await admin.post(`/api/contacts/merges/${mergeId}/undo`)).status).toBe(200);
    expect([await isOut(one.id), await isOut(other.id)]).toEqual([false, false]);
  });

  test('what the platform says of a contact that was just deleted holds when the deletion is taken back', async () => {
    const { id } = await add();
    expect((await admin.delete(`/api/contacts/${id}`)).status).toBe(200);
    await query('SELECT record_consents($1, $2, $3, $4, $5, $6, $7, $8)', [
      ...[[api.workspaceId], [id], ['opt_out'], ['person'], [''], [null], [PHONE], [new Date(at(9))]],
    ]);
    await query(`SELECT hold_contacts($1, $2, ARRAY[now() + interval '5 hours'])`, [[api.workspaceId], [id]]);
    const restored = await admin.post(`/api/contacts/${id}/restore`);
    expect(await restored.json()).toMatchObject({ optedOutAt: new Date(at(9)).toISOString() });
    expect(await query('SELECT FROM marketing_holds WHERE contact_id = $1', [id])).toHaveLength(1);
  });

  test('a STOP from the second number of a merged contact that was just deleted holds when it comes back', async () => {
    const [one, other] = [await add(), await add(OTHER)];
    const merged = await admin.post('/api/contacts/merges', {
      mergeId: crypto.randomUUID(),
      survivorId: one.id,
      contacts: [one, other].map(({ id, version }) => ({ contactId: id, version })),
      picks: { phone: one.id },
    });
    expect(merged.status).toBe(200);
    await admin.delete(`/api/contacts/${one.id}`);
    await arrive(said({ phone: OTHER }, 'STOP', { occurredAt: at(9) }));
    const restored = await admin.post(`/api/contacts/${one.id}/restore`);
    expect(await restored.json()).toMatchObject({ optedOutAt: new Date(at(9)).toISOString() });
  });

  test('a number that a deleted contact had given up speaks for it only until then', async () => {
    const { id } = await add();
    await arrive(changedIdentity(ann, { newPhone: OTHER, occurredAt: at(20) }));
    await admin.delete(`/api/contacts/${id}`);
    await arrive(said(ann, 'STOP', { occurredAt: at(30) }));
    expect(await (await admin.post(`/api/contacts/${id}/restore`)).json()).toMatchObject({
      optedOutAt: null,
    });
    await admin.delete(`/api/contacts/${id}`);
    await arrive(said(ann, 'STOP', { occurredAt: at(10) }));
    const restored = await admin.post(`/api/contacts/${id}/restore`);
    expect(await restored.json()).toMatchObject({ optedOutAt: new Date(at(10)).toISOString() });
  });

  test("a deletion that is taken back keeps the platform's marketing hold", async () => {
    const { id } = await add();
    await arrive(failed(ann, { kind: 'hold_recipient', hours: 24 }));
    const held = () => query('SELECT until FROM marketing_holds WHERE contact_id = $1', [id]);
    const before = await held();
    expect(before).toHaveLength(1);
    await admin.delete(`/api/contacts/${id}`);
    expect(await held()).toEqual([]);
    await admin.post(`/api/contacts/${id}/restore`);
    expect(await held()).toEqual(before);
  });

  test('a failure of a message that is not ours makes no contact of a stranger', async () => {
    await arrive(failed({ phone: '+14155559999' }, { kind: 'opt_out' }));
    expect(await query('SELECT FROM contacts')).toEqual([]);
  });
});
