import type { CampaignFallback } from '@app/database/campaigns/campaigns-tables';
import { quietUntil, type QuietHours } from '@app/domain/campaigns/quiet-hours';
import { sendMessage } from '../conversations/sending/send-message.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { changeAsSystem } from '../platform/system-work.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { DueFallback } from './due-fallback.ts';

/** Refusals that may be over later. */
const PASSING: ReadonlySet<string> = new Set([
  ...['daily_limit_reached', 'budget_reached', 'channel_stopped', 'channel_not_connected', 'contact_held'],
]);
const LATER_MS = 60_000;

/**
 * Enqueues the second message of a recipient and stores that it was, in one transaction, with the recipient of the first message locked: a report
 * that the first one arrived comes before it, and then nothing is sent, or after it.
 */
export function sendFallback(parts: ApiDependencies, due: DueFallback): Promise<void> {
  const { workspaceId, runNo, seq } = due;
  return changeAsSystem(parts, 'delivery', workspaceId, async (scope) => {
    const found = await lockBoth(scope, due);
    if (!found) return;
    const settle = (
      state: string,
      code: string | null,
      messageId: string | null = null,
      dueAt = scope.clock(),
    ) =>
      scope.query(
        `UPDATE campaign_fallbacks SET state = $4, code = $5, message_id = $6, due_at = $7, updated_at = $8
          WHERE workspace_id = $1 AND run_no = $2 AND seq = $3`,
        [workspaceId, runNo, seq, state, code, messageId, dueAt, scope.clock()],
      );
    const later = (until = new Date(scope.clock().getTime() + LATER_MS), code: string | null = null) =>
      settle('ready', code, null, until);
    const { fallback, contactId, isArrived, runState, quietHours } = found;
    if (isArrived) return void (await settle('arrived', null));
    if (runState === 'cancelled') return void (await settle('left_out', 'run_cancelled'));
    if (runState === 'paused') return void (await later());
    if (contactId === null || fallback === null) return void (await settle('left_out', 'contact_deleted'));
    const quiet = quietHours && quietUntil(quietHours, scope.clock());
    if (quiet) return void (await later(quiet));
    const sent = await sendMessage(scope, parts, {
      to: { contactId, channelId: fallback.channelId },
      message: { templateId: fallback.templateId, variables: fallback.variables },
      ...{ purpose: 'automation', key: `fallback/${runNo}/${seq}`, source: `fallback/${found.campaignId}` },
      campaign: { id: found.campaignId, countsLinks: found.countsLinks },
    });
    if (sent.outcome === 'accepted') await settle('sent', null, sent.messageIds[0] ?? null);
    else if (PASSING.has(sent.code)) await later(undefined, sent.code);
    else await settle('left_out', sent.code);
  });
}

type Found = {
  campaignId: string;
  fallback: CampaignFallback | null;
  contactId: string | null;
  isArrived: boolean;
  runState: string;
  quietHours: QuietHours | null;
  countsLinks: boolean;
};

/** The decision and the recipient of the first message, in the order of all who lock both; undefined where another process is at it. */
async function lockBoth(
  scope: WorkspaceScope,
  { runNo, seq, workspaceId }: DueFallback,
): Promise<Found | undefined> {
  const { rows: decided } = await scope.query<{ campaignId: string }>(
    `SELECT campaign_id AS "campaignId" FROM campaign_fallbacks
      WHERE workspace_id = $1 AND run_no = $2 AND seq = $3 AND state = 'ready' FOR UPDATE SKIP LOCKED`,
    [workspaceId, runNo, seq],
  );
  const [decision] = decided;
  if (!decision) return undefined;
  const { rows } = await scope.query<Omit<Found, 'campaignId'>>(
    `SELECT c.fallback, c.quiet_hours AS "quietHours", c.counts_links AS "countsLinks", run.state AS "runState", r.contact_id AS "contactId",
            coalesce(r.delivered_at, r.read_at) IS NOT NULL AS "isArrived"
       FROM delivery_recipients r JOIN delivery_runs run ON run.run_no = r.run_no JOIN campaigns c ON c.id = $4
      WHERE r.run_no = $2 AND r.seq = $3 AND r.workspace_id = $1 FOR UPDATE OF r`,
    [workspaceId, runNo, seq, decision.campaignId],
  );
  return rows[0] && { ...rows[0], campaignId: decision.campaignId };
}
