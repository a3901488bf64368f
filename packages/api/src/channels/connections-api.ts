import { connectionsContract } from '@app/contracts/channels/connections-contract';
import type { Channel } from '@app/database/channels/find-channel';
import type { AccountSubscription } from '@app/domain/channels/channel-connector';
import type { Credentials } from '@app/domain/channels/channel-credentials';
import { codeOfRejection } from '@app/domain/messaging/delivery-error-messages';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { openFields } from '../platform/stored-credentials.ts';
import { askStoppedAgent } from './check-agent.ts';
import { keepProof } from './check-connection.ts';
import { changeChannel, changedFields, disconnectChannel, proveAll } from './connect-channel.ts';
import { connectNumber } from './connect-number.ts';
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
    const proof = await kind.connector.prove(credentials);
    if (channel && (await isStored(context, kind, channel, credentials))) {
      await keepProof(context, channel, proof);
      await askStoppedAgent(context, channel);
    }
    const { fields, accountName, displayName } = proof;
    return { fields: [...fields], accountName, displayName };
  }),

  create: os.create.handler(async ({ input, context, errors }) => {
    const kind = findConnectable(context, input.kind);
    const credentials = kind && (await gatherCredentials(context, kind, input, null));
    if (!kind || !credentials) throw errors.connection_incomplete();
    const connected = await connectNumber(context, kind, credentials);
    if (connected.outcome === 'channel_exists') throw errors.channel_exists();
    if (connected.outcome !== 'connected')
      throw errors[connected.outcome]({ data: { issues: connected.issues } });
    return readConnection(context, connected.channelId);
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
    const before = await openFields(kind.credentials, channel.credentials, context.secrets);
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
    if (answer.outcome !== 'done') return NOT_SAID;
    const { address, appAddress, missing } = answer.value;
    return {
      state: stateOf(answer.value, webhookUrlOf(context, channel.kind)),
      ...{ address, appAddress, missing: missing && [...missing] },
    };
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
      const data = { values: { reason: answer.reason, word: codeOfRejection(answer) } };
      throw isOfAddress ? errors.webhook_unreachable({ data }) : errors.platform_refused({ data });
    }
    const { added, missing, appAddress, reason } = answer.value;
    return {
      milliseconds: Math.round(performance.now() - startedAt),
      ...{ added: [...added], missing: missing && [...missing], appAddress, reason },
    };
  }),
});

/** An app that is told of nothing has no address; one that may not be asked has one that is not known. */
function stateOf({ isSubscribed, address, missing }: AccountSubscription, ours: string) {
  if (!isSubscribed || (address === null && missing !== null)) return 'none';
  return address === ours ? 'here' : 'elsewhere';
}

const NOT_SAID = { state: 'unknown', address: null, appAddress: null, missing: null } as const;

/** Whether what was tried is what the channel works with. */
async function isStored(
  context: SignedInContext,
  { credentials: form, connector }: ConnectableKind,
  channel: Channel,
  tried: Credentials,
): Promise<boolean> {
  const stored = await openFields(form, channel.credentials, context.secrets);
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
        choices: [...(field.choices ?? [])],
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
