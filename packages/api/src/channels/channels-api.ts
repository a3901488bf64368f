import { channelsContract } from '@app/contracts/channels/channels-contract';
import { channels } from '@app/database/channels/channels-tables';
import { explainDeliveryError } from '@app/domain/messaging/delivery-error-words';
import { and, eq } from 'drizzle-orm';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { readConnection, type ChannelConnection } from './channel-connection.ts';

const os = implementEndpoints(channelsContract);

export const channelsApi = os.router({
  getStatus: os.getStatus.handler(async ({ context }) =>
    presentStatus(await context.read((scope) => readConnection(scope, context.sandboxUrl))),
  ),

  resume: os.resume.handler(({ context, errors }) =>
    context.change(async (scope) => {
      const connection = await readConnection(scope, context.sandboxUrl);
      const { channel, kind } = connection;
      if (!channel || kind === 'none') throw errors.channel_not_connected();
      if (!isStopped(channel)) return presentStatus(connection);
      await scope.tx
        .update(channels)
        .set({ stoppedCode: null, stoppedReason: null, resumedAt: scope.clock() })
        .where(and(eq(channels.workspaceId, scope.workspaceId), eq(channels.id, channel.id)));
      await scope.tell({ type: 'channel.resumed', subject: channel.id, values: {} });
      return presentStatus(await readConnection(scope, context.sandboxUrl));
    }),
  ),
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
