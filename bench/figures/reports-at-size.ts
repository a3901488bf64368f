import { fillHistory, settleRollups } from '../../packages/api/test/analytics/history/fill-history.ts';
import {
  differenceOf,
  makeEvents,
  readFigures,
  recount,
} from '../../packages/api/test/analytics/history/recount.ts';
import { readOutcomes, recountOutcomes } from '../../packages/api/test/analytics/history/recount-outcomes.ts';
import { readSections, recountSections } from '../../packages/api/test/analytics/history/recount-sections.ts';
import { formatDeliveryTag } from '@app/domain/delivery/delivery-tag';
import { addDays, dayIn } from '@app/domain/analytics/report-period';
import { writeReportPeople, type ReportMetric } from '@app/domain/analytics/report-filter';
import { applyStatuses } from '@app/delivery/statuses/apply-statuses';
import { inTransaction } from '@app/delivery/transaction';
import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { openBenchProduct, waitUntilQuiet, type BenchProduct } from '../harness/bench-product.ts';
import { cpuOfTree } from '../harness/processes.ts';
import { median, show } from '../harness/rounds.ts';
import { percentile } from './contacts-at-size.ts';
import { inSmall } from '../../tools/small-run.ts';

const DAYS = 1_095;
const ZONES = inSmall(
  ['Asia/Kolkata'],
  ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Kiritimati'],
);
const ROLLED_UP_MS = 20;
const NARROWED_MS = 1_000;
/** What the page asks that rollups answer, and what reads rows where a filter needs them. */
const REPORTS = [
  'summary',
  'volume',
  'statuses',
  'campaigns?limit=1000',
  'templates?limit=1000',
  'best-time',
];
const SECTIONS = ['results', 'template-health', 'inbox', 'audience', 'automation'];

/** What the fill makes large. */
const FILLED = [
  ...['contacts', 'contact_consents', 'campaigns', 'messages', 'delivery_runs', 'delivery_recipients'],
  ...['conversations', 'conversation_rounds', 'bot_answers', 'flow_runs', 'conversions', 'budget_charges'],
  ...[
    'message_rollups',
    'message_rollup_sums',
    'message_rollup_deltas',
    'country_rollups',
    'country_rollup_sums',
    'inbox_rollups',
    'inbox_rollup_sums',
  ],
  ...[
    'inbox_rollup_deltas',
    'contact_rollups',
    'contact_rollup_sums',
    'contact_rollup_deltas',
    'reply_checks',
  ],
  ...['outcome_events', 'outcome_sums', 'outcome_checks'],
];

type Asked = { figure: string; path: string; goalMs: number };

/** Each query of the analytics page over years of messages, what it takes until a report is in it, and its difference to a count of the rows. */
export const reportsAtSize: Bench = {
  title: 'Reports at size',
  async run({ rounds, messages, home }) {
    const product = await openBenchProduct(home === undefined ? {} : { home });
    try {
      if (product.database.isNew) await product.withoutServer(() => fill(product, messages));
      const rows: BenchRow[] = [];
      for (const asked of await questionsOf(product))
        rows.push(await measure(product, asked, inSmall(1, rounds * 8)));
      rows.push(await measureOpening(product, inSmall(1, rounds * 4)));
      rows.push(await measureFreshness(product, inSmall(1, rounds * 4)));
      rows.push(...(await compare(product, messages)));
      return rows;
    } finally {
      await product.close();
    }
  },
};

/** In the place of the sample, so that the rows are all that was counted; a neighbour has a tenth. */
export async function fill({ database, workspaceId }: BenchProduct, messages: number): Promise<void> {
  const pool = database.database.systemPool;
  const say = (what: string) => console.log(`  ${new Date().toISOString().slice(11, 19)} ${what}`);
  for (const table of [
    ...[
      'messages',
      'conversations',
      'bot_answers',
      'flow_runs',
      'delivery_runs',
      'campaigns',
      'contacts',
      'contact_consents',
      'conversation_rounds',
      'conversions',
    ],
    ...[
      'message_rollups',
      'message_rollup_deltas',
      'message_rollup_sums',
      'country_rollups',
      'country_rollup_sums',
      'inbox_rollups',
      'inbox_rollup_sums',
      'contact_rollups',
      'contact_rollup_sums',
      'contact_rollup_deltas',
    ],
    ...['outcome_events', 'outcome_sums', 'outcome_checks'],
  ])
    await pool.query(`DELETE FROM ${table} WHERE workspace_id = $1`, [workspaceId]);
  const size = { campaigns: 400, templates: 40, days: DAYS };
  const neighbour = '00000000-0000-4000-8000-0000000000b1';
  await pool.query(`INSERT INTO workspaces (id, slug, name) VALUES ($1, 'neighbour', 'Neighbour')`, [
    neighbour,
  ]);
  const until = new Date();
  await fillHistory(
    pool,
    { workspaceId: neighbour, until, size: { ...size, messages: Math.ceil(messages / 10) } },
    say,
  );
  await fillHistory(pool, { workspaceId, until, size: { ...size, messages } }, say);
  for (const table of FILLED) await pool.query(`VACUUM ANALYZE ${table}`);
  say('vacuum');
}

async function questionsOf({ database, workspaceId }: BenchProduct): Promise<Asked[]> {
  const pool = database.database.systemPool;
  const today = dayIn('UTC', Date.now());
  const zone = 'Asia/Kolkata';
  const period = (days: number) => `from=${addDays(today, 1 - days)}&to=${today}&zone=${zone}`;
  const idOf = async (text: string) =>
    (await pool.query<{ id: string }>(text, [workspaceId])).rows[0]?.id ?? '';
  const campaign = await idOf(
    'SELECT id FROM campaigns WHERE workspace_id = $1 ORDER BY audience_size DESC, id LIMIT 1',
  );
  const template = await idOf(
    `SELECT id FROM templates WHERE workspace_id = $1 AND platform_name = 'history_2'`,
  );
  const sender = await idOf(`SELECT id FROM channels WHERE workspace_id = $1 AND address = 'history-2'`);
  const agent = await idOf(
    `SELECT author_id AS id FROM messages WHERE workspace_id = $1 AND author = 'person' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
  );
  const team = await idOf(
    `SELECT team_id AS id FROM team_members WHERE workspace_id = $1 ORDER BY 1 LIMIT 1`,
  );
  const contact = await idOf(
    'SELECT contact_id AS id FROM messages WHERE workspace_id = $1 AND contact_id IS NOT NULL ORDER BY occurred_at DESC LIMIT 1',
  );
  const pathOf = (name: string, query: string) =>
    `/api/analytics/${name}${name.includes('?') ? '&' : '?'}${query}`;
  const of = (names: readonly string[], what: string, query: string, goalMs: number) =>
    names.map((name) => ({
      figure: `${name.replace(/\?.*/, '')}, ${what}`,
      path: pathOf(name, query),
      goalMs,
    }));
  const people = (metric: ReportMetric, days: number) =>
    writeReportPeople({ metric, from: addDays(today, 1 - days), to: today, zone });
  return [
    ...of(REPORTS, '30 days', period(30), ROLLED_UP_MS),
    ...of([...REPORTS, ...SECTIONS], 'a year', period(365), ROLLED_UP_MS),
    ...of(
      [...REPORTS, ...SECTIONS],
      'ten years',
      `from=${addDays(today, -3_650)}&to=${today}&zone=${zone}`,
      ROLLED_UP_MS,
    ),
    ...of(['volume?bucket=day'], 'a year by day', period(365), ROLLED_UP_MS),
    ...of(REPORTS, 'a year of one sender', `${period(365)}&channelId=${sender}`, ROLLED_UP_MS),
    ...of(REPORTS, 'a year of one channel', `${period(365)}&channel=whatsapp`, ROLLED_UP_MS),
    ...of(REPORTS, 'a year of one campaign', `${period(365)}&campaignId=${campaign}`, ROLLED_UP_MS),
    ...of(REPORTS, 'a year of one template', `${period(365)}&templateId=${template}`, ROLLED_UP_MS),
    ...of(REPORTS, '30 days of a tag', `${period(30)}&tag=vip`, NARROWED_MS),
    ...of(['summary', 'volume'], 'a year of a tag', `${period(365)}&tag=vip`, NARROWED_MS),
    ...of(['summary', 'volume'], '30 days of a country', `${period(30)}&country=DE`, NARROWED_MS),
    ...of(['summary', 'volume'], 'a year of a country', `${period(365)}&country=DE`, NARROWED_MS),
    ...of(['summary'], 'a year of a member', `${period(365)}&agentId=${agent}`, NARROWED_MS),
    ...of(['summary'], 'a year of a team', `${period(365)}&teamId=${team}`, NARROWED_MS),
    ...of(['failures'], '30 days', period(30), NARROWED_MS),
    ...of(['failures'], 'a year', period(365), NARROWED_MS),
    ...of(['choices'], 'what can be filtered by', '', NARROWED_MS),
    {
      figure: 'best time of a contact',
      path: `/api/contacts/${contact}/best-time?zone=${zone}`,
      goalMs: ROLLED_UP_MS,
    },
    ...(['read', 'replied', 'optedOut'] as const).map((metric) => ({
      figure: `people behind ${metric}, 30 days`,
      path: `/api/contacts?limit=50&report=${encodeURIComponent(people(metric, 30))}`,
      goalMs: NARROWED_MS,
    })),
  ];
}

async function measure(
  product: BenchProduct,
  { figure, path, goalMs }: Asked,
  most: number,
): Promise<BenchRow> {
  const ask = async () => {
    const begun = performance.now();
    const answer = await product.get(path);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${figure}: ${answer.status}`);
    return performance.now() - begun;
  };
  // A server that runs has answered before: its code is compiled and its connections are open.
  for (let time = 0; time < 2; time += 1) await ask();
  const first = await ask();
  // What takes seconds is not asked for minutes.
  const times = Math.max(2, Math.min(most, Math.round(20_000 / first)));
  const [server, postgres] = [cpuOfTree(product.serverPid), cpuOfTree(product.database.serverPid)];
  const taken: number[] = [];
  for (let time = 0; time < times; time += 1) taken.push(await ask());
  const cpu = (now: number, then: number) => show((now - then) / times / 1e3);
  const used = `${cpu(cpuOfTree(product.serverPid), server)} + ${cpu(cpuOfTree(product.database.serverPid), postgres)}`;
  const p95 = percentile(taken, 95);
  const measured = `p95 ${show(p95)} ms, median ${show(median(taken))} ms; CPU ${used} ms`;
  console.log(`  ${figure}: ${measured}`);
  return { figure, measured, peer: '', goal: `p95 ≤ ${show(goalMs)} ms`, isMet: p95 <= goalMs };
}

/** From the click on Analytics, right after the dashboard is there, until its first figure is painted. */
async function measureOpening(product: BenchProduct, times: number): Promise<BenchRow> {
  const taken: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const page = await product.openPage();
    await page.goto('/dashboard');
    await page.getByText('Message Analytics').first().waitFor();
    await waitUntilQuiet(page);
    const painted = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const begin = ({ timeStamp }: MouseEvent): void => {
            const look = (): void => {
              const text = document.querySelector('main')?.textContent ?? '';
              const isThere = location.pathname.endsWith('/analytics') && /\d ?%/.test(text);
              requestAnimationFrame(isThere ? () => resolve(performance.now() - timeStamp) : look);
            };
            look();
          };
          addEventListener('click', begin, { once: true, capture: true });
        }),
    );
    const link = page.getByRole('navigation').getByRole('link', { name: /^Analytics/ });
    await link.hover();
    await page.waitForTimeout(150);
    await page.mouse.down();
    await page.mouse.up();
    taken.push(await painted);
    await page.context().close();
  }
  const p95 = percentile(taken, 95);
  console.log(`  opening: ${taken.map(show).join(', ')}`);
  return {
    figure: `click on Analytics → first figure painted (${times} first visits, pointer on the link 150 ms before)`,
    measured: `p95 ${show(p95)} ms, median ${show(median(taken))} ms`,
    ...{ peer: '', goal: 'p95 ≤ 300 ms', isMet: p95 <= 300 },
  };
}

/** From the commit of a report of the platform until the summary has it. */
async function measureFreshness(product: BenchProduct, times: number): Promise<BenchRow> {
  const today = dayIn('UTC', Date.now());
  const readOf = async () => {
    const answer = await product.get(`/api/analytics/summary?from=${today}&to=${addDays(today, 1)}&zone=UTC`);
    return ((await answer.json()) as { counts: { read: number } }).counts.read;
  };
  const taken: number[] = [];
  for (const recipient of await unreadOf(product, times)) {
    const before = await readOf();
    await report(product, recipient, [['read', Date.now()]]);
    const begun = performance.now();
    while ((await readOf()) === before) continue;
    taken.push(performance.now() - begun);
  }
  const most = Math.max(...taken);
  return {
    figure: 'from the commit of a report until it is in the summary, with the request that shows it',
    measured: `most ${show(most)} ms, median ${show(median(taken))} ms`,
    ...{ peer: '', goal: '≤ 2 s', isMet: most <= 2_000 },
  };
}

type Recipient = { runNo: number; seq: number; at: number };

async function unreadOf({ database, workspaceId }: BenchProduct, most: number): Promise<Recipient[]> {
  const { rows } = await database.database.systemPool.query<Recipient>(
    `SELECT run_no::float8 AS "runNo", seq, (extract(epoch FROM delivered_at) * 1000)::float8 AS at FROM delivery_recipients
      WHERE run_no = ANY (ARRAY(SELECT run_no FROM delivery_runs WHERE workspace_id = $1 ORDER BY run_no DESC LIMIT 20))
        AND state = 2 AND delivered_at IS NOT NULL AND read_at IS NULL ORDER BY hashint8(seq + run_no) LIMIT $2`,
    [workspaceId, most],
  );
  return rows;
}

type Reported = readonly ['sent' | 'delivered' | 'read' | 'failed', number];

async function report(
  { database, workspaceId }: BenchProduct,
  { runNo, seq }: Recipient,
  reports: readonly Reported[],
): Promise<void> {
  const tag = formatDeliveryTag({ runNo, seq, attempt: 1 });
  await inTransaction(database.database.systemPool, (client) =>
    applyStatuses(
      client,
      reports.map(([status, occurredAt]) => ({
        ...{ workspaceId, tag, status, occurredAt, messageId: `wamid.${tag}`, action: null },
        error: status === 'failed' ? { code: '131026', title: 'No' } : null,
      })),
    ),
  );
}

/** Late, doubled and reordered reports come in; then each figure is compared with a count of the rows, in five time zones and by each filter. */
async function compare(product: BenchProduct, messages: number): Promise<BenchRow[]> {
  const { database, workspaceId } = product;
  const pool = database.database.systemPool;
  const late = await unreadOf(product, Math.min(2_000, Math.ceil(messages / 100)));
  for (const [place, recipient] of late.entries()) {
    const { at } = recipient;
    await report(product, recipient, [
      ['read', at + 7_200_000],
      ['delivered', at - 60_000],
      ['read', at + 7_200_000],
    ]);
    if (place % 2 === 0)
      await report(product, recipient, [
        ['read', at + 3_600_000],
        ['failed', at + 1_000],
      ]);
    if (place % 3 === 0)
      await report(product, recipient, [
        ['read', at + 7_200_000],
        ['sent', at - 90_000],
        ['delivered', at],
      ]);
  }
  await settleRollups(pool);
  console.log(`  ${late.length} recipients with late, doubled and reordered reports`);
  await makeEvents(pool, workspaceId);
  console.log('  counting the rows');
  const today = dayIn('UTC', Date.now());
  const get = async <Answer>(path: string): Promise<Answer> => {
    const answer = await product.get(`/api/analytics/${path}`);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return (await answer.json()) as Answer;
  };
  const rows: BenchRow[] = [];
  for (const zone of ZONES) {
    const [from, to] = [addDays(today, -DAYS - 1), addDays(today, 1)];
    const reported = await readFigures(get, `from=${from}&to=${to}&zone=${zone}`);
    const difference = differenceOf(reported, await recount(pool, { workspaceId, zone, from, to }));
    const sections = differenceOf(
      await readSections(get, `from=${from}&to=${to}&zone=${zone}`),
      await recountSections(pool, { workspaceId, zone, from, to }),
    );
    const once = { zone, from, to, windowDays: 7 };
    const outcomes = differenceOf(
      await readOutcomes(get, once),
      await recountOutcomes(pool, { workspaceId, ...once }),
    );
    console.log(`  ${zone}: ${difference}, ${sections}, ${outcomes}`);
    rows.push({
      figure: `difference of all sums, days, weeks, months, hours, campaigns, templates and failures from a count of the rows, ${zone}`,
      measured: show(difference),
      ...{ peer: `${show(reported.counts.sent)} sent`, goal: '0', isMet: difference === 0 },
    });
    rows.push({
      figure: `difference of the inbox, its members, teams and ratings, contacts by day, the bot and workflows from a count of the rows, ${zone}`,
      measured: show(sections),
      ...{ peer: '', goal: '0', isMet: sections === 0 },
    });
    rows.push({
      figure: `difference of opt-outs and conversions, in all and by campaign, from a count of the rows, ${zone}`,
      measured: show(outcomes),
      ...{ peer: '', goal: '0', isMet: outcomes === 0 },
    });
  }
  return rows;
}
