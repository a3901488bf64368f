import { numbersContract } from '@app/contracts/channels/numbers-contract';
import { listChannels, senderOf, type Channel } from '@app/database/channels/find-channel';
import type { AccountDesk, AccountNumber } from '@app/domain/channels/channel-connector';
import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { openFields } from '../platform/stored-credentials.ts';
import { changeAsSystem } from '../platform/system-work.ts';
import { readValue, withDesk, type PlatformErrors } from './account-desk.ts';
import { changeRate, makeDefault, resumeAfterRegistration } from './change-number.ts';
import { connectNumber } from './connect-number.ts';
import { findConnectable, readConnection, readConnectable } from './connection-view.ts';
import { isNewStanding, keepStanding } from './keep-standing.ts';

const os = implementEndpoints(numbersContract);

type Refusals = PlatformErrors & {
  channel_not_found: () => Error;
  channel_not_connected: () => Error;
};

export const numbersApi = os.router({
  list: os.list.handler(async ({ input, context, errors }) => {
    const at = context.clock();
    const numbers = await ask(context, input.channelId, errors, (desk) => desk.numbers());
    const all = await context.read(({ tx, workspaceId }) => listChannels(tx, workspaceId));
    const asked = all.find(({ id }) => id === input.channelId);
    const ownOf = ({ address }: AccountNumber) =>
      all.find((one) => one.kind === asked?.kind && one.address === address);
    await keepAll(context, numbers, ownOf, at);
    return {
      items: numbers.map((number) => {
        const own = ownOf(number);
        return { ...number, channel: own ? showOwn(own, own === senderOf(all, own.kind)) : null };
      }),
    };
  }),

  add: os.add.handler(async ({ input, context, errors }) => {
    const channel = await readConnectable(context, input.channelId);
    const kind = channel && findConnectable(context, channel.kind);
    if (!kind) throw errors.channel_not_found();
    if (!channel.isConnected) throw errors.channel_not_connected();
    const credentials = await openFields(kind.credentials, channel.credentials, context.secrets);
    const wanted = { ...credentials, [kind.connector.addressField]: input.address };
    const connected = await connectNumber(context, kind, wanted);
    if (connected.outcome === 'channel_exists') throw errors.channel_exists();
    if (connected.outcome === 'platform_unreachable') throw errors.platform_unreachable();
    if (connected.outcome !== 'connected')
      throw errors.connection_refused({ data: { issues: connected.issues } });
    return readConnection(context, connected.channelId);
  }),

  requestCode: os.requestCode.handler(async ({ input, context, errors }) => {
    const { channelId, address, by, language } = input;
    await ask(context, channelId, errors, (desk) => desk.requestCode(address, by, language));
    return {};
  }),

  verifyCode: os.verifyCode.handler(async ({ input, context, errors }) => {
    const { channelId, address, code } = input;
    await ask(context, channelId, errors, (desk) => desk.verifyCode(address, code));
    return {};
  }),

  register: os.register.handler(async ({ input, context, errors }) => {
    const { channelId, address, pin } = input;
    await ask(context, channelId, errors, (desk) => desk.register(address, pin));
    await context.change((scope) => resumeAfterRegistration(scope, context, channelId, address));
    return {};
  }),

  setDefault: os.setDefault.handler(async ({ input, context, errors }) => {
    const refusal = await context.change((scope) => makeDefault(scope, input.channelId));
    if (refusal) throw errors[refusal]();
    return readConnection(context, input.channelId);
  }),

  setRate: os.setRate.handler(async ({ input, context, errors }) => {
    const refusal = await context.change((scope) => changeRate(scope, input));
    if (refusal) throw errors[refusal]();
    return readConnection(context, input.channelId);
  }),
});

function showOwn(channel: Channel, isDefault: boolean) {
  const { id, version, isConnected, messagesPerSecond, standing } = channel;
  return { id, version, isConnected, isDefault, messagesPerSecond, health: standing?.health ?? null };
}

/** What was read for somebody is news for everybody, where it is another than before. */
async function keepAll(
  context: SignedInContext,
  numbers: readonly AccountNumber[],
  ownOf: (number: AccountNumber) => Channel | undefined,
  at: Date,
): Promise<void> {
  for (const number of numbers) {
    const own = ownOf(number);
    if (own?.isConnected && isNewStanding(own, number))
      await changeAsSystem(context, 'upkeep', context.session.workspaceId, (scope) =>
        keepStanding(scope, own.id, number, { at, isWhole: false }),
      );
  }
}

/** What the platform answers about the account of a channel; everything else is a refusal with its words and its code. */
async function ask<Value>(
  context: SignedInContext,
  channelId: string,
  errors: Refusals,
  work: (desk: AccountDesk) => Promise<PlatformAnswer<Value>>,
): Promise<Value> {
  const channel = await readConnectable(context, channelId);
  if (!channel) throw errors.channel_not_found();
  if (!channel.isConnected) throw errors.channel_not_connected();
  return readValue(await withDesk(context, channel, work), errors);
}
