import { templatesContract } from '@app/contracts/templates/templates-contract';
import type { Channel } from '@app/database/channels/find-channel';
import type { ChannelTemplate } from '@app/domain/messaging/channel-template';
import { readReviewer } from '../channels/channel-connection.ts';
import { checkAfter } from '../channels/check-connection.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { describeRefusal } from './describe-rejection.ts';
import { compareWithAccount, importFromAccount } from './account-templates.ts';

const os = implementEndpoints(templatesContract);

/** A synchronisation that takes longer was cut off. */
const LONGEST_SYNC_MS = 6 * 60_000;

type Refusals = {
  channel_not_connected: () => Error;
  platform_unreachable: () => Error;
  template_refused: (options: {
    message: string;
    data: { values: { reason: string; word: string } };
  }) => Error;
};

/** The templates of the account beside ours. */
export const accountTemplatesApi = {
  listAccount: os.listAccount.handler(async ({ context, errors }) => {
    const { channel, account } = await readAccount(context, errors);
    const items = await context.read((scope) => compareWithAccount(scope, account));
    return { number: channel.displayName, accountName: channel.accountName, items };
  }),

  getSync: os.getSync.handler(async ({ context }) => {
    const { channel } = await context.read((scope) => readReviewer(scope, context));
    return describeSync(channel, context.clock());
  }),

  importFromAccount: os.importFromAccount.handler(async ({ input, context, errors }) => {
    const { account } = await readAccount(context, errors);
    return context.change((scope) => importFromAccount(scope, account, input.platformIds ?? 'all'));
  }),
};

async function readAccount(
  context: SignedInContext,
  errors: Refusals,
): Promise<{ channel: Channel; account: ChannelTemplate[] }> {
  const { kind, channel } = await context.read((scope) => readReviewer(scope, context));
  if (kind === 'none' || !channel) throw errors.channel_not_connected();
  const answer = await context.templatePlatform.list(channel.id);
  await checkAfter(context, channel, answer);
  if (answer.outcome === 'unreachable') throw errors.platform_unreachable();
  if (answer.outcome === 'refused') throw errors.template_refused(describeRefusal(answer));
  return { channel, account: answer.value };
}

function describeSync(channel: Channel | null, now: Date) {
  const at = channel?.templatesSyncAt ?? null;
  const state = channel?.templatesSync ?? null;
  if (!channel || state === null || at === null)
    return { state: 'none' as const, code: null, reason: null, at: null };
  const isCutOff = state === 'running' && now.getTime() - at.getTime() > LONGEST_SYNC_MS;
  return {
    state: isCutOff ? ('failed' as const) : state,
    code: channel.templatesSyncCode,
    reason: channel.templatesSyncReason,
    at: at.toISOString(),
  };
}
