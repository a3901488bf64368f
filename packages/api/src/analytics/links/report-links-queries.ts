import { advisoryLocks } from '@app/database/advisory-locks';
import { newId } from '@app/database/new-id';
import { reportLinkLimits } from '@app/domain/analytics/report-link';
import type { ViewQuery } from '@app/domain/analytics/view-period';
import { personOf } from '@app/domain/auth/caller';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';

const DAY_MS = 86_400_000;

export type ReportLink = { id: string; name: string; endsAt: Date; createdBy: string | null };

/** The newest first. */
export async function listReportLinks(scope: ReadScope): Promise<ReportLink[]> {
  const { rows } = await scope.query<ReportLink>(
    `SELECT l.id, l.name, l.ends_at AS "endsAt", u.name AS "createdBy" FROM report_links l LEFT JOIN users u ON u.id = l.user_id
      WHERE l.workspace_id = $1 ORDER BY l.created_at DESC, l.id DESC LIMIT 500`,
    [scope.workspaceId],
  );
  return rows;
}

/** One after the other, so that there are never more than there can be. Emits `report_link.created`. */
export async function createReportLink(
  scope: WorkspaceScope,
  { name, query, days, zone }: { name: string; query: ViewQuery; days: number; zone: string },
): Promise<ReportLink | 'report_links_full'> {
  await scope.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.reportViews}))`, [
    `links ${scope.workspaceId}`,
  ]);
  const now = scope.clock();
  const open = (await listReportLinks(scope)).filter((link) => link.endsAt > now);
  if (open.length >= reportLinkLimits.links) return 'report_links_full';
  const id = newId();
  await scope.query(
    `INSERT INTO report_links (id, workspace_id, user_id, name, query, time_zone, created_at, ends_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[id, scope.workspaceId, personOf(scope.caller), name, JSON.stringify(query), zone, now],
      new Date(now.getTime() + days * DAY_MS),
    ],
  );
  await scope.emit({ type: 'report_link.created', subject: id, values: { name } });
  return (await listReportLinks(scope)).find((link) => link.id === id)!; // written above
}

/** At once. False where there is none. Emits `report_link.deleted`. */
export async function endReportLink(scope: WorkspaceScope, id: string): Promise<boolean> {
  const { rows } = await scope.query<{ name: string }>(
    'DELETE FROM report_links WHERE workspace_id = $1 AND id = $2 RETURNING name',
    [scope.workspaceId, id],
  );
  const [link] = rows;
  if (!link) return false;
  await scope.emit({ type: 'report_link.deleted', subject: id, values: { name: link.name } });
  return true;
}
