import { saveWorkspaceSettings } from '@app/database/auth/write-settings';
import type { WorkspaceSettings } from '@app/database/workspaces/workspaces-tables';
import type { InboxManners } from '@app/domain/conversations/inbox-settings';
import { readMessagingSettings, type MessagingSettings } from '@app/domain/settings/messaging-settings';
import { changeInboxManners, findInboxSettings } from '../conversations/teamwork/inbox-settings.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

/** With what of the inbox customers notice; the inbox keeps that itself. */
export type StoredMessaging = MessagingSettings & InboxManners & { version: number };
export type MessagingChange = Partial<MessagingSettings & InboxManners> & { version: number };

/** How the workspace sends and answers; version 0 where nobody changed anything. */
export async function findMessagingSettings(scope: ReadScope): Promise<StoredMessaging> {
  const { rows } = await scope.query<{ settings: WorkspaceSettings }>(
    'SELECT settings FROM workspaces WHERE id = $1',
    [scope.workspaceId],
  );
  const settings = rows[0]?.settings ?? {};
  const { businessHours, sendReadReceipts, showTyping } = await findInboxSettings(scope);
  return {
    ...readMessagingSettings(settings),
    ...{ businessHours, sendReadReceipts, showTyping },
    version: settings.versions?.messaging ?? 0,
  };
}

/** `settings_changed` when somebody else saved since the version was read. */
export async function changeMessagingSettings(
  scope: WorkspaceScope,
  {
    version,
    businessHours,
    sendReadReceipts,
    showTyping,
    kindLimits,
    promotionsPerPerson,
    ...others
  }: MessagingChange,
): Promise<StoredMessaging | 'settings_changed'> {
  const stored = kindLimits || promotionsPerPerson ? await findMessagingSettings(scope) : null;
  const settings = {
    ...others,
    // One kind leaves the limits of the others as they are.
    ...(kindLimits && { kindLimits: { ...stored?.kindLimits, ...kindLimits } }),
    ...(promotionsPerPerson && {
      promotionsPerPerson: { ...stored?.promotionsPerPerson, ...promotionsPerPerson },
    }),
  };
  const isSaved = await saveWorkspaceSettings(scope, scope.workspaceId, {
    ...{ part: 'messaging', version, settings },
  });
  if (!isSaved) return 'settings_changed';
  await changeInboxManners(scope, { businessHours, sendReadReceipts, showTyping });
  await scope.emit({ type: 'settings.updated', subject: scope.workspaceId, values: { part: 'messaging' } });
  return findMessagingSettings(scope);
}
