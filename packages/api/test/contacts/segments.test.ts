import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { bindTo } from '@app/database/bind-value';
import { contactFilterSql } from '@app/database/contacts/contact-filter';
import { anniversariesSql } from '@app/database/segments/segment-days';
import { newId } from '@app/database/new-id';
import { runs } from '@app/database/testing/thorough';
import { conditionKinds, type ConditionKind } from '@app/domain/segments/segment-rules';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Group = { match: 'all' | 'any'; conditions: { kind: ConditionKind; value: string; field?: string }[] };
type Rules = Group & { groups?: Group[] };
type Segment = { id: string; name: string; rules: Rules; version: number };

let api: ApiFixture;
let admin: ApiCaller;
const campaignId = newId();
const [city, size, born, tier, member, visit] = [newId(), newId(), newId(), newId(), newId(), newId()];
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000);
const dayText = (daysAgo: number) => day(daysAgo).toISOString().slice(0, 10);

beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  await addFields();
  const ids = new Map(await Promise.all(people.map(addPerson)));
  await addRecipients(ids);
  await admin.post(`/api/contacts/${ids.get('Ben')}/consents`, { kind: 'opt_in', text: 'At the till' });
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM segments'));

type Person = {
  name: string;
  phone: string;
  email?: string;
  tags?: string[];
  status?: string;
  createdDaysAgo: number;
  messagedDaysAgo?: number;
  isOptedOut?: boolean;
  custom?: object;
  language?: string;
};

const people: Person[] = [
  {
    name: 'Ann_100%',
    phone: '+447911000001',
    email: 'Ann@Example.com',
    tags: ['vip', 'spring'],
    createdDaysAgo: 2,
    messagedDaysAgo: 1,
    language: 'pt_BR',
    custom: {
      ...{ [city]: 'New York', [size]: 40.5, [born]: '1990-02-01', [tier]: 'Gold', [member]: true },
      [visit]: dayText(3),
    },
  },
  {
    name: 'Ben',
    phone: '+447911000002',
    tags: ['vip'],
    createdDaysAgo: 40,
    messagedDaysAgo: 20,
    language: 'de',
    custom: {
      ...{ [city]: 'york', [size]: 9, [born]: '2001-12-31', [tier]: 'Silver', [member]: false },
      [visit]: dayText(-3),
    },
  },
  { name: 'Cleo', phone: '+14155550003', status: 'blocked', createdDaysAgo: 400, isOptedOut: true },
];

async function addFields(): Promise<void> {
  const fields = { text: city, number: size, date: born, choice: tier, yes_no: member };
  const keys = [...Object.entries(fields).map(([type, id]) => [type, id, type]), ['date', visit, 'visit']];
  for (const [type, id, key] of keys)
    await api.db.systemPool.query(
      `INSERT INTO custom_fields (id, workspace_id, key, label, type, position) VALUES ($1, $2, $3, $3, $4, 1)`,
      [id, api.workspaceId, key, type],
    );
}

async function addPerson(person: Person): Promise<[string, string]> {
  const contactId = newId();
  await api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, email, tags, status, created_at, last_message_at, opted_out_at, custom_values, language)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      contactId,
      api.workspaceId,
      person.name,
      person.phone,
      person.email ?? null,
      person.tags ?? [],
      person.status ?? 'active',
      day(person.createdDaysAgo),
      person.messagedDaysAgo === undefined ? null : day(person.messagedDaysAgo),
      person.isOptedOut ? day(1) : null,
      person.custom ?? {},
      person.language ?? null,
    ],
  );
  return [person.name, contactId];
}

/** Ann read the campaign, Ben only got it, for Cleo it failed. */
async function addRecipients(ids: Map<string, string>): Promise<void> {
  const { systemPool } = api.db;
  const { rows } = await systemPool.query<{ run_no: string }>(
    `WITH channel AS (
       INSERT INTO channels (id, workspace_id, kind, address, credentials, messages_per_second)
       VALUES ($1, $2, 'whatsapp', '1', '{"version": 1, "values": {}, "secrets": {}}', 80) RETURNING id)
     INSERT INTO delivery_runs (run_no, workspace_id, campaign_id, channel_id, category, message, audience, state, completed_at, reported_at)
       SELECT 1, $2, $3, id, 'marketing', '{}', '{}', 'completed', now() - interval '100 days', now() - interval '4 days' FROM channel RETURNING run_no`,
    [newId(), api.workspaceId, campaignId],
  );
  const runNo = rows[0]!.run_no; // INSERT of one row returns one
  await systemPool.query('SELECT ensure_delivery_partition($1)', [runNo]);
  await systemPool.query(
    `INSERT INTO delivery_recipients (run_no, seq, state, workspace_id, contact_id, address, delivered_at, read_at, failed_at)
     VALUES ($1, 1, 2, $2, $3, 'a', now() - interval '9 days', now() - interval '4 days', NULL),
            ($1, 2, 2, $2, $4, 'b', now() - interval '9 days', NULL, NULL), ($1, 3, 3, $2, $5, 'c', NULL, NULL, now())`,
    [runNo, api.workspaceId, ids.get('Ann_100%'), ids.get('Ben'), ids.get('Cleo')],
  );
}

const ofField = (field: string, kind: ConditionKind, value: string): Rules => ({
  match: 'all',
  conditions: [{ kind, value, field }],
});

const all = (...conditions: [ConditionKind, string][]): Rules => ({
  match: 'all',
  conditions: conditions.map(([kind, value]) => ({ kind, value })),
});

async function save(name: string, rules: Rules): Promise<Segment> {
  const response = await admin.post('/api/segments', { name, rules });
  expect(response.status).toBe(200);
  return response.json<Segment>();
}

async function namesIn(segmentId: string): Promise<string[]> {
  const response = await admin.get(`/api/contacts?sort=name&segment=${segmentId}`);
  expect(response.status).toBe(200);
  return (await response.json<{ items: { name: string }[] }>()).items.map(({ name }) => name);
}

describe('who is in a segment', () => {
  longTest.each<[string, Rules, string[]]>([
    ['name', all(['name_contains', 'aNN']), ['Ann_100%']],
    ['marks of patterns in a name', all(['name_contains', '0%']), ['Ann_100%']],
    ['phone as it is written', all(['phone_contains', '+44 (7911)']), ['Ann_100%', 'Ben']],
    ['e-mail address', all(['email_contains', '@example']), ['Ann_100%']],
    ['a name is no e-mail address', all(['email_contains', 'cleo']), []],
    ['has a tag', all(['has_tag', 'vip']), ['Ann_100%', 'Ben']],
    ['has not a tag', all(['has_not_tag', 'spring']), ['Ben', 'Cleo']],
    ['status', all(['status_is', 'blocked']), ['Cleo']],
    ['a language in one country', all(['language_is', 'pt_BR']), ['Ann_100%']],
    ['a language in any country', all(['language_is', 'pt']), ['Ann_100%']],
    ['a language in another country', all(['language_is', 'pt_PT']), []],
    ['another language, or none', all(['language_is_not', 'de']), ['Ann_100%', 'Cleo']],
    ['no language', all(['language_unknown', '']), ['Cleo']],
    ['created before a day', all(['created_before', dayText(30)]), ['Ben', 'Cleo']],
    ['created after a day', all(['created_after', dayText(41)]), ['Ann_100%', 'Ben']],
    ['the day itself is not after it', all(['created_after', dayText(40)]), ['Ann_100%']],
    ['created in the last days', all(['created_within', '3']), ['Ann_100%']],
    ['a message in the last days', all(['messaged_within', '7']), ['Ann_100%']],
    ['no message for days', all(['quiet_for', '7']), ['Ben', 'Cleo']],
    ['never a message', all(['never_messaged', '']), ['Cleo']],
    ['opted out', all(['opted_out', '']), ['Cleo']],
    ['not opted out', all(['not_opted_out', '']), ['Ann_100%', 'Ben']],
    ['received a campaign', all(['campaign_received', campaignId]), ['Ann_100%', 'Ben']],
    ['read a campaign', all(['campaign_read', campaignId]), ['Ann_100%']],
    ['received a campaign and did not read it', all(['campaign_unread', campaignId]), ['Ben']],
    ['a campaign failed', all(['campaign_failed', campaignId]), ['Cleo']],
    ['a campaign that never was', all(['campaign_read', newId()]), []],
    ['a text is', ofField(city, 'field_text_is', 'new york'), ['Ann_100%']],
    ['a text is not', ofField(city, 'field_text_is_not', 'York'), ['Ann_100%', 'Cleo']],
    ['a text contains', ofField(city, 'field_text_contains', 'YORK'), ['Ann_100%', 'Ben']],
    ['a text does not contain', ofField(city, 'field_text_contains_not', 'new'), ['Ben', 'Cleo']],
    ['a number is', ofField(size, 'field_number_is', '40.50'), ['Ann_100%']],
    ['a number is not', ofField(size, 'field_number_is_not', '9'), ['Ann_100%', 'Cleo']],
    ['a number is above', ofField(size, 'field_number_above', '9'), ['Ann_100%']],
    ['a number is below', ofField(size, 'field_number_below', '40'), ['Ben']],
    ['a day is', ofField(born, 'field_date_is', '1990-02-01'), ['Ann_100%']],
    ['a day is not', ofField(born, 'field_date_is_not', '1990-02-01'), ['Ben', 'Cleo']],
    ['a day is before', ofField(born, 'field_date_before', '2001-12-31'), ['Ann_100%']],
    ['a day is after', ofField(born, 'field_date_after', '1990-02-01'), ['Ben']],
    ['a choice is', ofField(tier, 'field_choice_is', 'Gold'), ['Ann_100%']],
    ['a choice is not', ofField(tier, 'field_choice_is_not', 'Gold'), ['Ben', 'Cleo']],
    ['yes', ofField(member, 'field_yes_no_is', 'yes'), ['Ann_100%']],
    ['no is not the same as nothing', ofField(member, 'field_yes_no_is', 'no'), ['Ben']],
    ['a field has a value', ofField(tier, 'field_set', ''), ['Ann_100%', 'Ben']],
    ['a field has none', ofField(tier, 'field_not_set', ''), ['Cleo']],
    ['created more than so many days ago', all(['created_over', '40']), ['Cleo']],
    ['created more than a few days ago', all(['created_over', '39']), ['Ben', 'Cleo']],
    ['received any campaign lately', all(['campaigns_received_within', '9']), ['Ann_100%', 'Ben']],
    ['received none lately', all(['campaigns_received_within', '8']), []],
    ['read any campaign lately', all(['campaigns_read_within', '4']), ['Ann_100%']],
    ['read one longer ago', all(['campaigns_read_within', '3']), []],
    ['received and read none lately', all(['campaigns_unread_within', '9']), ['Ben']],
    ['opted in', all(['opted_in', '']), ['Ben']],
    ['said nothing of consent', all(['consent_unknown', '']), ['Ann_100%']],
    ['a day in the last days', ofField(visit, 'field_date_within', '3'), ['Ann_100%']],
    ['a day that is not yet', ofField(visit, 'field_date_within', '2'), []],
    ['a day more than days ago', ofField(visit, 'field_date_over', '2'), ['Ann_100%']],
    ['the border is not more', ofField(visit, 'field_date_over', '3'), []],
    ['a day in the next days', ofField(visit, 'field_date_next', '3'), ['Ben']],
    ['a day after them', ofField(visit, 'field_date_next', '2'), []],
    ['a day of the year in so many days', ofField(visit, 'field_date_yearly_in', '3'), ['Ben']],
    ['a day of the year within', ofField(visit, 'field_date_yearly_within', '365'), ['Ann_100%', 'Ben']],
    ['a day of the year not yet', ofField(visit, 'field_date_yearly_within', '2'), []],
    ['all conditions', all(['has_tag', 'vip'], ['quiet_for', '7']), ['Ben']],
    [
      'any condition',
      { ...all(['has_tag', 'spring'], ['status_is', 'blocked']), match: 'any' },
      ['Ann_100%', 'Cleo'],
    ],
    [
      'a condition and any of a group',
      {
        ...all(['name_contains', 'n']),
        groups: [{ ...all(['has_tag', 'spring'], ['quiet_for', '7']), match: 'any' }],
      },
      ['Ann_100%', 'Ben'],
    ],
    [
      'one of two groups',
      {
        match: 'any',
        conditions: [],
        groups: [
          all(['has_tag', 'vip'], ['quiet_for', '7']),
          all(['opted_out', ''], ['status_is', 'blocked']),
        ],
      },
      ['Ben', 'Cleo'],
    ],
    [
      'both of two groups',
      {
        match: 'all',
        conditions: [],
        groups: [all(['has_tag', 'vip']), { ...all(['has_tag', 'spring'], ['opted_out', '']), match: 'any' }],
      },
      ['Ann_100%'],
    ],
  ])('%s', async (name, rules, expected) => {
    const { id } = await save(name, rules);
    expect(await namesIn(id)).toEqual(expected);
    const count = await admin.post('/api/segments/count', { rules });
    expect(await count.json()).toEqual({ count: expected.length });
    const size = await admin.post('/api/campaigns/audience-size', { audience: { filter: { rules } } });
    expect(await size.json()).toEqual({ chosen: expected.length });
  });

  test('search, status and segment hold together', async () => {
    const { id } = await save('Either', { ...all(['has_tag', 'vip'], ['opted_out', '']), match: 'any' });
    const answer = await admin.get(`/api/contacts/count?segment=${id}&search=7911&status=active`);
    expect(await answer.json()).toEqual({ count: 2 });
  });

  longTest('text of any kind finds somebody or nobody, and never breaks the statement', async () => {
    const conditions = fc.array(
      fc.record({
        kind: fc.constantFrom(...conditionKinds),
        field: fc.constantFrom(undefined, city, size, born, tier, member, campaignId, 'x'),
        value: fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom(`'; DROP TABLE contacts; --`, '\0', '\\', '%_', '$1', '2026-02-31', '999999999999'),
          fc.constantFrom('2026-11-21', '30', 'active', campaignId, ''),
        ),
      }),
      { maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('all' as const, 'any' as const), conditions, async (match, list) => {
        const values: unknown[] = [];
        const sql = contactFilterSql(
          { rules: { match, conditions: list.slice(1), groups: [{ match, conditions: list.slice(0, 1) }] } },
          bindTo(values),
          api,
        );
        const { rows } = await api.db.systemPool.query(
          `SELECT count(*)::int FROM contacts c WHERE ${sql}`,
          values,
        );
        expect(rows[0].count).toBeLessThanOrEqual(people.length);
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('days', () => {
  const setZone = (zone: string) =>
    api.db.systemPool.query(
      `UPDATE workspaces SET settings = jsonb_set(settings, '{timeZone}', to_jsonb($2::text)) WHERE id = $1`,
      [api.workspaceId, zone],
    );

  test('begin in the time zone of the workspace', async () => {
    const { systemPool } = api.db;
    const { rows } = await systemPool.query<{ east: string; west: string }>(
      `SELECT (now() AT TIME ZONE 'Pacific/Kiritimati')::date::text AS east, (now() AT TIME ZONE 'Pacific/Pago_Pago')::date::text AS west`,
    );
    const { east, west } = rows[0]!; // a SELECT without FROM gives one row
    // 25 hours apart: it is never the same day there.
    await systemPool.query(
      `UPDATE contacts SET custom_values = custom_values || jsonb_build_object($2::text, $3::text) WHERE workspace_id = $1 AND name = 'Cleo'`,
      [api.workspaceId, visit, east],
    );
    const isToday = { rules: ofField(visit, 'field_date_yearly_in', '0') };
    try {
      await setZone('Pacific/Kiritimati');
      expect(await (await admin.post('/api/segments/count', isToday)).json()).toEqual({ count: 1 });
      const since = { rules: all(['created_after', east]) };
      expect(await (await admin.post('/api/segments/count', since)).json()).toEqual({ count: 0 });
      await setZone('Pacific/Pago_Pago');
      expect(east > west).toBe(true);
      expect(await (await admin.post('/api/segments/count', isToday)).json()).toEqual({ count: 0 });
    } finally {
      await setZone('UTC');
      await systemPool.query(
        `UPDATE contacts SET custom_values = custom_values - $2::text WHERE workspace_id = $1 AND name = 'Cleo'`,
        [api.workspaceId, visit],
      );
    }
  });

  test.each([
    ['an ordinary year', '2027-02-27', '2027-03-01', ['02-27', '02-28', '02-29', '03-01']],
    ['a leap year', '2028-02-27', '2028-03-01', ['02-27', '02-28', '02-29', '03-01']],
    ['28 February of an ordinary year', '2027-02-28', '2027-02-28', ['02-28', '02-29']],
    ['28 February of a leap year', '2028-02-28', '2028-02-28', ['02-28']],
    ['29 February', '2028-02-29', '2028-02-29', ['02-29']],
    ['1 March', '2027-03-01', '2027-03-01', ['03-01']],
    ['the turn of a year', '2026-12-30', '2027-01-02', ['01-01', '01-02', '12-30', '12-31']],
  ])('come around yearly: %s', async (_, from, to, expected) => {
    const { rows } = await api.db.systemPool.query<{ to_char: string }>(
      anniversariesSql('$1::date', '$2::date'),
      [from, to],
    );
    expect(rows.map((row) => row.to_char).toSorted()).toEqual(expected);
  });
});

describe('custom fields in segments', () => {
  test('a number is never compared with a text', async () => {
    const count = await admin.post('/api/segments/count', {
      rules: ofField(city, 'field_number_above', '-1'),
    });
    expect(await count.json()).toEqual({ count: 0 });
  });

  test.each([
    ['another type', city, 'field_number_above'],
    ['a field that never was', campaignId, 'field_set'],
  ] as const)('a rule on %s is not saved', async (_, field, kind) => {
    const rules = ofField(field, kind, kind === 'field_set' ? '' : '1');
    const refused = await admin.post('/api/segments', { name: 'Wrong', rules });
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { error: { code: 'custom_field_unknown' } },
    ]);
    const { id } = await save('Right', ofField(city, 'field_set', ''));
    expect((await admin.patch(`/api/segments/${id}`, { version: 1, rules })).status).toBe(422);
  });

  test('a field that a segment asks for is not deleted', async () => {
    const { id } = await save('New Yorkers', ofField(city, 'field_text_is', 'New York'));
    const usage = await admin.get(`/api/custom-fields/${city}/usage`);
    expect(await usage.json()).toEqual({ contacts: 2, segments: ['New Yorkers'], campaigns: [] });
    const refused = await admin.delete(`/api/custom-fields/${city}`);
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { error: { code: 'custom_field_in_use' } },
    ]);
    expect(await namesIn(id)).toEqual(['Ann_100%']);
  });
});

describe('keeping segments', () => {
  const rules = all(['has_tag', 'vip']);

  test('they are listed by name, change and go', async () => {
    const second = await save('  quiet   people ', all(['quiet_for', '30']));
    const first = await save('Best', rules);
    const { items } = await (await admin.get('/api/segments')).json<{ items: Segment[] }>();
    expect(items.map(({ name }) => name)).toEqual(['Best', 'quiet people']);
    const changed = await admin.patch(`/api/segments/${first.id}`, { version: 1, name: 'Better' });
    expect(await changed.json()).toMatchObject({ name: 'Better', rules, version: 2 });
    expect((await admin.delete(`/api/segments/${second.id}`)).status).toBe(200);
    expect((await admin.get(`/api/segments/${second.id}`)).status).toBe(404);
    const { rows } = await api.db.systemPool.query('SELECT count(*)::int FROM contacts');
    expect(rows[0].count).toBe(people.length);
  });

  test('a name stands once, whatever its case', async () => {
    await save('Best', rules);
    const { id } = await save('Other', rules);
    const doubled = await admin.post('/api/segments', { name: 'BEST', rules });
    expect(doubled.status).toBe(409);
    expect(await doubled.json()).toMatchObject({
      error: { code: 'segment_name_taken', details: { field: 'name' } },
    });
    expect((await admin.patch(`/api/segments/${id}`, { version: 1, name: 'best' })).status).toBe(409);
  });

  test('the second of two editors is told', async () => {
    const { id } = await save('Best', rules);
    expect((await admin.patch(`/api/segments/${id}`, { version: 1, name: 'Mine' })).status).toBe(200);
    const late = await admin.patch(`/api/segments/${id}`, { version: 1, name: 'Late' });
    expect(await late.json()).toMatchObject({ error: { code: 'segment_changed' } });
  });

  test.each([
    ['no condition', { match: 'all', conditions: [] }],
    ['an unknown kind', { match: 'all', conditions: [{ kind: 'password', value: 'x' }] }],
    ['an impossible value', { match: 'all', conditions: [{ kind: 'created_before', value: '2026-02-30' }] }],
    ['an unknown match', { match: 'none', conditions: [{ kind: 'opted_out', value: '' }] }],
    ['an empty group', { match: 'all', conditions: [], groups: [{ match: 'any', conditions: [] }] }],
    ['nothing at all', { match: 'all', conditions: [], groups: [] }],
    [
      'too many with those of groups',
      {
        match: 'all',
        conditions: Array(11).fill({ kind: 'opted_out', value: '' }),
        groups: [{ match: 'any', conditions: Array(10).fill({ kind: 'opted_out', value: '' }) }],
      },
    ],
    ['too many', { match: 'all', conditions: Array(21).fill({ kind: 'opted_out', value: '' }) }],
  ])('%s is refused', async (_, wrong) => {
    expect((await admin.post('/api/segments', { name: 'Wrong', rules: wrong })).status).toBe(422);
  });

  test('a segment that is gone edits nobody', async () => {
    const { id } = await save('Gone', rules);
    await admin.delete(`/api/segments/${id}`);
    const edit = await admin.post('/api/contacts/bulk-edit', {
      choice: { filter: { segment: id } },
      addTags: ['x'],
    });
    expect(await edit.json()).toMatchObject({ error: { code: 'segment_not_found' } });
    expect((await admin.get(`/api/contacts?segment=${id}`)).status).toBe(404);
    const { rows } = await api.db.systemPool.query(
      `SELECT count(*)::int FROM contacts WHERE 'x' = ANY (tags)`,
    );
    expect(rows[0].count).toBe(0);
  });

  test('the bulk edit of a segment changes its contacts alone', async () => {
    const { id } = await save('Blocked', all(['status_is', 'blocked']));
    const edit = await admin.post('/api/contacts/bulk-edit', {
      choice: { filter: { segment: id } },
      addTags: ['lost'],
    });
    expect(await edit.json()).toEqual({ chosen: 1, changed: 1 });
  });

  test('another workspace neither sees nor uses them', async () => {
    const { id } = await save('Ours', rules);
    const other = await api.asOther();
    expect(await (await other.get('/api/segments')).json()).toMatchObject({ items: [] });
    expect((await other.get(`/api/contacts?segment=${id}`)).status).toBe(404);
    const count = await other.post('/api/segments/count', { rules });
    expect(await count.json()).toEqual({ count: 0 });
  });

  test('who only reads contacts uses segments and keeps none', async () => {
    const viewer = await api.as('viewer');
    const { id } = await save('Ours', rules);
    expect((await viewer.get(`/api/contacts?segment=${id}`)).status).toBe(200);
    expect((await viewer.post('/api/segments', { name: 'Mine', rules })).status).toBe(403);
    expect((await viewer.patch(`/api/segments/${id}`, { version: 1 })).status).toBe(403);
    expect((await viewer.delete(`/api/segments/${id}`)).status).toBe(403);
  });
});
