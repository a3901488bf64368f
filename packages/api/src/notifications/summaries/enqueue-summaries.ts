import { newId } from '@app/database/new-id';
import { waysOf } from '@app/domain/notifications/notification-choices';
import {
  cadenceOfMail,
  isSummaryKind,
  SUMMARY_HOURS,
  summaryMailKinds,
  type SummaryMailKind,
} from '@app/domain/notifications/summary';
import { defaultGeneralSettings } from '@app/domain/settings/general-settings';
import type { ApiDependencies } from '../../platform/request-context.ts';
import { changeAcrossWorkspaces } from '../../platform/system-work.ts';
import { summaryMail } from './summary-mail.ts';
import { PREFERENCES_HERE } from '../../platform/account/wanted-notices.ts';

/** More people than that wait half a minute. */
const AT_ONCE = 200;

type Due = {
  workspace_id: string;
  user_id: string;
  kind: SummaryMailKind;
  has_views: boolean;
  day: string;
  time_zone: string;
  preferences: Record<string, unknown>;
};

/**
 * Leaves the summaries of everybody for whom it is morning: a row for each person, kind and day of theirs says that it was thought of, in the transaction
 * that leaves the job. A day whose morning comes twice, or whose hour is left out, is one day all the same. Who joined today has no yesterday here.
 */
export async function enqueueSummaries(parts: ApiDependencies): Promise<void> {
  await changeAcrossWorkspaces(parts, 'facts', async ({ client, scopeOf }) => {
    const { rows } = await client.query<Due>(
      `SELECT m.workspace_id, m.user_id, k.kind, l.day::text AS day, u.timezone AS time_zone, ${PREFERENCES_HERE} AS preferences, v.has_views
         FROM memberships m JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id
         CROSS JOIN LATERAL (SELECT $1::timestamptz AT TIME ZONE u.timezone AS at, ($1::timestamptz AT TIME ZONE u.timezone)::date AS day) l
         CROSS JOIN unnest($2::text[], $7::text[]) AS k (kind, every)
         CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM report_views r WHERE r.workspace_id = m.workspace_id AND r.user_id = m.user_id
                                               AND r.mail_every = k.every) AS has_views) v
        WHERE m.is_active AND l.at::time >= $3::time AND l.at::time < $4::time
          AND m.created_at < l.day::timestamp AT TIME ZONE u.timezone
          AND (k.kind = 'daily_summary' OR k.kind = 'monthly_report' AND v.has_views AND extract(day FROM l.day) = 1
               OR k.kind = 'weekly_report' AND extract(dow FROM l.day) = coalesce((w.settings ->> 'weekStartsOn')::int, $5))
          AND NOT EXISTS (SELECT FROM summaries s WHERE s.user_id = m.user_id AND s.workspace_id = m.workspace_id
                             AND s.kind = k.kind AND s.day = l.day)
        LIMIT $6`,
      [
        ...[parts.clock(), summaryMailKinds, SUMMARY_HOURS.from, SUMMARY_HOURS.until],
        ...[defaultGeneralSettings.weekStartsOn, AT_ONCE],
        summaryMailKinds.map((kind) => cadenceOfMail[kind]),
      ],
    );
    for (const {
      workspace_id: workspaceId,
      user_id: userId,
      kind,
      day,
      time_zone: zone,
      preferences,
      has_views: hasViews,
    } of rows) {
      const id = newId();
      const { rowCount } = await client.query(
        `INSERT INTO summaries (id, workspace_id, user_id, kind, day, time_zone) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT DO NOTHING`,
        [id, workspaceId, userId, kind, day, zone],
      );
      const isWanted =
        hasViews || (isSummaryKind(kind) && Object.values(waysOf(preferences, kind)).includes(true));
      if (rowCount === 1 && isWanted)
        await parts.jobs.enqueue(scopeOf(workspaceId), summaryMail, id, { summaryId: id });
    }
  });
}
