import { reportViewsContract, type reportView } from '@app/contracts/analytics/report-views-contract';
import { advisoryLocks } from '@app/database/advisory-locks';
import { newId } from '@app/database/new-id';
import { reportViewLimits } from '@app/domain/analytics/report-view';
import { personOf } from '@app/domain/auth/caller';
import type { z } from 'zod';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

type ReportView = z.infer<typeof reportView>;

const os = implementEndpoints(reportViewsContract);

export const reportViewsApi = os.router({
  list: os.list.handler(({ context }) => context.read(async (scope) => ({ items: await listViews(scope) }))),

  save: os.save.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const saved = await saveView(scope, input);
      if (saved === 'report_views_full') throw errors.report_views_full();
      return saved;
    }),
  ),

  setMail: os.setMail.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { rows } = await scope.query<ReportView>(
        `UPDATE report_views SET mail_every = $4 WHERE workspace_id = $1 AND user_id = $2 AND id = $3
         RETURNING id, name, query, mail_every AS "mailEvery"`,
        [scope.workspaceId, personOf(scope.caller), input.reportViewId, input.every],
      );
      if (!rows[0]) throw errors.report_view_not_found();
      return rows[0];
    }),
  ),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { rowCount } = await scope.query(
        'DELETE FROM report_views WHERE workspace_id = $1 AND user_id = $2 AND id = $3',
        [scope.workspaceId, personOf(scope.caller), input.reportViewId],
      );
      if (rowCount === 0) throw errors.report_view_not_found();
      return {};
    }),
  ),
});

/** So few that they are no pages. */
async function listViews(scope: ReadScope): Promise<ReportView[]> {
  const { rows } = await scope.query<ReportView>(
    'SELECT id, name, query, mail_every AS "mailEvery" FROM report_views WHERE workspace_id = $1 AND user_id = $2 ORDER BY lower(name), id',
    [scope.workspaceId, personOf(scope.caller)],
  );
  return rows;
}

/** Views of one person are saved one after the other, so that there are never more than there can be. */
async function saveView(
  scope: WorkspaceScope,
  { name, query }: Pick<ReportView, 'name' | 'query'>,
): Promise<ReportView | 'report_views_full'> {
  const owner = personOf(scope.caller);
  await scope.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.reportViews}))`, [
    `${scope.workspaceId} ${owner}`,
  ]);
  const views = await listViews(scope);
  const isNew = !views.some((view) => view.name.toLowerCase() === name.toLowerCase());
  if (isNew && views.length >= reportViewLimits.views) return 'report_views_full';
  const { rows } = await scope.query<ReportView>(
    `INSERT INTO report_views (id, workspace_id, user_id, name, query, created_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (workspace_id, user_id, lower(name)) DO UPDATE SET name = excluded.name, query = excluded.query RETURNING id, name, query, mail_every AS "mailEvery"`,
    [newId(), scope.workspaceId, owner, name, JSON.stringify(query), scope.clock()],
  );
  return rows[0]!; // written by this statement
}
