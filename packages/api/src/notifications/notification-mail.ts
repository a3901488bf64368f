import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { mayHear, waysOf } from '@app/domain/notifications/notification-choices';
import type { NotificationKind } from '@app/domain/notifications/notification-kinds';
import { resolvePermissions, type Role, type RolePermissionOverrides } from '@app/domain/auth/permissions';
import type { SummaryKind } from '@app/domain/notifications/summary';
import { pageInWorkspace } from '@app/domain/workspaces/workspace-rules';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/define-job.ts';
import { mailRules } from '../platform/jobs/mailer.ts';
import { mailWords } from '../platform/words/mail-words.ts';
import { shownValues } from './notifications-queries.ts';
import { PREFERENCES_HERE } from '../platform/account/wanted-notices.ts';

type Row = {
  workspace_id: string;
  kind: Exclude<NotificationKind, 'new_browser' | SummaryKind>;
  values: Record<string, string | number>;
  email: string;
  name: string;
  language: InterfaceLanguage;
  role: Role;
  overrides: RolePermissionOverrides;
  preferences: Record<string, unknown>;
};

/** More than that nobody reads in a mail; its subject says how many there are. */
const MOST_LINES = 50;

/** What was gathered for one person, not read since, and may be read by what they are now, in one mail. */
export const notificationMail = defineJob({
  ...mailRules,
  name: 'notification-mail',
  as: 'facts',
  payload: z.object({ mailId: z.uuid() }),
  repeat: 'once',
  usefulSeconds: 24 * 3_600,
  atOnce: 2,
  async run({ read, mailer, publicUrl }, { id, payload: { mailId } }) {
    const news = await read(async (scope) => {
      const { rows } = await scope.query<Row>(
        `SELECT n.workspace_id, n.kind, ${shownValues('n')} AS "values", u.email, u.first_name AS name, coalesce(u.language, w.language) AS language,
                m.role, w.role_permissions AS overrides, ${PREFERENCES_HERE} AS preferences
           FROM notifications n JOIN users u ON u.id = n.user_id JOIN workspaces w ON w.id = n.workspace_id
           JOIN memberships m ON m.workspace_id = n.workspace_id AND m.user_id = n.user_id
          WHERE n.workspace_id = $1 AND n.mail_id = $2 AND n.read_at IS NULL AND m.is_active
          ORDER BY n.fact_id, n.id`,
        [scope.workspaceId, mailId],
      );
      return rows.filter(isStillWanted);
    });
    const [first] = news;
    if (!first) return { isSent: false };
    const words = mailWords(first.language);
    const oneLine = (value: string | number) =>
      typeof value === 'string' ? value.replaceAll(/\s+/g, ' ') : value;
    const lines = news.map(({ kind, values }) =>
      words(`mail.news.${kind}`, Object.fromEntries(Object.entries(values).map(([k, v]) => [k, oneLine(v)]))),
    );
    const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), '…'] : lines;
    await mailer.send({
      ...{ id, to: first.email },
      subject: news.length === 1 ? lines[0]! : words('mail.news.subject', { n: news.length }),
      text: words('mail.news.text', {
        ...{ name: first.name, lines: shown.map((line) => `- ${line}`).join('\n') },
        link: `${publicUrl}${pageInWorkspace('/dashboard', first.workspace_id)}`,
        choices: `${publicUrl}/dashboard/profile?tab=notifications`,
      }),
    });
    return { isSent: true, told: news.length };
  },
});

/** By what they are and have chosen when it leaves. */
function isStillWanted({ kind, role, overrides, preferences }: Row): boolean {
  return mayHear(resolvePermissions(role, overrides), kind) && waysOf(preferences, kind).email;
}
