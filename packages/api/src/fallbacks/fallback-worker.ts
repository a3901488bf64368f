import type { BackgroundWorker } from '../platform/features/server-feature.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { changeAsSystem } from '../platform/system-work.ts';
import type { DueFallback } from './due-fallback.ts';
import { fallbackTimes, findCandidates, type FallbackTimes } from './find-candidates.ts';
import { revokeFirst } from './revoke-first.ts';
import { sendFallback } from './send-fallback.ts';

const EVERY_MS = 1_000;
/** A process that dies gives its rows back after this time. */
const LEASE_SECONDS = 60;
const AT_ONCE = 8;
/** A large run is read through at most a tenth of the time. */
const PAUSE_FACTOR = 10;
/** A run that ended is read less often: only a late report of an unknown result can add a recipient. */
const LATE_PAUSE_MS = 30_000;

/** Finds whom the first message of campaigns with a fallback did not reach, withdraws what may still arrive, and sends the second message. */
export const fallbackWorker: BackgroundWorker = (parts) => {
  const restUntil = new Map<string, number>();
  let round: Promise<void> | undefined;
  const timer = setInterval(() => {
    round ??= runRound(parts, fallbackTimes, restUntil)
      .catch((error: unknown) =>
        parts.logger.warn({ err: error }, 'fallbacks of campaigns could not be looked for'),
      )
      .finally(() => (round = undefined));
  }, EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await round;
    },
  };
};

/** One round, over all workspaces. Any number of processes run it at the same time. */
export async function runRound(
  parts: ApiDependencies,
  times: FallbackTimes,
  restUntil = new Map<string, number>(),
): Promise<void> {
  const { rows: campaigns } = await parts.db.systemPool.query<{ id: string; workspace_id: string }>(
    'SELECT id, workspace_id FROM campaigns WHERE fallback IS NOT NULL AND run_no IS NOT NULL AND fallback_done_at IS NULL',
  );
  /** Campaigns whose figures changed, with their workspaces. */
  const changed = new Map<string, string>();
  for (const { id, workspace_id: workspaceId } of campaigns) {
    const began = Date.now();
    if ((restUntil.get(id) ?? 0) > began) continue;
    // One that fails leaves the others alone, and is looked at again a little later.
    const found = await changeAsSystem(parts, 'delivery', workspaceId, (scope) =>
      findCandidates(scope, id, times),
    ).catch((error: unknown) => {
      parts.logger.warn({ err: error, campaignId: id }, 'the fallback of a campaign could not be looked for');
      return { found: 0, isLate: true };
    });
    const took = Date.now() - began;
    const restMs = Math.max(took * PAUSE_FACTOR, found?.isLate ? LATE_PAUSE_MS : 0);
    restUntil.set(id, found?.found ? 0 : Date.now() + restMs);
    if (found?.found) changed.set(id, workspaceId);
  }
  for (const id of restUntil.keys()) if (!campaigns.some((one) => one.id === id)) restUntil.delete(id);
  let claimed: DueFallback[];
  do {
    claimed = await claimDue(parts);
    for (const { campaignId, workspaceId } of claimed) changed.set(campaignId, workspaceId);
    const queue = [...claimed];
    await Promise.all(Array.from({ length: AT_ONCE }, () => workOff(parts, queue, times)));
  } while (claimed.length > 0);
  for (const [campaignId, workspaceId] of changed)
    await parts.liveEvents.publish(workspaceId, 'campaigns', { campaignId });
}

async function claimDue(parts: ApiDependencies): Promise<DueFallback[]> {
  const { rows } = await parts.db.systemPool.query<DueFallback>(
    `UPDATE campaign_fallbacks f SET due_at = $1::timestamptz + interval '${LEASE_SECONDS} seconds'
       FROM (SELECT run_no, seq FROM campaign_fallbacks WHERE state IN ('revoking', 'ready') AND due_at <= $1
              ORDER BY due_at LIMIT 200 FOR UPDATE SKIP LOCKED) AS due
      WHERE f.run_no = due.run_no AND f.seq = due.seq
     RETURNING f.run_no AS "runNo", f.seq, f.workspace_id AS "workspaceId", f.campaign_id AS "campaignId", f.state, f.tries`,
    [parts.clock()],
  );
  return rows;
}

/** One that fails leaves the others alone, and is tried again when its lease ends. */
async function workOff(parts: ApiDependencies, queue: DueFallback[], times: FallbackTimes): Promise<void> {
  for (let due = queue.shift(); due; due = queue.shift()) {
    const { runNo, seq } = due;
    await (due.state === 'revoking' ? revokeFirst(parts, due, times) : sendFallback(parts, due)).catch(
      (error: unknown) => parts.logger.warn({ err: error, runNo, seq }, 'a fallback could not be decided'),
    );
  }
}
