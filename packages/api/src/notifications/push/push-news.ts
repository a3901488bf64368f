import { resolvePermissions, type Role, type RolePermissionOverrides } from '@app/domain/auth/permissions';
import { mayHear, waysOf } from '@app/domain/notifications/notification-choices';
import type { NotificationKind } from '@app/domain/notifications/notification-kinds';
import { pathOfNotification } from '@app/domain/notifications/notification-path';
import { readGeneralSettings } from '@app/domain/settings/general-settings';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { pageInWorkspace } from '@app/domain/workspaces/workspace-rules';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { mailWords } from '../../platform/words/mail-words.ts';
import { shownValues } from '../notifications-queries.ts';
import { findOpenBrowsers, type OpenBrowser } from './push-browsers.ts';
import { PREFERENCES_HERE } from '../../platform/account/wanted-notices.ts';

/** What the service worker of the web app shows, and opens when it is pressed. */
type Pushed = { title: string; body: string; tag: string; path: string };

/** Of one person, who has ten at most. */
const BROWSERS_AT_ONCE = 5;
const rules = { attempts: 6, pauseSeconds: 10, longestPauseSeconds: 600, timeoutSeconds: 60 };

type Row = {
  workspace_id: string;
  user_id: string;
  kind: NotificationKind;
  subject: string | null;
  values: Record<string, string | number>;
  language: InterfaceLanguage;
  role: Role;
  overrides: RolePermissionOverrides;
  preferences: Record<string, unknown>;
  settings: Record<string, unknown>;
};

/**
 * Pushes one notification to the browsers of its person: to each once, because what it went to is written before it leaves. Not what was read
 * meanwhile, and nothing that the person may not hear or does not want to by now.
 */
export const pushNews = defineJob({
  ...rules,
  name: 'push-news',
  as: 'facts',
  payload: z.object({ notificationId: z.uuid() }),
  repeat: 'once',
  // Whoever opens their computer in the evening has no use for it.
  usefulSeconds: 4 * 3_600,
  ...{ atOnce: 4, atOnceOfOne: 2 },
  async run(parts, { payload: { notificationId } }) {
    const row = await parts.read((scope) => findNews(scope, notificationId));
    if (!row || !waysOf(row.preferences, row.kind).push) return { sent: 0 };
    if (!mayHear(resolvePermissions(row.role, row.overrides), row.kind)) return { sent: 0 };
    const browsers = await parts.db.inSystem((_, client) => findOpenBrowsers(client, row.user_id));
    const words = mailWords(row.language);
    let sent = 0;
    const troubles: unknown[] = [];
    const pushOnce = async (browser: OpenBrowser) => {
      if (!(await claim(parts, notificationId, browser.id))) return;
      try {
        const isSent = await pushTo(parts, browser, {
          title: readGeneralSettings(row.settings).businessName,
          body: browser.shows_text ? words(`mail.news.${row.kind}`, row.values) : words('mail.push.hidden'),
          ...{
            tag: notificationId,
            path: pageInWorkspace(pathOfNotification(row.kind, row.subject), row.workspace_id),
          },
        });
        if (isSent) sent += 1;
      } catch (error) {
        // It did not leave: the next attempt may try it again.
        await unclaim(parts, notificationId, browser.id);
        troubles.push(error);
      }
    };
    // Each takes the next one as soon as it is free, so that a service that does not answer keeps nobody else waiting.
    const waiting = browsers.values();
    const takeNext = async () => {
      for (const browser of waiting) await pushOnce(browser);
    };
    await Promise.all(Array.from({ length: BROWSERS_AT_ONCE }, takeNext));
    if (troubles.length > 0) throw troubles[0];
    return { sent };
  },
});

/** Shows the person how it looks, in one browser of theirs. */
export const pushTest = defineJob({
  ...rules,
  attempts: 2,
  name: 'push-test',
  as: 'facts',
  payload: z.object({ browserId: z.uuid(), userId: z.uuid() }),
  repeat: 'while-waiting',
  usefulSeconds: 300,
  atOnce: 2,
  async run(parts, { id, payload: { browserId, userId } }) {
    const found = await parts.db.inSystem(async (_, client) => ({
      browser: (await findOpenBrowsers(client, userId, browserId))[0],
      person: (
        await client.query<{ language: InterfaceLanguage | null }>(
          'SELECT language FROM users WHERE id = $1',
          [userId],
        )
      ).rows[0],
    }));
    if (!found.browser) return { isSent: false };
    const words = mailWords(found.person?.language ?? 'en');
    const isSent = await pushTo(parts, found.browser, {
      ...{ title: words('mail.push.testTitle'), body: words('mail.push.test') },
      ...{ tag: id, path: '/dashboard/profile?tab=notifications' },
    });
    return { isSent };
  },
});

async function pushTo(
  { db, push, clock }: Pick<ApiDependencies, 'db' | 'push' | 'clock'>,
  browser: OpenBrowser,
  pushed: Pushed,
): Promise<boolean> {
  const now = clock();
  const outcome = await push.send(browser, { text: JSON.stringify(pushed), about: pushed.tag, now });
  // A browser that is gone, or whose service does not know us, hears nothing more until somebody asks for it there again.
  await (outcome === 'sent'
    ? db.systemPool.query('UPDATE push_browsers SET sent_at = $2 WHERE id = $1', [browser.id, now])
    : db.systemPool.query('DELETE FROM push_browsers WHERE id = $1', [browser.id]));
  return outcome === 'sent';
}

async function findNews(scope: ReadScope, notificationId: string): Promise<Row | null> {
  const { rows } = await scope.query<Row>(
    `SELECT n.workspace_id, n.user_id, n.kind, n.subject, ${shownValues('n')} AS "values", coalesce(u.language, w.language) AS language, ${PREFERENCES_HERE} AS preferences,
            m.role, w.role_permissions AS overrides, w.settings
       FROM notifications n JOIN users u ON u.id = n.user_id JOIN workspaces w ON w.id = n.workspace_id
       JOIN memberships m ON m.workspace_id = n.workspace_id AND m.user_id = n.user_id AND m.is_active
      WHERE n.workspace_id = $1 AND n.id = $2 AND n.is_pushed AND n.read_at IS NULL`,
    [scope.workspaceId, notificationId],
  );
  return rows[0] ?? null;
}

/** Written before it leaves: whoever dies over it sends nothing twice. */
async function claim({ db }: Pick<ApiDependencies, 'db'>, id: string, browserId: string): Promise<boolean> {
  const { rowCount } = await db.systemPool.query(
    'UPDATE notifications SET pushed_to = pushed_to || $2::uuid WHERE id = $1 AND NOT $2 = ANY (pushed_to)',
    [id, browserId],
  );
  return rowCount === 1;
}

async function unclaim({ db }: Pick<ApiDependencies, 'db'>, id: string, browserId: string): Promise<void> {
  await db.systemPool.query(
    'UPDATE notifications SET pushed_to = array_remove(pushed_to, $2::uuid) WHERE id = $1',
    [id, browserId],
  );
}
