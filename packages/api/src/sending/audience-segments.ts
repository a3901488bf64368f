import {
  campaigns,
  type CampaignSegment,
  type LeftOutOfRetry,
} from '@app/database/campaigns/campaigns-tables';
import type { SegmentRules } from '@app/domain/segments/segment-rules';
import type { Audience, PlannedAudience } from '@app/domain/delivery/audience';
import {
  namesReport,
  resolveLeftOut,
  resolveSegments,
  segmentsOf,
} from '@app/domain/delivery/planned-audience';
import { findMissingPermission } from '@app/domain/auth/caller';
import { ORPCError } from '@orpc/server';
import { and, eq } from 'drizzle-orm';
import { sayMissing } from '../platform/guard-access.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

export type ResolvedAudience = {
  audience: Audience;
  /** The segments that it names, as they are now. */
  segments: CampaignSegment[];
  deletedSegmentIds: string[];
};

/**
 * The audience with the rules that its segments have at this moment. A segment that was deleted names nobody; who sends
 * refuses it. `hold` keeps the segments from being deleted until the caller's transaction ends.
 * @throws FORBIDDEN for the people behind a number of a report where the caller may not read analytics
 */
export async function resolveAudience(
  scope: ReadScope,
  planned: PlannedAudience,
  { hold = false } = {},
): Promise<ResolvedAudience> {
  if ('failedOf' in planned) return resolveRetry(scope, planned);
  // What starts by itself was allowed when a person planned it.
  const isPlanning = scope.caller.kind !== 'system' && namesReport(planned);
  if (isPlanning && findMissingPermission(scope.caller, ['analytics:read']))
    throw new ORPCError('FORBIDDEN', { message: sayMissing('analytics:read') });
  const ids = segmentsOf(planned);
  const segments = await findSegments(scope, ids, hold);
  const rules = new Map(segments.map((segment): [string, SegmentRules] => [segment.id, segment.rules]));
  return {
    audience: resolveSegments(planned, rules),
    segments,
    deletedSegmentIds: ids.filter((id) => !rules.has(id)),
  };
}

/**
 * The failed of a campaign, without whom that campaign leaves out by now: who was tagged since, or got another one since. A segment that is gone
 * leaves out whom its rules named when the campaign started.
 */
async function resolveRetry(scope: ReadScope, retry: { failedOf: string }): Promise<ResolvedAudience> {
  const { except = [], restDays, segments = [] } = (await findLeftOut(scope, retry.failedOf)) ?? {};
  const live = await findSegments(scope, segmentsOf({ contactIds: [], except }));
  const known = [...segments, ...live];
  const rules = new Map(known.map((segment): [string, SegmentRules] => [segment.id, segment.rules]));
  const audience = {
    ...retry,
    ...(except.length > 0 && { except: resolveLeftOut(except, rules) }),
    ...(restDays !== undefined && { restDays }),
  };
  return { audience, segments: [], deletedSegmentIds: [] };
}

/** Whom a retry of this campaign leaves out. Each retry keeps it, so that it outlives the campaigns of before. */
export async function findLeftOut(scope: ReadScope, campaignId: string): Promise<LeftOutOfRetry | null> {
  const [tried] = await scope.tx
    .select({ audience: campaigns.audience, segments: campaigns.segments, leftOut: campaigns.leftOut })
    .from(campaigns)
    .where(and(eq(campaigns.workspaceId, scope.workspaceId), eq(campaigns.id, campaignId)));
  if (!tried || 'failedOf' in tried.audience) return tried?.leftOut ?? null;
  const { except, restDays } = tried.audience;
  return except || restDays !== undefined ? { except, restDays, segments: tried.segments } : null;
}

type PlannedCampaign = {
  runNo: number | null;
  segments: readonly CampaignSegment[];
};

/** The segments of a campaign as people should see them: live until sending begins, as they were then from that on. */
export async function describeSegments(
  scope: ReadScope,
  { runNo, segments: stored }: PlannedCampaign,
): Promise<(CampaignSegment & { isDeleted: boolean })[]> {
  const ids = stored.map(({ id }) => id);
  const now = runNo === null ? await findSegments(scope, ids) : stored;
  return stored.map((segment) => {
    const live = now.find(({ id }) => id === segment.id);
    return { ...(live ?? segment), isDeleted: live === undefined };
  });
}

/** For a sentence: the names of those that were deleted since the campaign was saved. */
export function namesOf(deletedSegmentIds: readonly string[], stored: readonly CampaignSegment[]): string {
  const names = deletedSegmentIds.map((deleted) => stored.find(({ id }) => id === deleted)?.name ?? '');
  return names.filter((name) => name !== '').join(', ');
}

async function findSegments(
  scope: ReadScope,
  ids: readonly string[],
  hold = false,
): Promise<CampaignSegment[]> {
  if (ids.length === 0) return [];
  const { rows } = await scope.query<CampaignSegment>(
    `SELECT id, name, rules FROM segments WHERE workspace_id = $1 AND id = ANY($2::uuid[])
      ORDER BY id ${hold ? 'FOR SHARE' : ''}`,
    [scope.workspaceId, ids],
  );
  return rows;
}
