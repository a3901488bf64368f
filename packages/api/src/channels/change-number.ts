import { channels } from '@app/database/channels/channels-tables';
import { listChannels } from '@app/database/channels/find-channel';
import { and, eq } from 'drizzle-orm';
import type { SignedInContext } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { goOn, lockChannel } from './connect-channel.ts';
import { findConnectable } from './connection-view.ts';

/** Resumes a number that was stopped because the platform did not know it. Emits `channel.changed`. */
export async function resumeAfterRegistration(
  scope: WorkspaceScope,
  context: SignedInContext,
  channelId: string,
  address: string,
): Promise<void> {
  const all = await listChannels(scope.tx, scope.workspaceId);
  const kind = all.find(({ id }) => id === channelId)?.kind;
  const own = all.find((one) => one.kind === kind && one.address === address);
  const connector = own && findConnectable(context, own.kind)?.connector;
  if (!connector || own.stoppedCode === null || connector.mendedBy(own.stoppedCode) !== 'registration')
    return;
  await goOn(scope, own.id);
  const values = { name: own.displayName, fields: ['registration'] };
  await scope.emit({ type: 'channel.changed', subject: own.id, values });
}

/** Makes a connected number the default sender of its kind. Emits `channel.changed`. */
export async function makeDefault(
  scope: WorkspaceScope,
  channelId: string,
): Promise<'channel_not_found' | 'channel_not_connected' | null> {
  const { tx, workspaceId } = scope;
  // All are locked, in one order: of two requests at once, the second sees what the first chose.
  const locked = await tx
    .select()
    .from(channels)
    .where(eq(channels.workspaceId, workspaceId))
    .orderBy(channels.id)
    .for('update');
  const channel = locked.find(({ id }) => id === channelId);
  if (!channel) return 'channel_not_found';
  if (!channel.isConnected) return 'channel_not_connected';
  if (channel.isDefault) return null;
  await tx
    .update(channels)
    .set({ isDefault: false })
    .where(
      and(
        ...[eq(channels.workspaceId, workspaceId), eq(channels.kind, channel.kind)],
        eq(channels.isDefault, true),
      ),
    );
  await tx.update(channels).set({ isDefault: true }).where(eq(channels.id, channelId));
  const values = { name: channel.displayName, fields: ['default'] };
  await scope.emit({ type: 'channel.changed', subject: channelId, values });
  return null;
}

/** Sets how many messages a second the number sends, unless it was changed since `version`. Emits `channel.changed`. */
export async function changeRate(
  scope: WorkspaceScope,
  {
    channelId,
    version,
    messagesPerSecond,
  }: { channelId: string; version: number; messagesPerSecond: number },
): Promise<'channel_not_found' | 'channel_changed' | null> {
  const channel = await lockChannel(scope, channelId);
  if (!channel) return 'channel_not_found';
  if (channel.version !== version) return 'channel_changed';
  await scope.tx
    .update(channels)
    .set({ messagesPerSecond, version: version + 1 })
    .where(eq(channels.id, channelId));
  const values = { name: channel.displayName, fields: ['messagesPerSecond'] };
  await scope.emit({ type: 'channel.changed', subject: channelId, values });
  return null;
}

/** Ends a stop of the channel: campaigns and messages that wait for it are sent. Emits `channel.resumed`. */
export async function resumeChannel(scope: WorkspaceScope, channelId: string): Promise<void> {
  await scope.tx
    .update(channels)
    .set({
      stoppedCode: null,
      stoppedReason: null,
      stoppedFor: null,
      stoppedAt: null,
      resumedAt: scope.clock(),
    })
    .where(and(eq(channels.workspaceId, scope.workspaceId), eq(channels.id, channelId)));
  await scope.emit({ type: 'channel.resumed', subject: channelId, values: {} });
}
