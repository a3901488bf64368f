import { connectionsContract } from '@app/contracts/channels/connections-contract';
import type { Channel } from '@app/database/channels/find-channel';
import type { Credentials } from '@app/domain/channels/channel-credentials';
import { wordOfRefusal } from '@app/domain/messaging/delivery-error-words';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { openCredentials } from '../platform/stored-credentials.ts';
import { keepProof } from './check-connection.ts';
import { addChannel, changeChannel, changedFields, disconnectChannel, proveAll } from './connect-channel.ts';
import {
  connectableKinds,
  findConnectable,
  readConnectable,
  readConnection,
  readConnections,
  webhookUrlOf,
  type ConnectableKind,
} from './connection-view.ts';
import { gatherCredentials } from './gather-credentials.ts';
import { withDesk } from './account-desk.ts';

const os = implementEndpoints(connectionsContract);

export const connectionsApi = os.router({
  list: os.list.handler(async ({ context }) => ({
    kinds: connectableKinds(context).map((kind) => describeKind(context, kind)),
    items: await readConnections(context),
  })),

  prove: os.prove.handler(async ({ input, context, errors }) => {
    const kind = findConnectable(context, input.kind);
    const channel = input.channelId ? await readConnectable(context, input.channelId) : null;
    if (!kind || (input.channelId && channel?.kind !== kind.name)) throw errors.channel_not_found();
    const credentials = await gatherCredentials(context, kind, input, channel);
    if (!credentials) throw errors.channel_not_found();
    // A value alone is tried alone, once there is one to try.
    if (!Object.keys(credentials).some((name) => name !== kind.connector.server.field))
      throw errors.connection_incomplete();
    const { fields, accountName, displayName } = await kind.connector.prove(credentials);
    if (channel && (await isStored(context, kind, channel, credentials)))
      await keepProof(context, channel, fields);
    return { fields: [...fields], accountName, displayName };
  }),

  create: os.create.handler(async ({ input, context, errors }) => {
    const kind = findConnectable(context, input.kind);
    const credentials = kind && (await gatherCredentials(context, kind, input, null));
    if (!kind || !credentials) throw errors.connection_incomplete();
    const proven = await proveAll(kind, credentials);
    if (proven.outcome !== 'proven') throw errors[proven.outcome]({ data: { issues: proven.issues } });
    const added = await context.change((scope) => addChannel(scope, context, kind, proven));
    if (added === 'channel_exists') throw errors.channel_exists();
    return readConnection(context, added);
  }),

  update: os.update.handler(async ({ input, context, errors }) => {
    const { channelId, version } = input;
    const channel = await readConnectable(context, channelId);
    const kind = channel && findConnectable(context, channel.kind);
    if (!kind) throw errors.channel_not_found();
    if (channel.version !== version) throw errors.channel_changed();
    const written = await gatherCredentials(context, kind, input, channel);
    if (!written) throw errors.connection_incomplete();
    if (kind.credentials.addressOf(written) !== channel.address) throw errors.channel_number_fixed();
    const proven = await proveAll(kind, written);
    if (proven.outcome !== 'proven') throw errors[proven.outcome]({ data: { issues: proven.issues } });
    const before = await openCredentials(kind.credentials, channel.credentials, context.secrets);
    const changed = changedFields(before, proven.credentials, kind.credentials);
    const refusal = await context.change((scope) =>
      changeChannel(scope, context, kind, { ...proven, channelId, version, changed }),
    );
    if (refusal) throw errors[refusal]();
    return readConnection(context, channelId);
  }),

  disconnect: os.disconnect.handler(async ({ input, context, errors }) => {
    const refusal = await context.change((scope) => disconnectChannel(scope, input.channelId));
    if (refusal) throw errors[refusal]();
    return readConnection(context, input.channelId);
  }),

  getSubscription: os.getSubscription.handler(async ({ input, context, errors }) => {
    const channel = await readConnectable(context, input.channelId);
    if (!channel) throw errors.channel_not_found();
    if (!channel.isConnected) throw errors.channel_not_connected();
    const answer = await withDesk(context, channel, (desk) => desk.subscription());
    if (answer.outcome !== 'done') return { state: 'unknown', address: null } as const;
    const { isSubscribed, address } = answer.value;
    if (!isSubscribed) return { state: 'none', address: null } as const;
    return {
      state: address === webhookUrlOf(context, channel.kind) ? 'here' : 'elsewhere',
      address,
    } as const;
  }),

  subscribe: os.subscribe.handler(async ({ input, context, errors }) => {
    const channel = await readConnectable(context, input.channelId);
    if (!channel) throw errors.channel_not_found();
    if (!channel.isConnected) throw errors.channel_not_connected();
    const startedAt = performance.now();
    const answer = await withDesk(context, channel, (desk, webhookToken) =>
      desk.subscribe(webhookUrlOf(context, channel.kind), webhookToken),
    );
    if (answer.outcome === 'unreachable') throw errors.platform_unreachable();
    if (answer.outcome === 'refused') {
      const isOfAddress = answer.code === CALLED_IN_VAIN || answer.subcode === CALLED_IN_VAIN;
      const data = { values: { reason: answer.reason, word: wordOfRefusal(answer) } };
      throw isOfAddress ? errors.webhook_unreachable({ data }) : errors.platform_refused({ data });
    }
    return { milliseconds: Math.round(performance.now() - startedAt) };
  }),
});

/** Whether what was tried is what the channel works with. */
async function isStored(
  context: SignedInContext,
  { credentials: form, connector }: ConnectableKind,
  channel: Channel,
  tried: Credentials,
): Promise<boolean> {
  const stored = await openCredentials(form, channel.credentials, context.secrets);
  return form.fields.every(
    ({ name }) => name === connector.webhookToken || (tried[name] ?? '') === (stored[name] ?? ''),
  );
}

/** The platform's code for an address that did not answer as it should. */
const CALLED_IN_VAIN = '2200';

function describeKind(context: SignedInContext, kind: ConnectableKind) {
  const { name, credentials, connector } = kind;
  const own = [connector.server.field, connector.webhookToken];
  return {
    name,
    fields: credentials.fields
      .filter((field) => !own.includes(field.name))
      .map((field) => ({
        ...{ name: field.name, label: field.label, isSecret: field.isSecret, format: field.format },
      })),
    webhookToken: connector.webhookToken,
    least: [...connector.least],
    servers:
      context.sandboxUrl === undefined
        ? (['platform'] as const).slice()
        : (['platform', 'sandbox'] as const).slice(),
    sandboxConsole: context.sandboxUrl === undefined ? null : new URL('/#console', context.sandboxUrl).href,
    webhookUrl: webhookUrlOf(context, name),
  };
}
