import type { CampaignAbResult, CampaignAbTest } from '@app/database/campaigns/campaigns-tables';
import { confidenceInterval, type Proportion } from '@app/domain/campaigns/ab-test/proportions';
import type { AbMetric } from '@app/domain/campaigns/ab-test/ab-test';
import { recipientState } from '@app/domain/delivery/recipient-state';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import type { CampaignRow } from '../../sending/campaign-overview.ts';
import { findCampaign } from '../campaigns-queries.ts';

const ARRIVED = 'least(r.delivered_at, r.read_at)';
/** When recipient `r` of `delivery_runs run` did what a rule asks for. */
const HIT_AT: Record<AbMetric, string> = {
  read: 'r.read_at',
  reply: 'r.replied_at',
  click: `(SELECT min(k.clicked_at) FROM link_clicks k WHERE k.owner = 'r' || r.run_no AND k.seq = r.seq)`,
  conversion: `(SELECT min(v.occurred_at) FROM conversions v WHERE v.workspace_id = r.workspace_id AND v.contact_id = r.contact_id
    AND v.campaign_id = run.campaign_id AND v.cancelled_at IS NULL)`,
};

type Counts = {
  recipients: number;
  sent: number;
  delivered: number;
  read: number;
  replied: number;
  failed: number;
  hits: number;
};
type Row = Counts & { variant: number | null; in_test: boolean };

/** The test of a campaign, as its page shows it. */
export async function readAbTest(scope: ReadScope, campaignId: string) {
  const row = await findCampaign(scope, campaignId);
  if (!row) return 'campaign_not_found';
  if (row.abTest === null) return 'campaign_without_test';
  const { abTest: test, abResult: result } = row;
  const none = { variants: [], rest: null, waiting: 0, holdout: null };
  const stored = {
    plan: result?.plan ?? null,
    endsAt: result?.endsAt ?? null,
    verdict: result?.verdict ? presentVerdict(result.verdict) : null,
    chosen: result?.chosen ?? null,
  };
  if (row.runNo === null || result === null) return { state: 'planned' as const, ...stored, ...none };
  const rows = await countVariants(scope, row.runNo, test);
  const count = test.variants.length + 1;
  const ofTest = Array.from({ length: count }, (_, variant) =>
    rows.find((one) => one.in_test && one.variant === variant),
  );
  const rest = rows.filter((one) => !one.in_test);
  const behind = rest.reduce((sum, { recipients }) => sum + recipients, 0);
  const isOver = result.verdict !== undefined || row.status === 'cancelled';
  return {
    state: isOver ? ('over' as const) : ('testing' as const),
    ...stored,
    waiting: result.chosen || row.status === 'cancelled' ? 0 : behind,
    variants: ofTest.map((one) => present(one ?? NOBODY)),
    rest: result.chosen && behind > 0 ? present(rest.reduce(add, NOBODY)) : null,
    holdout: test.holdoutPercent > 0 ? await readHoldout(scope, row, test) : null,
  };
}

const NOBODY: Counts = { recipients: 0, sent: 0, delivered: 0, read: 0, replied: 0, failed: 0, hits: 0 };

function add(one: Counts, other: Counts): Counts {
  return {
    recipients: one.recipients + other.recipients,
    sent: one.sent + other.sent,
    delivered: one.delivered + other.delivered,
    read: one.read + other.read,
    replied: one.replied + other.replied,
    failed: one.failed + other.failed,
    hits: one.hits + other.hits,
  };
}

function present({ recipients, sent, delivered, read, replied, failed, hits }: Counts) {
  const counts = { recipients, sent, delivered, read, replied, failed, base: delivered, hits };
  return { ...counts, interval: confidenceInterval(counts) };
}

function presentVerdict(verdict: NonNullable<CampaignAbResult['verdict']>) {
  const { at, outcome } = verdict;
  return { at, outcome, variant: verdict.outcome === 'winner' ? verdict.variant : null };
}

/** What each variant has come to, of those who take part in the test and of those behind them. */
async function countVariants(scope: ReadScope, runNo: number, test: CampaignAbTest): Promise<Row[]> {
  const { accepted, refused } = recipientState;
  const { rows } = await scope.query<Row>(
    `SELECT r.variant, r.variant IS NOT NULL AS in_test, count(*)::integer AS recipients,
            count(*) FILTER (WHERE r.state = ${accepted})::integer AS sent,
            count(*) FILTER (WHERE r.state = ${accepted} AND ${ARRIVED} IS NOT NULL)::integer AS delivered,
            count(*) FILTER (WHERE r.state = ${accepted} AND r.read_at IS NOT NULL)::integer AS read,
            count(*) FILTER (WHERE r.state = ${accepted} AND r.replied_at IS NOT NULL)::integer AS replied,
            count(*) FILTER (WHERE r.state = ${refused} OR r.state = ${accepted} AND r.failed_at IS NOT NULL AND ${ARRIVED} IS NULL)::integer AS failed,
            count(*) FILTER (WHERE ${hitSql(test.metric, '$3')})::integer AS hits
       FROM delivery_recipients r JOIN delivery_runs run USING (run_no)
      WHERE r.workspace_id = $1 AND r.run_no = $2 AND r.seq < run.total GROUP BY 1, 2`,
    [scope.workspaceId, runNo, test.windowHours],
  );
  return rows;
}

/** Whether a recipient did what the rule asks for, within so many hours of the delivery. */
function hitSql(metric: AbMetric, hours: string): string {
  return `r.state = ${recipientState.accepted} AND ${HIT_AT[metric]} <= ${ARRIVED} + make_interval(hours => ${hours}::integer)`;
}

/** How far a test is, for the decision about it. `isOut`: all its messages have left, and the last one was accepted at `lastAt`. */
export async function measureTest(
  scope: ReadScope,
  {
    runNo,
    testSize,
    variants,
    rule,
  }: {
    runNo: number;
    testSize: number;
    variants: number;
    rule: Pick<CampaignAbTest, 'metric' | 'windowHours'>;
  },
): Promise<{ isOut: boolean; lastAt: Date | null; figures: Proportion[] }> {
  const { pending, sending, waiting, accepted } = recipientState;
  const { rows } = await scope.query<{
    variant: number;
    open: number;
    lastAt: Date | null;
    base: number;
    hits: number;
  }>(
    `SELECT r.variant, count(*) FILTER (WHERE r.state IN (${pending}, ${sending}, ${waiting}))::integer AS open, max(r.accepted_at) AS "lastAt",
            count(*) FILTER (WHERE r.state = ${accepted} AND ${ARRIVED} IS NOT NULL)::integer AS base,
            count(*) FILTER (WHERE ${hitSql(rule.metric, '$4')})::integer AS hits
       FROM delivery_recipients r JOIN delivery_runs run USING (run_no)
      WHERE r.workspace_id = $1 AND r.run_no = $2 AND r.seq < $3 AND r.variant IS NOT NULL GROUP BY 1`,
    [scope.workspaceId, runNo, testSize, rule.windowHours],
  );
  const times = rows.flatMap(({ lastAt }) => lastAt?.getTime() ?? []);
  return {
    isOut: rows.every(({ open }) => open === 0),
    lastAt: times.length > 0 ? new Date(Math.max(...times)) : null,
    figures: Array.from({ length: variants }, (_, variant) => {
      const found = rows.find((one) => one.variant === variant);
      return { base: found?.base ?? 0, hits: found?.hits ?? 0 };
    }),
  };
}

/** How many of those who were held out, and of all others, wrote to us within the window after the start: the effect of the campaign itself. */
async function readHoldout(scope: ReadScope, row: CampaignRow, { windowHours }: CampaignAbTest) {
  const { rows } = await scope.query<{ isHeldOut: boolean; contacts: number; wrote: number }>(
    `WITH run AS MATERIALIZED (SELECT run_no, channel_id, coalesce(started_at, now()) AS since FROM delivery_runs WHERE run_no = $2),
     wrote AS MATERIALIZED (
       SELECT DISTINCT m.contact_id FROM messages m, run WHERE m.workspace_id = $1 AND m.channel_id = run.channel_id AND m.direction = 'in'
          AND is_said(m) AND m.occurred_at >= run.since AND m.occurred_at <= run.since + make_interval(hours => $3::integer))
     SELECT coalesce(r.error_code = 'held_out', false) AS "isHeldOut", count(*)::integer AS contacts, count(w.contact_id)::integer AS wrote
       FROM delivery_recipients r LEFT JOIN wrote w ON w.contact_id = r.contact_id
      WHERE r.workspace_id = $1 AND r.run_no = $2 AND (r.error_code = 'held_out' OR r.state = ${recipientState.accepted}) GROUP BY 1`,
    [scope.workspaceId, row.runNo, windowHours],
  );
  const groupOf = (isHeldOut: boolean) => {
    const { contacts, wrote } = rows.find((one) => one.isHeldOut === isHeldOut) ?? { contacts: 0, wrote: 0 };
    return { contacts, wrote, interval: confidenceInterval({ base: contacts, hits: wrote }) };
  };
  return { heldOut: groupOf(true), reached: groupOf(false) };
}
