import type { reportView } from '@app/contracts/analytics/report-views-contract';
import { advisoryLocks } from '@app/database/advisory-locks';
import { newId } from '@app/database/new-id';
import { reportViewLimits } from '@app/domain/analytics/report-view';
import { personOf } from '@app/domain/auth/caller';
import type { z } from 'zod';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

type ReportView = z.infer<typeof reportView>;

/** So few that they are no pages. */
export async function listViews(scope: ReadScope): Promise<ReportView[]> {
  const { rows } = await scope.query<ReportView>(
    'SELECT id, name, query, mail_every AS "mailEvery" FROM report_views WHERE workspace_id = $1 AND user_id = $2 ORDER BY lower(name), id',
    [scope.workspaceId, personOf(scope.caller)],
  );
  return rows;
}

/** In place of the view that has the name. */
export async function saveView(
  scope: WorkspaceScope,
  { name, query }: Pick<ReportView, 'name' | 'query'>,
): Promise<ReportView | 'report_views_full'> {
  const views = await lockViews(scope);
  const isNew = !views.some((view) => view.name.toLowerCase() === name.toLowerCase());
  if (isNew && views.length >= reportViewLimits.views) return 'report_views_full';
  const { rows } = await scope.query<ReportView>(
    `INSERT INTO report_views (id, workspace_id, user_id, name, query, created_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (workspace_id, user_id, lower(name)) DO UPDATE SET name = excluded.name, query = excluded.query RETURNING id, name, query, mail_every AS "mailEvery"`,
    [newId(), scope.workspaceId, personOf(scope.caller), name, JSON.stringify(query), scope.clock()],
  );
  await emitChange(scope);
  return rows[0]!; // written by this statement
}

/** Null where there is no such view. */
export async function setMail(
  scope: WorkspaceScope,
  { reportViewId, every }: { reportViewId: string; every: ReportView['mailEvery'] },
): Promise<ReportView | null> {
  const { rows } = await scope.query<ReportView>(
    `UPDATE report_views SET mail_every = $4 WHERE workspace_id = $1 AND user_id = $2 AND id = $3
     RETURNING id, name, query, mail_every AS "mailEvery"`,
    [scope.workspaceId, personOf(scope.caller), reportViewId, every],
  );
  if (!rows[0]) return null;
  await emitChange(scope);
  return rows[0];
}

/** False where there is no such view. */
export async function removeView(scope: WorkspaceScope, reportViewId: string): Promise<boolean> {
  const { rowCount } = await scope.query(
    'DELETE FROM report_views WHERE workspace_id = $1 AND user_id = $2 AND id = $3',
    [scope.workspaceId, personOf(scope.caller), reportViewId],
  );
  if (rowCount === 0) return false;
  await emitChange(scope);
  return true;
}

/** Unless it was renamed since `before` was read. */
export async function renameView(
  scope: WorkspaceScope,
  { reportViewId, name, before }: { reportViewId: string; name: string; before: string },
): Promise<ReportView | 'report_view_not_found' | 'report_view_taken' | 'report_view_changed'> {
  const views = await lockViews(scope);
  const view = views.find(({ id }) => id === reportViewId);
  if (!view) return 'report_view_not_found';
  // A second click, or the other window had the same idea.
  if (view.name === name) return view;
  if (view.name !== before) return 'report_view_changed';
  if (views.some((one) => one !== view && one.name.toLowerCase() === name.toLowerCase()))
    return 'report_view_taken';
  await scope.query('UPDATE report_views SET name = $3 WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    reportViewId,
    name,
  ]);
  await emitChange(scope);
  return { ...view, name };
}

/** Views of one person are named one after the other, so that no two have one name, and there are never more than there can be. */
async function lockViews(scope: WorkspaceScope): Promise<ReportView[]> {
  await scope.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.reportViews}))`, [
    `${scope.workspaceId} ${personOf(scope.caller)}`,
  ]);
  return listViews(scope);
}

/** The other windows of the person read their list again. */
async function emitChange(scope: WorkspaceScope): Promise<void> {
  await scope.emit({ type: 'report_views.changed', subject: personOf(scope.caller), values: {} });
}
