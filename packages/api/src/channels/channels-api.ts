import { channelsContract } from '@app/contracts/channels/channels-contract';
import { listChannels, senderOf, type Channel } from '@app/database/channels/find-channel';
import { explainDeliveryError } from '@app/domain/messaging/delivery-error-messages';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { connectionOf } from './channel-connection.ts';
import { resumeChannel } from './change-number.ts';

const os = implementEndpoints(channelsContract);

export const channelsApi = os.router({
  list: os.list.handler(async ({ context }) => ({
    items: (await context.read((scope) => readStatuses(scope, context))).map(({ status }) => status),
    nextCursor: null,
  })),

  resume: os.resume.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const find = async () =>
        (await readStatuses(scope, context)).find(({ channel }) => channel.id === input.channelId);
      const found = await find();
      if (!found) throw errors.channel_not_found();
      const { channel, status } = found;
      if (status.connection === 'none') throw errors.channel_not_connected();
      if (status.stopped === null) return status;
      await resumeChannel(scope, channel.id);
      return (await find())?.status ?? status;
    }),
  ),
});

async function readStatuses(
  { tx, workspaceId }: ReadScope,
  parts: Pick<ApiDependencies, 'sandboxUrl' | 'channelKinds'>,
) {
  const all = await listChannels(tx, workspaceId);
  const sender = senderOf(all);
  return all.map((channel) => {
    const { id, kind, displayName, messagesPerSecond, lastSyncAt } = channel;
    const rules = parts.channelKinds.of(channel).capabilities;
    const status = {
      ...{ id, kind, messagesPerSecond },
      isSender: channel === sender,
      isDefault: channel === senderOf(all, kind),
      connection: connectionOf(channel, parts).kind,
      displayName: displayName || null,
      stopped: describeStop(channel),
      lastSyncAt: lastSyncAt?.toISOString() ?? null,
      capabilities: {
        ...{ templates: rules.templates, freeTextHours: rules.freeTextHours, quotes: rules.quotes },
        ...{ userIds: rules.userIds, withdraws: rules.withdraws ?? false },
        contents: rules.contents.map(({ kind: of, name, inTemplates }) => ({
          ...{ kind: of, contentType: name, inTemplates },
        })),
        ...{
          longestText: rules.text.longest,
          textStyles: rules.text.hasStyles,
          media: rules.media,
          replyButtons: rules.replyButtons,
        },
      },
    };
    return { channel, status };
  });
}

function describeStop({ stoppedCode: code, stoppedReason: reason, stoppedFor }: Channel) {
  if (code === null && reason === null) return null;
  return {
    code,
    blocks: stoppedFor ?? 'everything',
    reason: reason || explainDeliveryError({ code: code ?? 'unknown', title: '' }),
  };
}
