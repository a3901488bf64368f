import { newId } from '@app/database/new-id';
import { isPermitted } from '@app/domain/auth/is-permitted';
import { resolvePermissions, type Role, type RolePermissionOverrides } from '@app/domain/auth/permissions';
import { dayIn } from '@app/domain/analytics/report-period';
import type { ViewQuery } from '@app/domain/analytics/view-period';
import { readGeneralSettings } from '@app/domain/settings/general-settings';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { mailRules } from '../../platform/jobs/mailer.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { readMailedReports, writeMailedReport } from '../../analytics/mails/report-mail.ts';
import { writeSummary } from './write-summary.ts';

type Asked = { userId: string; viewId: string };
type Row = {
  view: string;
  query: ViewQuery;
  email: string;
  name: string;
  time_zone: string;
  language: InterfaceLanguage;
  role: Role;
  overrides: RolePermissionOverrides;
  settings: Record<string, unknown>;
  logo: Buffer | null;
};

/** A saved view that its owner asked for: the mail of each morning, once and at once. */
export const viewMail = defineJob({
  ...mailRules,
  name: 'view-mail',
  as: 'facts',
  payload: z.object({ userId: z.uuid(), viewId: z.uuid(), at: z.number() }),
  repeat: 'once',
  // Nobody waits longer for what was asked for now.
  usefulSeconds: 3_600,
  ...{ atOnce: 2, atOnceOfOne: 1 },
  async run({ read, mailer, publicUrl }, { id, workspaceId, payload: { at, ...asked } }) {
    const found = await read((scope) => findView(scope, asked, at));
    if (!found || workspaceId === null) return { isSent: false };
    const { row, report, day } = found;
    await mailer.send({
      ...{ id, to: row.email },
      ...writeSummary(null, [await writeMailedReport(report, row.language)], {
        ...{
          kind: 'view',
          unsubscribeUrl: null,
          day,
          timeZone: row.time_zone,
          language: row.language,
          name: row.name,
          logo: row.logo,
        },
        ...{ business: readGeneralSettings(row.settings).businessName, publicUrl, workspaceId },
      }),
    });
    return { isSent: true };
  },
});

/** False where the person has no such view. */
export async function enqueueViewMail(
  { jobs }: Pick<ApiDependencies, 'jobs'>,
  scope: WorkspaceScope,
  { userId, viewId }: Asked,
): Promise<boolean> {
  const { rows } = await scope.query(
    'SELECT FROM report_views WHERE workspace_id = $1 AND user_id = $2 AND id = $3',
    [scope.workspaceId, userId, viewId],
  );
  if (rows.length === 0) return false;
  await jobs.enqueue(scope, viewMail, newId(), { userId, viewId, at: scope.clock().getTime() });
  return true;
}

/** Null where the view is gone, or its owner may no longer read analytics. */
async function findView(scope: ReadScope, { userId, viewId }: Asked, at: number) {
  const { rows } = await scope.query<Row>(
    `SELECT v.name AS view, v.query, u.email, u.first_name AS name, u.timezone AS time_zone, coalesce(u.language, w.language) AS language, m.role,
            w.role_permissions AS overrides, w.settings, (SELECT l.content FROM logos l WHERE l.workspace_id = w.id AND l.id = (w.settings->>'logo')::uuid) AS logo
       FROM report_views v JOIN users u ON u.id = v.user_id JOIN workspaces w ON w.id = v.workspace_id
       JOIN memberships m ON m.workspace_id = v.workspace_id AND m.user_id = v.user_id
      WHERE v.workspace_id = $1 AND v.user_id = $2 AND v.id = $3 AND m.is_active`,
    [scope.workspaceId, userId, viewId],
  );
  const [row] = rows;
  if (!row || !isPermitted(resolvePermissions(row.role, row.overrides), 'analytics:read')) return null;
  const day = dayIn(row.time_zone, at);
  const views = [{ name: row.view, query: row.query }];
  const [report] = await readMailedReports(scope, views, { zone: row.time_zone, day });
  return report ? { row, report, day } : null;
}
