import { addDays, dayIn, daysBetween } from '@app/domain/analytics/report-period';
import { fillHistory } from './history/fill-history.ts';
import { readOutcomes, recountOutcomes } from './history/recount-outcomes.ts';
import { readSections, recountSections } from './history/recount-sections.ts';
import { makeEvents, readFigures, recount, type RecountFilter } from './history/recount.ts';
import { isThorough, part } from '@app/database/testing/thorough';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

/** Over the night of spring and that of autumn, in the past of every run of this test. */
const UNTIL = new Date('2026-11-20T13:37:00Z');
const DAYS = 300;
let api: ApiFixture;
let admin: ApiCaller;
const ids: Record<'campaignId' | 'templateId' | 'channelId' | 'agentId' | 'teamId', string> = {
  ...{ campaignId: '', templateId: '', channelId: '', agentId: '', teamId: '' },
};
const get = async <Answer>(path: string): Promise<Answer> => {
  const response = await admin.get(`/api/analytics/${path}`);
  expect([response.status, path]).toEqual([200, path]);
  return response.json<Answer>();
};

beforeAll(async () => {
  api = await openApiFixture({}, { isWorking: false });
  admin = await api.as('admin');
  const { workspaceId } = api;
  await api.as('agent');
  const pool = api.db.systemPool;
  const size = { campaigns: 20, templates: 6, days: DAYS, messages: isThorough ? 60_000 : 4_000 };
  await fillHistory(pool, { workspaceId, until: UNTIL, size });
  await makeEvents(pool, workspaceId);
  const idOf = async (text: string) => (await pool.query<{ id: string }>(text, [workspaceId])).rows[0]!.id;
  ids.campaignId = await idOf(
    'SELECT id FROM campaigns WHERE workspace_id = $1 ORDER BY audience_size DESC, id LIMIT 1',
  );
  ids.templateId = await idOf(
    `SELECT id FROM templates WHERE workspace_id = $1 AND platform_name = 'history_2'`,
  );
  ids.channelId = await idOf(`SELECT id FROM channels WHERE workspace_id = $1 AND address = 'history-2'`);
  ids.teamId = await idOf(
    `SELECT team_id AS id FROM team_members WHERE workspace_id = $1 ORDER BY 1 LIMIT 1`,
  );
  ids.agentId = await idOf(
    `SELECT author_id AS id FROM messages WHERE workspace_id = $1 AND author = 'person' GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
  );
});
afterAll(() => api.close());

const TO = dayIn('UTC', UNTIL.getTime());
type Narrowed = { query: string; filter: RecountFilter };
/** What is asked: a filter whose id is known only when the rows are there is named by its key. */
const asked = (zone: string, from: string, to: string, by: keyof typeof ids | Narrowed | '' = '') =>
  [zone, from, to, typeof by === 'string' ? by : by.query, by] as const;

const cases = [
  asked('UTC', addDays(TO, -DAYS), TO),
  asked('Asia/Kolkata', addDays(TO, -DAYS), TO),
  asked('America/St_Johns', '2026-03-01', '2026-11-02'),
  asked('Australia/Lord_Howe', '2026-04-04', '2026-10-05'),
  asked('Pacific/Kiritimati', '2026-11-01', '2026-11-21'),
  // The clocks of the Azores go from one o'clock back to midnight: that day begins twice.
  asked('Atlantic/Azores', '2026-10-25', '2026-10-25'),
  asked('Atlantic/Azores', '2026-03-20', '2026-10-24'),
  asked('Europe/Berlin', '2026-03-29', '2026-03-29'),
  asked('Europe/Berlin', '2026-10-25', '2026-10-25'),
  asked('Asia/Kathmandu', '2017-01-01', '2026-12-31'),
  // In Ramadan the clocks are an hour back, for a month.
  asked('Africa/Casablanca', '2026-01-15', '2026-06-30'),
  asked('UTC', '2026-09-01', '2026-10-31', { query: 'channel=whatsapp', filter: { channel: 'whatsapp' } }),
  asked('Asia/Kolkata', '2026-06-01', '2026-10-31', 'channelId'),
  asked('UTC', '2026-01-01', '2026-11-20', 'campaignId'),
  asked('Asia/Kolkata', '2026-04-01', '2026-11-20', 'templateId'),
  asked('UTC', '2026-05-01', '2026-11-20', { query: 'tag=vip', filter: { tag: 'vip' } }),
  asked('Asia/Kolkata', '2026-10-01', '2026-10-31', {
    query: 'country=KZ',
    filter: { numbers: { of: '+77' } },
  }),
  asked('UTC', '2026-05-01', '2026-06-30', { query: 'country=DE', filter: { numbers: { of: '+49' } } }),
  asked('America/St_Johns', '2026-02-01', '2026-11-20', 'agentId'),
  asked('UTC', '2026-02-01', '2026-11-20', 'teamId'),
];
// Every second one; `npm run faults -- figures` asks for all.
test.each(part(cases, 2, 1))(
  'in %s from %s to %s by "%s", every figure is that of a count of the rows',
  async (zone, from, to, _, by) => {
    const { query, filter } =
      by === ''
        ? { query: '', filter: {} }
        : typeof by === 'string'
          ? { query: `${by}=${ids[by]}`, filter: { [by]: ids[by] } }
          : by;
    const reported = await readFigures(get, `from=${from}&to=${to}&zone=${zone}&${query}`);
    const counted = await recount(api.db.systemPool, {
      workspaceId: api.workspaceId,
      zone,
      from,
      to,
      filter,
    });
    expect(counted.counts.sent).toBeGreaterThan(0);
    expect(reported).toEqual(counted);
  },
);

test.each([
  asked('UTC', addDays(TO, -DAYS), TO),
  asked('Asia/Kolkata', '2026-03-01', '2026-11-20'),
  asked('Australia/Lord_Howe', '2026-02-04', '2026-11-05'),
  asked('America/St_Johns', '2026-10-25', '2026-11-08'),
  asked('Asia/Kathmandu', '2017-01-01', '2026-12-31'),
  asked('Asia/Kolkata', '2026-02-01', '2026-10-31', 'channelId'),
  asked('Asia/Kolkata', '2026-02-01', '2026-10-31', 'agentId'),
  asked('America/St_Johns', '2026-02-01', '2026-10-31', 'teamId'),
] as const)(
  'in %s from %s to %s by "%s", the inbox, contacts, the bot and workflows are those of a count of the rows',
  async (zone, from, to, name, by) => {
    const filter = typeof by === 'string' && by !== '' ? { [by]: ids[by] } : {};
    const filters = name === 'teamId' ? [filter, { ...filter, agentId: ids.agentId }] : [filter];
    for (const narrowed of filters) {
      const more = new URLSearchParams(narrowed).toString();
      const reported = await readSections(get, `from=${from}&to=${to}&zone=${zone}&${more}`);
      const { workspaceId } = api;
      const counted = await recountSections(api.db.systemPool, { workspaceId, zone, from, to, ...narrowed });
      expect(Number(counted.inbox[0]?.responses)).toBeGreaterThan(0);
      expect(reported).toEqual(counted);
      if (Object.keys(narrowed).length > 0) continue;
      const outcomes = { zone, from, to, windowDays: 7 };
      expect(await readOutcomes(get, outcomes)).toEqual(
        await recountOutcomes(api.db.systemPool, { workspaceId, ...outcomes }),
      );
    }
  },
);

test.each([
  ['America/St_Johns', '2026-09-15', '2026-11-02'],
  ['Asia/Kolkata', '2026-11-14', '2026-11-20'],
  ['UTC', '2026-02-01', '2026-02-28'],
])('in %s from %s to %s, the change is that against as many days right before', async (zone, from, to) => {
  const { workspaceId } = api;
  const days = daysBetween(from, to);
  const count = async (since: string, until: string) =>
    (await recount(api.db.systemPool, { workspaceId, zone, from: since, to: until })).counts;
  const [now, then] = [await count(from, to), await count(addDays(from, -days), addDays(from, -1))];
  const percent = (part: number, whole: number) => Math.round((part / whole) * 1_000) / 10;
  const wholeOf = (counts: typeof now, whole: 'tried' | 'delivered') =>
    whole === 'tried' ? counts.sent + counts.refused : counts.delivered;
  const rate = (part: 'delivered' | 'read' | 'replied', whole: 'tried' | 'delivered') => {
    const [value, all] = [percent(now[part], wholeOf(now, whole)), wholeOf(then, whole)];
    return { value, change: all === 0 ? null : round(value - percent(then[part], all)) };
  };
  expect(await get(`summary?from=${from}&to=${to}&zone=${zone}`)).toMatchObject({
    messages: { value: now.sent, change: then.sent === 0 ? null : percent(now.sent - then.sent, then.sent) },
    deliveryRate: rate('delivered', 'tried'),
    readRate: rate('read', 'delivered'),
    responseRate: rate('replied', 'delivered'),
  });
});
const round = (value: number) => Math.round(value * 10) / 10;

test('the sums of rollups are those of the rollups, also where a figure moves to another day', async () => {
  const pool = api.db.systemPool;
  await pool.query(
    `UPDATE message_rollups SET read = read - 1 WHERE ctid = (SELECT ctid FROM message_rollups WHERE read > 0 AND campaign_id IS NOT NULL LIMIT 1)`,
  );
  const { rows } = await pool.query<{ level: string; difference: string }>(
    `SELECT l.level, sum(s.read) - (SELECT sum(r.read) FROM message_rollups r WHERE l.level IN ('quarter', 'day', 'slot')
         OR l.level = 'campaign' AND r.campaign_id IS NOT NULL OR l.level = 'template' AND r.template_id IS NOT NULL) AS difference
       FROM (VALUES ('quarter'), ('day'), ('slot'), ('campaign'), ('template')) AS l (level) JOIN message_rollup_sums s ON s.level = l.level
      WHERE s.channel_id IS NULL GROUP BY 1`,
  );
  expect(rows).toHaveLength(5);
  expect(rows.filter(({ difference }) => difference !== '0')).toEqual([]);
});
