import { campaignOptOutsSql } from '@app/database/analytics/campaign-opt-outs';
import { outcomesSql, type OutcomePeriod } from '@app/database/analytics/outcome-source';
import { bindTo, type BindValue } from '@app/database/bind-value';
import { readBudget } from '@app/delivery/pace/budget';
import type { AbMetric, AbVerdict } from '@app/domain/campaigns/ab-test/ab-test';
import { confidenceInterval, type Proportion } from '@app/domain/campaigns/ab-test/proportions';
import { usualConversionSettings } from '@app/domain/conversions/conversion-settings';
import { currencyOf, fromMillionths, type Budget, type Pricing } from '@app/domain/settings/budget';
import { readGeneralSettings } from '@app/domain/settings/general-settings';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { readConversions } from './conversion-figures.ts';
import {
  askReport,
  asksForContacts,
  contactsSql,
  knowsClicks,
  sumsOf,
  type Report,
} from './report-source.ts';
import { periodParts, readOutcomePeriod } from './section-queries.ts';

const COUNTS = ['sent', 'delivered', 'read', 'failed', 'replied', 'refused'] as const;
type Counts = Record<(typeof COUNTS)[number], number>;
const SUMS = sumsOf(COUNTS);
const MOST_CAMPAIGNS = 1_000;
const MOST_TEMPLATES = 1_000;
const MOST_WORKFLOWS = 200;

type Sums = Counts & { clicked: number | null; cost: number | null };
type Campaign = Sums & { id: string; name: string | null; isDeleted: boolean; optOuts: number };

/** The funnel, what was spent, and each campaign with the opt-outs that followed it. */
export async function readResults(scope: ReadScope, report: Report, windowDays: number) {
  // Rollups alone know clicks and costs; they know no contacts.
  const more = knowsClicks(report)
    ? sumsOf(['clicked', 'cost'])
    : 'NULL::float8 AS clicked, NULL::float8 AS cost';
  const [all] = await askReport<Sums>(
    scope,
    report,
    'none',
    ({ counted }) => `SELECT ${SUMS}, ${more} FROM ${counted}`,
  );
  const { cost, ...funnel } = all!; // an aggregate without GROUP BY gives one row
  const period = await readOutcomePeriod(scope, report);
  const left = await readOptOuts(scope, report, { windowDays, period });
  const found = await askReport<Sums & { id: string }>(
    scope,
    report,
    'campaign',
    ({ counted }) =>
      `SELECT r.campaign_id AS id, ${SUMS}, ${more} FROM ${counted} AND r.campaign_id IS NOT NULL GROUP BY 1`,
  );
  const { settings, conversionDays } = await readSettings(scope);
  const { currency } = readGeneralSettings(settings);
  const results = await readConversions(scope, report, { windowDays: conversionDays, currency, period });
  const campaigns = (await nameCampaigns(scope, found, left, results?.byCampaign ?? new Map())).map(
    (one) => ({
      ...one,
      converted: results && (results.byCampaign.get(one.id)?.converted ?? 0),
      revenue: results && (results.byCampaign.get(one.id)?.revenue ?? 0),
    }),
  );
  return {
    ...{
      from: report.from,
      to: report.to,
      windowDays,
      conversionDays,
      funnel: { ...funnel, converted: results?.converted ?? null },
    },
    ...{ revenue: results?.revenue ?? null, revenueCurrency: results?.revenueCurrency ?? null },
    optOuts: [...left.values()].reduce((sum, one) => sum + one, 0),
    cost: cost === null ? null : fromMillionths(cost),
    ...(await readSpending(scope, settings)),
    abTests: await readAbTests(scope, report),
    total: campaigns.length,
    items: campaigns.slice(0, MOST_CAMPAIGNS),
  };
}

const MOST_TESTS = 100;

/** Tests are kept with their campaigns: few rows, and none of their recipients is read. */
async function readAbTests(scope: ReadScope, report: Report) {
  const { values, bind, since, before, workspace } = periodParts(scope, report);
  const { channelId, campaignId } = report;
  const is = (column: string, value: string | undefined) =>
    value === undefined ? '' : ` AND c.${column} = ${bind(value, 'uuid')}`;
  const ended = `(c.ab_result->'verdict'->>'at')::timestamptz`;
  const { rows } = await scope.query<{
    campaignId: string;
    name: string;
    metric: AbMetric;
    verdict: AbVerdict & { at: string; figures: Proportion[] };
  }>(
    `SELECT c.id AS "campaignId", c.name, c.ab_test->>'metric' AS metric, c.ab_result->'verdict' AS verdict FROM campaigns c
      WHERE c.workspace_id = ${workspace} AND c.ab_result->'verdict' IS NOT NULL AND ${ended} >= ${since} AND ${ended} < ${before}${is(
        'channel_id',
        channelId,
      )}${is('id', campaignId)} ORDER BY ${ended} DESC, c.id LIMIT ${MOST_TESTS}`,
    values,
  );
  return rows.map(({ verdict, ...test }) => ({
    ...test,
    outcome: verdict.outcome,
    endedAt: verdict.at,
    variants: verdict.figures.map(({ base, hits }, place) => ({
      ...{ base, hits, interval: confidenceInterval({ base, hits }) },
      isWinner: verdict.outcome === 'winner' && verdict.variant === place,
    })),
  }));
}

async function readOptOuts(
  scope: ReadScope,
  report: Report,
  { windowDays, period }: { windowDays: number; period: OutcomePeriod },
): Promise<Map<string, number>> {
  const values: unknown[] = [];
  const bind = bindTo(values);
  const { workspaceId } = scope;
  const narrowed = () => {
    const since = bind(period.since, 'timestamptz');
    const before = bind(period.before, 'timestamptz');
    const asked = { ...report, workspaceId, since, before, windowDays };
    const left = campaignOptOutsSql({ ...asked, contacts: contactsSql(report, workspaceId, bind) }, bind);
    return `SELECT o.campaign_id AS id, count(*)::integer AS contacts FROM (${left}) o GROUP BY 1`;
  };
  const counted = () =>
    `SELECT o.id, sum(o.contacts)::integer AS contacts FROM (${outcomesSql(
      {
        workspace: bind(workspaceId, 'uuid'),
        period,
        kinds: ['opt_out'],
        id: report.campaignId,
        channelId: report.channelId,
        channel: report.channel,
        templateId: report.templateId,
        windowDays,
      },
      bind,
    )}) AS o GROUP BY 1 HAVING sum(o.contacts) <> 0`;
  const { rows } = await scope.query<{ id: string; contacts: number }>(
    asksForContacts(report) ? narrowed() : counted(),
    values,
  );
  return new Map(rows.map(({ id, contacts: count }) => [id, count]));
}

/** With their names, those that sent most first; one that only lost or converted contacts in the period is among them. */
async function nameCampaigns(
  scope: ReadScope,
  found: readonly (Sums & { id: string })[],
  left: ReadonlyMap<string, number>,
  converted: ReadonlyMap<string, unknown>,
): Promise<Campaign[]> {
  const ids = [...new Set([...found.map(({ id }) => id), ...left.keys(), ...converted.keys()])];
  const { rows } = await scope.query<{ id: string; name: string | null; isDeleted: boolean }>(
    `SELECT f.id, coalesce(k.name, d.name) AS name, k.id IS NULL AS "isDeleted" FROM unnest($2::uuid[]) AS f (id)
       LEFT JOIN campaigns k ON k.id = f.id AND k.workspace_id = $1 LEFT JOIN rollup_names d ON d.id = f.id AND d.workspace_id = $1`,
    [scope.workspaceId, ids],
  );
  const figures = new Map(found.map((one) => [one.id, one]));
  const unknown = found.some(({ clicked }) => clicked === null) ? null : 0;
  return rows
    .map(({ id, name, isDeleted }) => {
      const { cost, ...sums } = figures.get(id) ?? { ...NONE, id, clicked: unknown, cost: unknown };
      return {
        ...sums,
        ...{ name, isDeleted, optOuts: left.get(id) ?? 0, cost: cost === null ? null : fromMillionths(cost) },
      };
    })
    .filter((one) => one.optOuts > 0 || converted.has(one.id) || COUNTS.some((name) => one[name] > 0))
    .toSorted((one, other) => other.sent - one.sent || (one.id < other.id ? -1 : 1));
}

const NONE: Counts = { sent: 0, delivered: 0, read: 0, failed: 0, replied: 0, refused: 0 };

type Settings = Record<string, unknown> & Pricing & { budget?: Budget | null };

/** Of the workspace, with the days after a click in which a conversion is one of it. */
async function readSettings(scope: ReadScope): Promise<{ settings: Settings; conversionDays: number }> {
  const { rows } = await scope.query<{ settings: Settings; conversionDays: number | null }>(
    `SELECT w.settings, c.window_days AS "conversionDays" FROM workspaces w LEFT JOIN conversion_settings c ON c.workspace_id = w.id WHERE w.id = $1`,
    [scope.workspaceId],
  );
  return {
    settings: rows[0]?.settings ?? {},
    conversionDays: rows[0]?.conversionDays ?? usualConversionSettings.windowDays,
  };
}

async function readSpending(scope: ReadScope, settings: Settings) {
  const budget = settings.budget?.isEnabled
    ? await readBudget(scope, scope.workspaceId, scope.clock().getTime())
    : null;
  return {
    currency: currencyOf(settings),
    budget: budget && {
      perMonth: fromMillionths(budget.perMonth),
      used: fromMillionths(budget.used),
      left: Math.max(0, fromMillionths(budget.left)),
    },
  };
}

type Template = Counts & {
  id: string;
  name: string | null;
  isDeleted: boolean;
  status: string | null;
  platformStatus: string | null;
  quality: string | null;
  total: number;
};

/** Templates that sent in the period, or are in trouble now: those in trouble first, then the ones that fail most. */
export async function readTemplateHealth(scope: ReadScope, report: Report) {
  const rows = await askReport<Template>(
    scope,
    report,
    'template',
    ({ counted, bind }) => `
    SELECT f.id, ${COUNTS.map((name) => `f.${name}`).join(', ')}, coalesce(k.name, d.name) AS name, k.id IS NULL AS "isDeleted", k.status,
           k.platform_status AS "platformStatus", k.quality, count(*) OVER ()::integer AS total
      FROM (SELECT r.template_id AS id, ${SUMS} FROM ${counted} AND r.template_id IS NOT NULL GROUP BY 1) AS f
      LEFT JOIN templates k ON k.id = f.id AND k.workspace_id = ${bind(scope.workspaceId, 'uuid')}
      LEFT JOIN rollup_names d ON d.id = f.id AND d.workspace_id = ${bind(scope.workspaceId, 'uuid')}
     WHERE f.sent + f.delivered + f.read + f.failed + f.replied > 0
     ORDER BY (k.status = 'rejected' OR k.platform_status IN ('PAUSED', 'DISABLED', 'FLAGGED') OR k.quality IN ('RED', 'LOW')) IS TRUE DESC,
       (k.quality IN ('YELLOW', 'MEDIUM')) IS TRUE DESC, f.failed / nullif(f.sent + f.refused, 0) DESC NULLS LAST, f.sent DESC, f.id
     LIMIT ${bind(MOST_TEMPLATES, 'integer')}`,
  );
  return {
    ...{ from: report.from, to: report.to },
    total: rows[0]?.total ?? 0,
    items: rows.map(({ id, name, isDeleted, status, platformStatus, quality, ...row }) => ({
      ...{ id, name, isDeleted, status, platformStatus, quality },
      ...{
        sent: row.sent,
        delivered: row.delivered,
        read: row.read,
        failed: row.failed,
        replied: row.replied,
        refused: row.refused,
      },
    })),
  };
}

/** What the bot solved alone, and how workflows ended. */
export async function readAutomation(scope: ReadScope, report: Report) {
  const period = await readOutcomePeriod(scope, report);
  const ask = async <Row extends object>(text: (workspace: string, bind: BindValue) => string) => {
    const values: unknown[] = [];
    const bind = bindTo(values);
    return (await scope.query<Row>(text(bind(scope.workspaceId, 'uuid'), bind), values)).rows;
  };
  const talks = await ask<{ kind: 'bot' | 'handoff'; reason: string; conversations: number }>(
    (workspace, bind) => {
      const kinds = ['bot', 'handoff'] as const;
      const counted = outcomesSql({ workspace, period, kinds, channelId: report.channelId }, bind);
      return `SELECT o.kind, o.label AS reason, sum(o.contacts)::integer AS conversations FROM (${counted}) AS o GROUP BY 1, 2
         HAVING sum(o.contacts) > 0 ORDER BY 3 DESC, 2`;
    },
  );
  const conversations = talks.find(({ kind }) => kind === 'bot')?.conversations ?? 0;
  const handoffs = talks.flatMap(({ kind, reason, conversations: count }) =>
    kind === 'handoff' ? [{ reason, conversations: count }] : [],
  );
  const workflows = await ask<{
    id: string;
    name: string;
    completed: number;
    failed: number;
    cancelled: number;
    contacts: number;
  }>((workspace, bind) => {
    const { channelId } = report;
    const kind = channelId === undefined ? 'run' : 'channel_run';
    const counted = outcomesSql({ workspace, period, kinds: [kind], channelId }, bind);
    const ended = (status: string) =>
      `coalesce(sum(o.events) FILTER (WHERE o.label = '${status}'), 0)::integer AS ${status}`;
    return `SELECT k.id, k.name, f.completed, f.failed, f.cancelled, f.contacts FROM (
         SELECT o.id, ${ended('completed')}, ${ended('failed')}, ${ended('cancelled')}, sum(o.contacts)::integer AS contacts, sum(o.events) AS events
           FROM (${counted}) AS o GROUP BY 1) AS f
        JOIN flows k ON k.id = f.id AND k.workspace_id = ${workspace} AND k.kind = 'workflow'
       WHERE f.events > 0 ORDER BY f.completed + f.failed + f.cancelled DESC, k.id LIMIT ${bind(MOST_WORKFLOWS, 'integer')}`;
  });
  return {
    ...{ from: report.from, to: report.to },
    bot: {
      conversations,
      solved: conversations - handoffs.reduce((sum, one) => sum + one.conversations, 0),
      handoffs,
    },
    workflows,
  };
}
