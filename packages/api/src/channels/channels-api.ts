import { channelsContract } from '@app/contracts/channels/channels-contract';
import { channels } from '@app/database/channels/channels-tables';
import { explainDeliveryError } from '@app/domain/messaging/delivery-error-words';
import { and, eq } from 'drizzle-orm';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { readConnection, type ChannelConnection } from '../platform/messaging/channel-connection.ts';

const os = implementEndpoints(channelsContract);

export const channelsApi = os.router({
  getStatus: os.getStatus.handler(async ({ context }) => {
    const { workspaceId } = context.session;
    return presentStatus(
      await context.inWorkspace((tx) => readConnection(tx, workspaceId, context.sandboxUrl)),
    );
  }),

  resume: os.resume.handler(async ({ context, errors }) => {
    const { workspaceId } = context.session;
    const resumed = await context.inWorkspace(async (tx) => {
      const connection = await readConnection(tx, workspaceId, context.sandboxUrl);
      if (!connection.channel || connection.kind === 'none') throw errors.channel_not_connected();
      if (!isStopped(connection.channel)) return connection;
      await tx
        .update(channels)
        .set({ stoppedCode: null, stoppedReason: null })
        .where(and(eq(channels.workspaceId, workspaceId), eq(channels.id, connection.channel.id)));
      await context.recordActivity(tx, {
        type: 'update',
        resource: 'channels',
        description: 'Let the stopped WhatsApp number send again',
      });
      return readConnection(tx, workspaceId, context.sandboxUrl);
    });
    await context.publish('channels');
    return presentStatus(resumed);
  }),
});

function presentStatus({ kind, channel }: ChannelConnection) {
  return {
    connection: kind,
    displayPhoneNumber: channel?.displayPhoneNumber || null,
    stopped:
      channel && isStopped(channel)
        ? { code: channel.stoppedCode, reason: channel.stoppedReason ?? explainCode(channel.stoppedCode) }
        : null,
    messagesPerSecond: channel?.messagesPerSecond ?? null,
    lastSyncAt: channel?.lastSyncAt?.toISOString() ?? null,
  };
}

function isStopped({ stoppedCode, stoppedReason }: NonNullable<ChannelConnection['channel']>): boolean {
  return stoppedCode !== null || stoppedReason !== null;
}

function explainCode(code: number | null): string {
  return explainDeliveryError({ code: String(code), title: '' });
}
