import { giveBackDailyAllowance, lockDailyAllowance, useDailyAllowance } from './pace/daily-allowance.ts';
import { reserveReply } from './pace/reply-rate.ts';
import type { SqlClient } from './sql-client.ts';

export type ReservedMessage = {
  outcome: 'reserved';
  /** How long to wait, from the commit on, before it leaves. */
  waitMs: number;
  workspaceId: string;
  /** The day (UTC) whose allowance it took; null without a daily limit. */
  day: string | null;
};

export type MessageReservation =
  | ReservedMessage
  /** Nothing more may leave before `nextDayAt` (milliseconds since 1970). */
  | { outcome: 'daily_limit'; nextDayAt: number };

/**
 * Lets one message that belongs to no campaign (a test message) count like a campaign's: against the workspace's daily limit,
 * exactly, and against the speed of its number, ahead of every campaign. Call it inside a transaction, as its last statement, and commit
 * before the message is sent: campaigns of the workspace wait for that commit. What did not leave goes back with
 * `giveBackMessage`; what was accepted, refused or may have left stays counted.
 */
export async function reserveMessage(
  client: SqlClient,
  {
    workspaceId,
    channelId,
    perDay,
    now,
  }: { workspaceId: string; channelId: string; perDay: number | null; now: number },
): Promise<MessageReservation> {
  if (perDay === null) {
    const { waitMs } = await reserveReply(client, channelId);
    return { outcome: 'reserved', waitMs, workspaceId, day: null };
  }
  const { left, day, nextDayAt } = await lockDailyAllowance(client, workspaceId, perDay, now);
  if (left === 0) return { outcome: 'daily_limit', nextDayAt };
  await useDailyAllowance(client, workspaceId, day, 1);
  const { waitMs } = await reserveReply(client, channelId);
  return { outcome: 'reserved', waitMs, workspaceId, day };
}

/** Nothing left this machine: the day has room for another message again. Call it once. */
export async function giveBackMessage(
  client: SqlClient,
  { workspaceId, day }: ReservedMessage,
): Promise<void> {
  if (day !== null) await giveBackDailyAllowance(client, workspaceId, day);
}
