import { saveWorkspaceSettings } from '@app/database/auth/write-settings';
import type { WorkspaceSettings } from '@app/database/workspaces/workspaces-tables';
import { readChoice, type NotificationChoices } from '@app/domain/notifications/notification-choices';
import { notificationOptions } from '@app/domain/notifications/notification-kinds';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

export type NoticeDefaults = { options: NotificationChoices['options']; version: number };

/** What people are told of, and how, who have chosen nothing; version 0 where nobody changed anything. */
export async function findNoticeDefaults({ query, workspaceId }: ReadScope): Promise<NoticeDefaults> {
  const { rows } = await query<{ settings: WorkspaceSettings }>(
    'SELECT settings FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  const { notices = {}, versions } = rows[0]?.settings ?? {};
  return {
    options: Object.fromEntries(
      notificationOptions.map((option) => [option, readChoice({ notices }, option)]),
    ),
    version: versions?.notices ?? 0,
  };
}

/** `settings_changed` when somebody else saved since the version was read. */
export async function changeNoticeDefaults(
  scope: WorkspaceScope,
  { version, options }: NoticeDefaults,
): Promise<NoticeDefaults | 'settings_changed'> {
  const isSaved = await saveWorkspaceSettings(scope, scope.workspaceId, {
    ...{ part: 'notices', version, settings: { notices: options } },
  });
  if (!isSaved) return 'settings_changed';
  await scope.emit({ type: 'settings.updated', subject: scope.workspaceId, values: { part: 'notices' } });
  return findNoticeDefaults(scope);
}
