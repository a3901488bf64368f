import {
  guardMessage,
  type MessagePurpose,
  type MessageError,
} from '@app/domain/conversations/guard-message';
import { readCause, type Cause } from '@app/domain/events/fact-cause';
import {
  priorityOfRank,
  waitsInQuietHours,
  type MessagePriority,
} from '@app/domain/conversations/message-priority';
import { quietUntil, type QuietHours } from '@app/domain/campaigns/quiet-hours';
import type { DailyLimits } from '@app/domain/channels/channel-limits';
import { isCappedNumber, type PromotionCap } from '@app/domain/channels/promotion-cap';
import type { MessageIntent } from '@app/domain/messaging/channel-port';
import type { MessageContent } from '@app/domain/messaging/message-content';
import type { MessageCategory } from '@app/domain/delivery/audience';
import { chargeBudget, chargeOfMessage, lockBudget, returnCharges, type PriceOf } from '../pace/budget.ts';
import {
  giveBackDailyAllowance,
  isLimited,
  lockDailyAllowance,
  useDailyAllowance,
} from '../pace/daily-allowance.ts';
import { reserveReply } from '../pace/reply-rate.ts';
import type { SqlClient } from '../sql-client.ts';
import { standingOf, type EligibilityRow } from './message-eligibility.ts';

/** Why a message did not leave. */
export type CancelCode =
  | MessageError
  | 'daily_limit_reached'
  | 'budget_reached'
  | 'capped'
  | 'promotions_capped'
  | 'expired'
  | FileCode;
/** What keeps a file from the platform. */
export type FileCode = 'file_gone' | 'file_refused' | 'platform_unreachable';

/** A message of ours as its sender sees it. */
export type OwnMessage = {
  id: string;
  workspaceId: string;
  channelId: string;
  contactId: string | null;
  purpose: MessagePurpose;
  priority: MessagePriority;
  content: MessageContent;
  intent: MessageIntent;
  to: string;
  no: number;
  attempt: number;
  at: Date;
  allowanceDay: string | null;
  /** What led to it. */
  cause: Cause | null;
};

export type Claimed =
  /** It is the owner's for as long as the lease lasts; nothing has left, and whoever finds it later may take it anew. */
  | { outcome: 'claimed'; message: OwnMessage; waitMs: number }
  | { outcome: 'cancelled'; message: OwnMessage; code: CancelCode };

/** `takesUserIds`: what the channel can do, as far as it says. */
type Claiming = { id: string; owner: string; now: number; takesUserIds?: boolean | undefined };

/** Longer than any wait for a place in the channel's rate, and than a slow database. */
const LEASE_MS = 10_000;
/** Longer than any call: what has no end by then is in doubt. */
export const CALL_MS = 60_000;

/**
 * A condition on `messages m`: it waits, nobody has it, and in its conversation none is being sent and none goes before it, by priority and then by
 * number. So an agent's reply does not wait behind what a flow left for the morning.
 */
export const isDueSql = `m.state = 'queued' AND (m.owner IS NULL OR m.lease_until < clock_timestamp())
  AND (m.not_before IS NULL OR m.not_before <= clock_timestamp())
  AND NOT EXISTS (SELECT FROM messages e WHERE e.state IN ('queued', 'sending') AND e.contact_id = m.contact_id
    AND e.channel_id = m.channel_id AND ((e.priority, e.send_no) < (m.priority, m.send_no) OR (e.state = 'sending' AND e.id <> m.id)))`;

/**
 * Takes a message for its sender, with a place in the rate of its channel and in the allowance of the day. Call it inside a transaction,
 * as its last statement: campaigns of the workspace wait for that commit. Null when it is not due, when it waits for the end of the quiet hours, or
 * when somebody else has it.
 * @throws NoMomentYet for a bot or a flow whose number has no moment near: the transaction is rolled back
 */
export async function claimMessage(
  client: SqlClient,
  {
    id,
    owner,
    perMinute = null,
    perDay,
    ofKind = null,
    marketingPerWeek = null,
    promotionCap = null,
    priceOf = null,
    now,
    takesUserIds = true,
  }: Claiming & {
    perMinute?: number | null;
    perDay: number | null;
    ofKind?: DailyLimits['ofKind'];
    marketingPerWeek?: number | null;
    promotionCap?: PromotionCap | null;
    priceOf?: PriceOf | null;
  },
): Promise<Claimed | null> {
  const daily = { perDay, ofKind };
  const found = await readMessage(client, id, isDueSql, []);
  if (!found) return null;
  const { message, refusal, quietUntil: until } = validateMessage(found, { now, takesUserIds });
  if (refusal) return cancel(client, message, refusal);
  if (until) return holdUntil(client, message, until);
  if (found.is_marketing && marketingPerWeek !== null) {
    // One claim of the workspace after the other, so that each sees what all before it have taken.
    await lockDailyAllowance(client, message.workspaceId, daily, now);
    if ((await readMarketingInWeek(client, message)) >= marketingPerWeek)
      return cancel(client, message, 'capped');
  }
  if (found.is_marketing && promotionCap && isCappedNumber(promotionCap, message.to)) {
    await lockDailyAllowance(client, message.workspaceId, daily, now);
    if ((await readPromotions(client, message, promotionCap)) >= promotionCap.most)
      return cancel(client, message, 'promotions_capped');
  }
  let day = message.allowanceDay;
  if (isLimited(daily) && day === null) {
    const allowance = await lockDailyAllowance(client, message.workspaceId, daily, now);
    if (allowance.left === 0) return cancel(client, message, 'daily_limit_reached');
    ({ day } = allowance);
    await useDailyAllowance(client, message.workspaceId, day, { count: 1, ofKind });
  }
  const charge = {
    ref: chargeOfMessage(message.id, message.attempt + 1),
    amount: priceOf === null ? 0 : priceOf(message.to, categoryOf(found, now)),
  };
  const room = charge.amount > 0 ? await lockBudget(client, message.workspaceId, now) : null;
  if (room) {
    // One that was claimed before, and did not leave, has its charge already: this month's, or that of a month that ended meanwhile.
    const chargedIn = await findCharge(client, charge.ref);
    if (chargedIn !== null && chargedIn !== room.month)
      await returnCharges(client, message.workspaceId, [charge.ref]);
    if (charge.amount > room.left && chargedIn !== room.month)
      return cancel(client, { ...message, allowanceDay: day }, 'budget_reached');
    await chargeBudget(client, room, [charge]);
  }
  const { waitMs } = await reserveReply(client, message.channelId, perMinute, message.priority);
  await client.query(
    `UPDATE messages SET owner = $2, lease_until = clock_timestamp() + make_interval(secs => $3), allowance_day = $4 WHERE id = $1`,
    [id, owner, (waitMs + LEASE_MS) / 1_000, day],
  );
  return { outcome: 'claimed', message: { ...message, allowanceDay: day }, waitMs };
}

/**
 * The intent: once this is committed, the message may have left, whatever becomes of its sender. Looks at contact, window and channel for the
 * last time. Null when the message is the owner's no more.
 */
export async function beginMessage(
  client: SqlClient,
  { id, owner, now, takesUserIds = true }: Claiming,
): Promise<Claimed | null> {
  const isMine = `m.state = 'queued' AND m.owner = $2 AND m.lease_until > clock_timestamp()`;
  const found = await readMessage(client, id, isMine, [owner]);
  if (!found) return null;
  const { message, refusal, quietUntil: until } = validateMessage(found, { now, takesUserIds });
  if (refusal) return cancel(client, message, refusal);
  if (until) return holdUntil(client, message, until);
  await client.query(
    `UPDATE messages SET state = 'sending', attempt = attempt + 1, lease_until = clock_timestamp() + make_interval(secs => $2) WHERE id = $1`,
    [id, CALL_MS / 1_000],
  );
  return { outcome: 'claimed', message: { ...message, attempt: message.attempt + 1 }, waitMs: 0 };
}

/** By which price it goes. Free text, and within an open window what is no marketing, costs nothing; a test may be any template. */
function categoryOf(
  { content, is_marketing: isMarketing, purpose, window_ends_at: until }: Row,
  now: number,
): MessageCategory {
  if (content.type !== 'template') return 'service';
  if (isMarketing || purpose === 'test') return 'marketing';
  return until !== null && until.getTime() > now ? 'service' : 'utility';
}

/** The month in which a try is counted; null when it is in none. */
async function findCharge(client: SqlClient, ref: string): Promise<string | null> {
  const { rows } = await client.query<{ month: string }>(
    'SELECT month::text AS month FROM budget_charges WHERE ref = $1 AND given_back_for IS NULL',
    [ref],
  );
  return rows[0]?.month ?? null;
}

async function readMarketingInWeek(
  client: SqlClient,
  { id, workspaceId, contactId }: OwnMessage,
): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT marketing_in_week($1, $2, NULL, $3) AS count',
    [workspaceId, contactId, id],
  );
  return rows[0]?.count ?? 0;
}

async function readPromotions(
  client: SqlClient,
  { id, workspaceId, contactId }: OwnMessage,
  { kind, days }: PromotionCap,
): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT promotions_through($1, $2, $3, $4, NULL, $5) AS count',
    [workspaceId, contactId, kind, days, id],
  );
  return rows[0]?.count ?? 0;
}

type Row = EligibilityRow & {
  id: string;
  workspace_id: string;
  channel_id: string;
  contact_id: string | null;
  purpose: MessagePurpose;
  priority: number;
  quiet_hours: QuietHours | null;
  content: MessageContent;
  send_no: string;
  attempt: number;
  occurred_at: Date;
  allowance_day: string | null;
  give_up_at: Date | null;
  is_marketing: boolean;
  needs_window: boolean;
  address: string | null;
  text: string | null;
  send_at: Date | null;
  cause: unknown;
};

/** One message with all that says whether it may leave, locked; undefined when the condition on `m` fails or somebody else has it. */
export async function readMessage(
  client: SqlClient,
  id: string,
  condition: string,
  values: unknown[],
): Promise<Row | undefined> {
  const { rows } = await client.query<Row>(
    `SELECT m.id, m.workspace_id, m.channel_id, m.contact_id, m.purpose, m.priority,
            (SELECT w.settings->'quietHours' FROM workspaces w WHERE w.id = m.workspace_id) AS quiet_hours, m.content, m.send_no, m.attempt, m.occurred_at,
            m.allowance_day::text AS allowance_day, m.give_up_at, m.text, m.send_at, m.is_marketing, m.needs_window, m.address, m.cause, k.status AS contact_status,
            k.phone, k.platform_user_id, k.opted_out_at, h.until AS held_until, c.window_ends_at, ch.is_connected, ch.stopped_for
       FROM messages m JOIN channels ch ON ch.id = m.channel_id
       LEFT JOIN contacts k ON k.id = m.contact_id
       LEFT JOIN conversations c ON c.contact_id = m.contact_id AND c.channel_id = m.channel_id
       LEFT JOIN marketing_holds h ON h.contact_id = m.contact_id
      WHERE m.id = $1 AND ${condition} FOR UPDATE OF m SKIP LOCKED`,
    [id, ...values],
  );
  return rows[0];
}

export function validateMessage(
  row: Row,
  { now, takesUserIds }: { now: number; takesUserIds: boolean },
): { message: OwnMessage; refusal: CancelCode | null; quietUntil: Date | null } {
  const { purpose, is_marketing: isMarketing, needs_window: hasWindow, quiet_hours: quiet } = row;
  const priority = priorityOfRank(row.priority);
  const refusal = guardMessage(
    {
      ...{ purpose, isMarketing, isTemplate: !hasWindow, isUnasked: isOptedOutSince(row, priority) },
      ...standingOf(row, { hasWindow, takesUserIds }),
    },
    now,
  );
  const isExpired = row.give_up_at !== null && row.give_up_at.getTime() <= now;
  return {
    refusal: refusal ?? (isExpired ? 'expired' : null),
    quietUntil:
      quiet && waitsInQuietHours({ priority, isMarketing }) ? quietUntil(quiet, new Date(now)) : null,
    message: {
      ...{ id: row.id, workspaceId: row.workspace_id, channelId: row.channel_id, contactId: row.contact_id },
      ...{
        ...{ purpose: row.purpose, priority },
        ...{ content: row.content, intent: intentOf(row, priority) },
        to: row.address ?? row.phone ?? row.platform_user_id ?? '',
      },
      ...{ no: Number(row.send_no), attempt: row.attempt, at: row.occurred_at },
      allowanceDay: row.allowance_day,
      cause: readCause(row.cause),
    },
  };
}

/** What a workflow answers was looked at when its message was enqueued. The platform names whole seconds. */
function isOptedOutSince(
  { opted_out_at: optedOutAt, occurred_at: at }: Row,
  priority: MessagePriority,
): boolean {
  return (
    priority === 'flow' &&
    optedOutAt !== null &&
    optedOutAt.getTime() >= Math.floor(at.getTime() / 1_000) * 1_000
  );
}

/** A flow writes by itself. A contact who opted out gets nothing automatically, except the confirmation of it. */
function intentOf(
  { is_marketing: isMarketing, purpose, opted_out_at: optedOutAt }: Row,
  priority: MessagePriority,
): MessageIntent {
  if (isMarketing) return 'marketing';
  if (priority === 'flow') return 'utility';
  return purpose === 'automation' && optedOutAt !== null ? 'acknowledgement' : 'service';
}

/** Quiet hours do not refuse a message: it stays queued until they end, and gives back what it has taken of the day and the budget. */
async function holdUntil(client: SqlClient, message: OwnMessage, until: Date): Promise<null> {
  const { id, workspaceId, attempt, allowanceDay } = message;
  await client.query(
    'UPDATE messages SET not_before = $2, owner = NULL, lease_until = NULL, allowance_day = NULL WHERE id = $1',
    [id, until],
  );
  if (allowanceDay !== null) await giveBackDailyAllowance(client, message, allowanceDay);
  await returnCharges(client, workspaceId, [chargeOfMessage(id, attempt + 1)]);
  return null;
}

/** A claimed message whose file the platform will not have; null when it is the owner's no more. */
export async function cancelClaimed(
  client: SqlClient,
  message: OwnMessage,
  { owner, code, detail }: { owner: string; code: FileCode; detail: string | null },
): Promise<Claimed | null> {
  const isMine = `m.state = 'queued' AND m.owner = $2`;
  if (!(await readMessage(client, message.id, isMine, [owner]))) return null;
  return cancel(client, message, code, detail);
}

async function cancel(
  client: SqlClient,
  message: OwnMessage,
  code: CancelCode,
  detail: string | null = null,
): Promise<Claimed> {
  await client.query(
    `UPDATE messages SET state = 'cancelled', error_code = $2, error_detail = $3, failed_at = clock_timestamp(), owner = NULL, lease_until = NULL,
            allowance_day = NULL WHERE id = $1`,
    [message.id, code, detail?.slice(0, 500) ?? null],
  );
  if (message.allowanceDay !== null) await giveBackDailyAllowance(client, message, message.allowanceDay);
  await returnCharges(client, message.workspaceId, [chargeOfMessage(message.id, message.attempt + 1)]);
  return { outcome: 'cancelled', message, code };
}
