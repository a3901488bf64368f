import type { MessageCategory } from '@app/domain/delivery/audience';
import { DEFAULT_TIME_ZONE, inMillionths, monthAt, type Budget } from '@app/domain/settings/budget';
import { writeArray } from '../sql-array.ts';
import type { SqlClient } from '../sql-client.ts';

/** What a message to an address may cost, in millionths of the currency. */
export type PriceOf = (address: string, category: MessageCategory) => number;

export type BudgetRoom = {
  workspaceId: string;
  /** Its first day, as the database writes it. */
  month: string;
  perMonth: number;
  /** What may still be spent this month. */
  left: number;
  /** When the next one begins, in milliseconds since 1970. */
  nextMonthAt: number;
};

/** One try that may be charged. */
export type Charge = { ref: string; amount: number };

/** Of what came back so much must be there again before those who wait go on, so that they do not go on for each single message. */
const GO_ON_SHARE = 50;

export function chargeOfRecipient(runNo: number, seq: number, attempt: number): string {
  return `r${runNo}.${seq}.${attempt}`;
}

export function chargeOfMessage(messageId: string, attempt: number): string {
  return `m${messageId}.${attempt}`;
}

/**
 * What a workspace may still spend this month, over all its numbers and processes; null without a budget. Call it inside a transaction, after
 * the day's allowance and before any lock on a run: until that ends nobody else of the workspace takes any. The budget is read here, not
 * remembered, so that one that was lowered holds from the next claim on.
 */
export async function lockBudget(
  client: SqlClient,
  workspaceId: string,
  now: number,
): Promise<BudgetRoom | null> {
  const set = await findBudget(client, workspaceId, now);
  if (!set) return null;
  const { month, perMonth } = set;
  const of = [workspaceId, month];
  await client.query(
    `INSERT INTO budget_months AS m (workspace_id, month) VALUES ($1, $2)
     ON CONFLICT (workspace_id, month) DO UPDATE SET used = m.used`,
    of,
  );
  const { rows } = await client.query<{ used: string }>(
    `WITH back AS (DELETE FROM budget_returns WHERE workspace_id = $1 AND month = $2 RETURNING amount)
     UPDATE budget_months SET used = greatest(0, used - (SELECT coalesce(sum(amount), 0) FROM back))
     WHERE workspace_id = $1 AND month = $2 RETURNING used`,
    of,
  );
  return { ...set, left: Math.max(0, perMonth - Number(rows[0]?.used ?? 0)) };
}

/** The same as anybody may see it, without holding up others; null without a budget. */
export async function readBudget(
  client: SqlClient,
  workspaceId: string,
  now: number,
): Promise<(BudgetRoom & { used: number; countedFrom: Date | null }) | null> {
  const set = await findBudget(client, workspaceId, now);
  if (!set) return null;
  const { rows } = await client.query<{ used: string; counted_from: Date }>(
    `SELECT u.used - (SELECT coalesce(sum(b.amount), 0) FROM budget_returns b WHERE b.workspace_id = u.workspace_id AND b.month = u.month) AS used,
            u.counted_from
       FROM budget_months u WHERE u.workspace_id = $1 AND u.month = $2`,
    [workspaceId, set.month],
  );
  const used = Math.max(0, Number(rows[0]?.used ?? 0));
  return { ...set, used, left: set.perMonth - used, countedFrom: rows[0]?.counted_from ?? null };
}

async function findBudget(
  client: SqlClient,
  workspaceId: string,
  now: number,
): Promise<Omit<BudgetRoom, 'left'> | null> {
  const { rows } = await client.query<{ budget: Budget | null; zone: string | null }>(
    `SELECT settings->'budget' AS budget, settings->>'timeZone' AS zone FROM workspaces WHERE id = $1`,
    [workspaceId],
  );
  const { budget = null, zone = null } = rows[0] ?? {};
  if (!budget?.isEnabled) return null;
  const { month, nextMonthAt } = monthAt(now, zone ?? DEFAULT_TIME_ZONE);
  return { workspaceId, perMonth: inMillionths(budget.perMonth), month, nextMonthAt };
}

/** Counts tries that are handed out; in the transaction of `lockBudget`. What is counted already stays counted once, what was given back is counted anew. */
export async function chargeBudget(
  client: SqlClient,
  { workspaceId, month }: BudgetRoom,
  charges: readonly Charge[],
): Promise<void> {
  const due = charges.filter(({ amount }) => amount > 0);
  if (due.length === 0) return;
  await client.query(
    `WITH charged AS (
       INSERT INTO budget_charges (ref, workspace_id, month, amount)
       SELECT ref, $1, $2::date, amount FROM unnest($3::text[], $4::bigint[]) AS c (ref, amount)
       ON CONFLICT (ref) DO UPDATE SET month = excluded.month, amount = excluded.amount, given_back_for = NULL,
         charged_at = excluded.charged_at
         WHERE budget_charges.given_back_for IS NOT NULL RETURNING amount
     )
     UPDATE budget_months SET used = used + (SELECT coalesce(sum(amount), 0) FROM charged) WHERE workspace_id = $1 AND month = $2::date`,
    [workspaceId, month, writeArray(due.map(({ ref }) => ref)), writeArray(due.map(({ amount }) => amount))],
  );
}

/** Notes that somebody was turned away who needs so much; in the transaction of `lockBudget`. */
export async function noteBudgetFull(
  client: SqlClient,
  { workspaceId, month, perMonth }: BudgetRoom,
  needs: number,
): Promise<void> {
  await client.query(
    'UPDATE budget_months SET full_at = $3, needs = $4 WHERE workspace_id = $1 AND month = $2',
    [workspaceId, month, perMonth, Math.max(needs, Math.floor(perMonth / GO_ON_SHARE))],
  );
}

/** For tries that certainly cost nothing, because they failed or the platform calls them free; each gives back once. */
export async function returnCharges(
  client: SqlClient,
  workspaceId: string,
  refs: readonly string[],
  reason: 'failure' | 'free' = 'failure',
): Promise<void> {
  if (refs.length > 0)
    await client.query('SELECT return_charges($1, $2::text[], $3)', [workspaceId, refs, reason]);
}

/** For tries that were given up as failed and that somebody has all the same: what it cost is counted in its month, beyond the budget if need be. */
export async function takeChargesAgain(
  client: SqlClient,
  workspaceId: string,
  refs: readonly string[],
): Promise<void> {
  if (refs.length > 0) await client.query('SELECT take_charges_again($1, $2::text[])', [workspaceId, refs]);
}

/** A condition on `delivery_runs r`: it waits for the budget, which was raised or switched off, or of which enough came back. */
export const mayGoOnInBudgetSql = `(r.pause_reason = 'budget' AND (
  NOT EXISTS (SELECT FROM workspaces w WHERE w.id = r.workspace_id AND (w.settings->'budget'->>'isEnabled')::boolean)
  OR EXISTS (
    SELECT FROM workspaces w CROSS JOIN LATERAL (
      SELECT u.month, u.used, u.full_at, u.needs, (w.settings->'budget'->>'perMonth')::numeric * 1000000 AS per_month
        FROM budget_months u WHERE u.workspace_id = w.id ORDER BY u.month DESC LIMIT 1) AS u
     WHERE w.id = r.workspace_id AND (u.per_month > u.full_at OR u.per_month - u.used + (
       SELECT coalesce(sum(b.amount), 0) FROM budget_returns b WHERE b.workspace_id = w.id AND b.month = u.month) >= u.needs))))`;
