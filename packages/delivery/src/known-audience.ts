import { advisoryLocks } from '@app/database/advisory-locks';
import type { Audience, MessageCategory } from '@app/domain/delivery/audience';
import { followMerges } from './follow-merges.ts';
import type { SqlClient } from './sql-client.ts';

/** An audience with what the database alone knows of it: who merged contacts are by now, and who is still to be frozen elsewhere. */
export type KnownAudience = Audience & {
  /** Campaigns that were started and of which not all are recipients yet; their people are about to get one. */
  coming?: readonly ComingRun[];
};

export type ComingRun = { audience: Audience; category: MessageCategory; channelId: string };

/**
 * Reads it once, for as many statements as follow. Of two large audiences the later one alone leaves the other's people out: `before`
 * is the run whose own people are meant.
 */
export async function knowAudience(
  client: SqlClient,
  workspaceId: string,
  named: Audience,
  { before = null }: { before?: number | null } = {},
): Promise<KnownAudience> {
  const audience = await followMerges(client, workspaceId, named);
  if (!isRested(audience)) return audience;
  const { rows } = await client.query<{ audience: Audience; category: MessageCategory; channel_id: string }>(
    `SELECT audience, category, channel_id FROM delivery_runs
      WHERE workspace_id = $1 AND frozen_at IS NULL AND completed_at IS NULL AND state <> 'cancelled'
        AND ($2::bigint IS NULL OR run_no < $2) ORDER BY run_no`,
    [workspaceId, before],
  );
  if (rows.length === 0) return audience;
  const coming: ComingRun[] = [];
  for (const { audience: other, category, channel_id: channelId } of rows)
    coming.push({ audience: await followMerges(client, workspaceId, other), category, channelId });
  return { ...audience, coming };
}

/**
 * Two campaigns that leave out who is about to get one start one after the other, so that the later one sees the people of the first. Taken
 * before the contacts are shared (`shareContacts`).
 */
export async function waitForRested(
  client: SqlClient,
  workspaceId: string,
  audience: Audience,
): Promise<void> {
  if (!isRested(audience)) return;
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.restedAudience}))`, [
    workspaceId,
  ]);
}

const isRested = (audience: Audience): boolean => 'restDays' in audience && audience.restDays !== undefined;
