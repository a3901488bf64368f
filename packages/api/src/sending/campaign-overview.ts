import { campaignsNow } from '@app/database/campaigns/campaigns-tables';
import type { CampaignStatus } from '@app/domain/campaigns/campaign-status';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { presentPause } from './campaign-words.ts';

export type CampaignRow = typeof campaignsNow.$inferSelect;

/** Campaigns are counted by the hundred, not by the million: their statuses may be read through. */
export async function countByStatus(
  { tx, workspaceId }: ReadScope,
  { channelKind }: { channelKind?: string | undefined } = {},
): Promise<Record<CampaignStatus, number>> {
  const rows = await tx
    .select({ status: campaignsNow.status, count: sql<number>`count(*)::int` })
    .from(campaignsNow)
    .where(and(eq(campaignsNow.workspaceId, workspaceId), isOfKind(channelKind)))
    .groupBy(campaignsNow.status);
  const counts = { draft: 0, scheduled: 0, running: 0, completed: 0, paused: 0, cancelled: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

/** Campaigns that leave through a channel of this kind, or carry a content of it. */
export function isOfKind(kind: string | undefined): SQL | undefined {
  if (kind === undefined) return undefined;
  return sql`(EXISTS (SELECT FROM channels ch WHERE ch.id = ${campaignsNow.channelId} AND ch.kind = ${kind})
    OR EXISTS (SELECT FROM channel_contents k WHERE k.id = ${campaignsNow.contentId} AND k.kind = ${kind}))`;
}

export function presentCampaign(row: CampaignRow) {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    templateId: row.templateId,
    templateName: row.templateName,
    customMessage: row.customMessage,
    contentId: row.contentId,
    contentName: row.contentName,
    inContactLanguage: row.inContactLanguage,
    variables: row.variables,
    allowMissingValues: row.allowMissingValues,
    audienceSize: row.audienceSize,
    status: row.status,
    version: row.version,
    channelId: row.channelId,
    ...presentPause(row),
    scheduledAt: row.scheduledAt?.toISOString() ?? null,
    startedAt: row.startedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    heldUntil: row.heldUntil?.toISOString() ?? null,
    heldForMs: row.heldForMs,
    createdAt: row.createdAt.toISOString(),
    counts: {
      total: row.total,
      pending: row.pending,
      sent: row.sent,
      delivered: row.delivered,
      read: row.read,
      failed: row.failed,
      cancelled: row.cancelled,
      unknown: row.unknown,
    },
  };
}
