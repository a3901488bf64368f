import type { dashboardContract } from '@app/contracts/dashboard/dashboard-contract';
import { listChannels } from '@app/database/channels/find-channel';
import { personOf } from '@app/domain/auth/caller';
import { DISCONNECTED } from '@app/domain/channels/disconnected';
import {
  attentionKinds,
  attentionLimits,
  mayAttend,
  type AttentionKind,
} from '@app/domain/dashboard/attention';
import { platformWords, shownStatus, standingOf } from '@app/domain/templates/platform-status';
import type { TemplateStatus } from '@app/domain/templates/template';
import type { InferContractRouterOutputs } from '@orpc/contract';
import { readTemplateReview } from '../channels/channel-connection.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { presentPause } from '../sending/campaign-words.ts';

type Attention = InferContractRouterOutputs<typeof dashboardContract>['getAttention']['items'][number];
type Named = Attention['named'][number];
type Found = Partial<Record<AttentionKind, { total: number; named: Named[] }>>;
type Parts = Pick<ApiDependencies, 'channelKinds'>;

/** Pauses that end by themselves, and those that a person wanted. */
const PAUSES_THAT_WAIT_FOR_NOBODY = ['operator', 'daily_limit', 'quiet_hours'];
const BAD_WORDS = Object.keys(platformWords).filter(
  (word) => word === 'PAUSED' || platformWords[word] === 'rejected',
);

/** What waits for somebody now, the most urgent first: of the present state, and of that alone which the caller may put right. */
export async function readAttention(scope: ReadScope, parts: Parts): Promise<Attention[]> {
  const may = (kind: AttentionKind) => mayAttend(scope.caller.permissions, kind);
  const found: Found = {
    ...(may('number_stopped') && (await findNumbers(scope))),
    ...(may('campaign_paused') && { campaign_paused: await findPaused(scope) }),
    ...(may('campaign_failed') && { campaign_failed: await findFailed(scope) }),
    ...(may('chats_mine') && { chats_mine: await countChats(scope, 'c.assignee_id = $2::uuid') }),
    ...(may('chats_unassigned') && { chats_unassigned: await countChats(scope, 'c.assignee_id IS NULL') }),
    ...(may('person_waiting') && { person_waiting: await findWaiting(scope) }),
    ...(may('template_rejected') && (await findTemplates(scope, parts))),
  };
  return attentionKinds.flatMap((kind) => {
    const { total = 0, named = [] } = found[kind] ?? {};
    return total > 0 ? [{ kind, total, named }] : [];
  });
}

/** Of a page of rows, of which one more than is counted was asked for at most. */
function gather(rows: readonly Named[]) {
  return { total: rows.length, named: rows.slice(0, attentionLimits.named) };
}

const plain = { code: null, about: null, failed: null };

/** A workspace has few numbers. What a person disconnected is no trouble while another number is connected. */
async function findNumbers({ tx, workspaceId }: ReadScope): Promise<Found> {
  const all = await listChannels(tx, workspaceId);
  const show = (chosen: typeof all, codeOf: (channel: (typeof all)[number]) => string | null) =>
    gather(chosen.map((one) => ({ ...plain, id: one.id, name: one.displayName, code: codeOf(one) })));
  const stopped = all.filter(({ stoppedCode }) => stoppedCode !== null && stoppedCode !== DISCONNECTED);
  const isNoneConnected = all.every(({ isConnected }) => !isConnected);
  const troubled = all.filter((one) => one.isConnected && one.trouble !== null && !stopped.includes(one));
  return {
    number_stopped: show(stopped, ({ stoppedCode }) => stoppedCode),
    number_disconnected: show(isNoneConnected ? all.filter((one) => !stopped.includes(one)) : [], () => null),
    number_trouble: show(troubled, ({ trouble }) => trouble),
  };
}

type PausedRow = {
  id: string;
  name: string;
  pause_reason: string;
  pause_code: string | null;
  pause_detail: string | null;
};

/** Campaigns are counted by the hundred: their statuses may be read through. */
async function findPaused(scope: ReadScope) {
  const { rows } = await scope.query<PausedRow>(
    `SELECT id, name, pause_reason, pause_code, pause_detail FROM campaigns_now
      WHERE workspace_id = $1 AND status = 'paused' AND pause_reason <> ALL ($2)
      ORDER BY coalesce(started_at, created_at) DESC, id LIMIT $3`,
    [scope.workspaceId, PAUSES_THAT_WAIT_FOR_NOBODY, attentionLimits.counted],
  );
  return gather(
    rows.map(({ id, name, pause_reason: pauseReason, pause_code: pauseCode, pause_detail: pauseDetail }) => {
      const pause = presentPause({ status: 'paused', pauseReason, pauseCode, pauseDetail });
      return { ...plain, id, name, code: pause.pauseCode, about: pause.pauseName };
    }),
  );
}

/**
 * Ended lately with failures of which the same message may still succeed (`countRetryable`); who sent them again has seen to it, and the retry is told of
 * by itself.
 */
async function findFailed(scope: ReadScope) {
  const { rows } = await scope.query<{ id: string; name: string; failed: number }>(
    `SELECT c.id, c.name, run.retryable AS failed FROM campaigns c JOIN delivery_runs run ON run.run_no = c.run_no
      WHERE c.workspace_id = $1 AND run.state IN ('completed', 'cancelled') AND run.retryable > 0
        AND run.completed_at >= $2::timestamptz - make_interval(days => $3)
        AND NOT EXISTS (SELECT FROM delivery_runs r WHERE r.workspace_id = $1 AND r.retry_of = c.id)
      ORDER BY run.completed_at DESC, c.id LIMIT $4`,
    [scope.workspaceId, scope.clock(), attentionLimits.failedDays, attentionLimits.counted],
  );
  return gather(rows.map((row) => ({ ...plain, ...row })));
}

/** Unread and not muted by the caller: as the figure beside the inbox counts. */
async function countChats(scope: ReadScope, whose: string) {
  const { rows } = await scope.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM (
       SELECT FROM conversations c
        WHERE c.workspace_id = $1 AND c.unread > 0 AND NOT c.is_archived AND ${whose}
          AND NOT EXISTS (SELECT FROM conversation_marks a
                           WHERE a.user_id = $2::uuid AND a.conversation_id = c.id AND a.muted_at IS NOT NULL)
        LIMIT $3) AS n`,
    [scope.workspaceId, personOf(scope.caller), attentionLimits.counted],
  );
  return { total: rows[0]?.total ?? 0, named: [] };
}

async function findWaiting(scope: ReadScope) {
  const { rows } = await scope.query<{ id: string; name: string }>(
    `SELECT u.id, u.name FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.workspace_id = $1 AND NOT m.is_active AND m.requested_role IS NOT NULL
      ORDER BY m.created_at, u.id LIMIT $2`,
    [scope.workspaceId, attentionLimits.counted],
  );
  return gather(rows.map((row) => ({ ...plain, ...row })));
}

type TemplateRow = { id: string; name: string; status: TemplateStatus; platform_status: string | null };

/** By what a template counts for, as its list shows it. A workspace has thousands of templates at most. */
async function findTemplates(scope: ReadScope, parts: Parts): Promise<Found> {
  const review = await readTemplateReview(scope, parts);
  const { rows } = await scope.query<TemplateRow>(
    `SELECT id, name, status, platform_status FROM templates
      WHERE workspace_id = $1 AND (status = 'rejected' OR (status <> 'draft' AND upper(platform_status) = ANY ($2)))
      ORDER BY coalesce(updated_at, created_at) DESC, id LIMIT $3`,
    [scope.workspaceId, BAD_WORDS, 2 * attentionLimits.counted],
  );
  const shown = rows.map(({ id, name, status, platform_status: platformStatus }) => {
    const standing = standingOf(status, platformStatus, review);
    return { shown: shownStatus({ status, standing, platformStatus }), named: { ...plain, id, name } };
  });
  const of = (wanted: 'rejected' | 'paused') =>
    gather(
      shown
        .filter((one) => one.shown === wanted)
        .slice(0, attentionLimits.counted)
        .map(({ named }) => named),
    );
  return { template_rejected: of('rejected'), template_paused: of('paused') };
}
