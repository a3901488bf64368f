import type { Permission } from '@app/domain/auth/permissions';
import { resolvePermissions, type Role, type RolePermissionOverrides } from '@app/domain/auth/permissions';
import { waysOf } from '@app/domain/notifications/notification-choices';
import { isPermitted } from '@app/domain/auth/is-permitted';
import {
  cadenceOfMail,
  isSummaryKind,
  isWorthTelling,
  listNeeds,
  type Summary,
  type SummaryMailKind,
} from '@app/domain/notifications/summary';
import { readGeneralSettings } from '@app/domain/settings/general-settings';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { unsubscribeLink } from '../../platform/account/unsubscribe-link.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { mailRules } from '../../platform/jobs/mailer.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import type { TemplateParts } from '../../templates/templates-queries.ts';
import { readMailedReports, readMailedViews, writeMailedReport } from '../../analytics/mails/report-mail.ts';
import { readSummary } from './read-summary.ts';
import { writeSummary } from './write-summary.ts';
import { PREFERENCES_HERE } from '../../platform/account/wanted-notices.ts';

type Row = {
  workspace_id: string;
  user_id: string;
  kind: SummaryMailKind;
  day: string;
  time_zone: string;
  email: string;
  name: string;
  language: InterfaceLanguage;
  role: Role;
  overrides: RolePermissionOverrides;
  preferences: Record<string, unknown>;
  settings: Record<string, unknown>;
  is_told: boolean;
  logo: Buffer | null;
};

/** Puts together what happened for one person, tells them in the app, and mails it: each as they have chosen, and nothing when there is nothing to tell. */
export const summaryMail = defineJob({
  ...mailRules,
  name: 'summary-mail',
  as: 'facts',
  payload: z.object({ summaryId: z.uuid() }),
  repeat: 'once',
  // Yesterday is of no interest tomorrow.
  usefulSeconds: 12 * 3_600,
  ...{ atOnce: 2, atOnceOfOne: 1 },
  async run({ read, change, mailer, publicUrl, secrets, clock, ...parts }, { id, payload: { summaryId } }) {
    const found = await read((scope) => findSummary(scope, parts, summaryId));
    if (!found) return { isSent: false };
    const { row, summary, reports } = found;
    const { kind } = row;
    if (summary && isSummaryKind(kind) && !row.is_told)
      await change(async (scope) => {
        const { rowCount } = await scope.query(
          'UPDATE summaries SET told_at = $3 WHERE workspace_id = $1 AND id = $2 AND told_at IS NULL',
          [scope.workspaceId, summaryId, clock()],
        );
        if (rowCount !== 1) return;
        const { sent, answered } = summary.figures;
        await scope.emit({
          ...{ type: 'summary.made', subject: row.user_id },
          values: {
            ...{ kind, sent: sent?.now ?? 0, answered: answered?.now ?? 0 },
            needs: listNeeds(summary.needs).length,
          },
        });
      });
    const isMailed = summary !== null && isSummaryKind(kind) && waysOf(row.preferences, kind).email;
    // Views come as well where the summary does not: each was asked for.
    if (!isMailed && reports.length === 0) return { isSent: false };
    const written = [];
    for (const report of reports) written.push(await writeMailedReport(report, row.language));
    const unsubscribeUrl = unsubscribeLink({ secrets, publicUrl }, row.kind, row.user_id);
    await mailer.send({
      ...{ id, to: row.email, unsubscribeUrl },
      ...writeSummary(isMailed ? summary : null, written, {
        ...{ kind: row.kind, day: row.day, timeZone: row.time_zone, language: row.language, name: row.name },
        ...{ business: readGeneralSettings(row.settings).businessName, publicUrl, unsubscribeUrl },
        workspaceId: row.workspace_id,
        logo: row.logo,
      }),
    });
    return { isSent: true };
  },
});

async function findSummary(scope: ReadScope, parts: TemplateParts, summaryId: string) {
  const { rows } = await scope.query<Row>(
    `SELECT s.workspace_id, s.user_id, s.kind, s.day::text AS day, s.time_zone, s.told_at IS NOT NULL AS is_told, u.email, u.first_name AS name,
            coalesce(u.language, w.language) AS language, ${PREFERENCES_HERE} AS preferences, m.role, w.role_permissions AS overrides, w.settings,
            (SELECT l.content FROM logos l WHERE l.workspace_id = w.id AND l.id = (w.settings->>'logo')::uuid) AS logo
       FROM summaries s JOIN users u ON u.id = s.user_id JOIN workspaces w ON w.id = s.workspace_id
       JOIN memberships m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id
      WHERE s.workspace_id = $1 AND s.id = $2 AND m.is_active`,
    [scope.workspaceId, summaryId],
  );
  const [row] = rows;
  if (!row) return null;
  const permissions = resolvePermissions(row.role, row.overrides);
  const views = isPermitted(permissions, 'analytics:read')
    ? await readMailedViews(scope, row.user_id, cadenceOfMail[row.kind])
    : [];
  return {
    row,
    summary: await readWorthTelling(scope, parts, row, permissions),
    reports: await readMailedReports(scope, views, {
      ...{ zone: row.time_zone, day: row.day },
    }),
  };
}

/** Null where there is nothing to tell. */
async function readWorthTelling(
  scope: ReadScope,
  parts: TemplateParts,
  { kind, user_id: userId, day, time_zone: timeZone }: Row,
  permissions: readonly Permission[],
): Promise<Summary | null> {
  if (!isSummaryKind(kind)) return null;
  const summary = await readSummary(scope, parts, { kind, userId, day, timeZone, permissions });
  return isWorthTelling(kind, summary) ? summary : null;
}
