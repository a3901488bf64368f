import { choosePlan } from '@app/database/auth/write-settings';
import { readBudget } from '@app/delivery/pace/budget';
import type { WorkspaceSettings } from '@app/database/workspaces/workspaces-tables';
import type { PlanId } from '@app/domain/landing/plans';
import {
  currencyOf,
  DEFAULT_TIME_ZONE,
  fromMillionths,
  monthAt,
  usageLevel,
} from '@app/domain/settings/budget';
import { readPlan, usageOfPlan } from '@app/domain/settings/plan-usage';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

type Row = {
  plan: string;
  trial_ends_at: Date | null;
  settings: WorkspaceSettings;
  contacts: number;
};

/** What the workspace uses of its plan and its budget, from counters alone. */
export async function readUsage(scope: ReadScope) {
  const { workspaceId } = scope;
  const now = scope.clock().getTime();
  const { rows } = await scope.query<Row>(
    `SELECT w.plan, w.trial_ends_at, w.settings,
            (SELECT coalesce(sum(total), 0)::int FROM contact_counts WHERE workspace_id = w.id) AS contacts
       FROM workspaces w WHERE w.id = $1`,
    [workspaceId],
  );
  const { plan, trial_ends_at: trialEndsAt, settings, contacts } = rows[0]!; // the scope is of a workspace that is there
  const timeZone = settings.timeZone ?? DEFAULT_TIME_ZONE;
  const { month, beganAt } = monthAt(now, timeZone);
  const { rows: sent } = await scope.query<{ messages: number }>(
    `SELECT coalesce(sum(accepted), 0)::int AS messages FROM message_stats_now
      WHERE workspace_id = $1 AND hour >= $2`,
    [workspaceId, new Date(beganAt)],
  );
  const id = readPlan(plan);
  return {
    ...{ month, timeZone },
    plan: {
      id,
      trialEndsAt: trialEndsAt?.toISOString() ?? null,
      isTrialOver: trialEndsAt !== null && trialEndsAt.getTime() <= now,
      ...usageOfPlan(id, { messages: sent[0]?.messages ?? 0, contacts }),
    },
    budget: await presentBudget(scope, settings, now),
  };
}

async function presentBudget(scope: ReadScope, settings: WorkspaceSettings, now: number) {
  const budget = await readBudget(scope, scope.workspaceId, now);
  if (!budget) return null;
  const { perMonth, used, left, countedFrom } = budget;
  const { rows } = await scope.query(
    `SELECT FROM delivery_runs WHERE workspace_id = $1 AND state = 'paused' AND pause_reason = 'budget' AND completed_at IS NULL LIMIT 1`,
    [scope.workspaceId],
  );
  return {
    perMonth: fromMillionths(perMonth),
    used: fromMillionths(used),
    left: Math.max(0, fromMillionths(left)),
    currency: currencyOf(settings),
    // What is left may be less than the next message costs.
    level: rows.length > 0 ? ('full' as const) : usageLevel(used, perMonth),
    countedFrom: countedFrom?.toISOString() ?? null,
  };
}

/** What the plan promises changes, and nothing that is there. */
export async function changePlan(scope: WorkspaceScope, plan: PlanId): Promise<void> {
  if (await choosePlan(scope, scope.workspaceId, plan))
    await scope.emit({ type: 'settings.plan_changed', subject: scope.workspaceId, values: { plan } });
}
