import { channelAgentsContract } from '@app/contracts/channels/channel-agents-contract';
import { launchStateOf, type AgentDesk } from '@app/domain/channels/agent-desk';
import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { openFields } from '../platform/stored-credentials.ts';
import { askAt, readValue, type PlatformErrors } from './account-desk.ts';
import { findConnectable, readConnectable } from './connection-view.ts';

const os = implementEndpoints(channelAgentsContract);

type Refusals = PlatformErrors & {
  channel_not_found: () => Error;
  channel_without_agent: () => Error;
  channel_not_connected: () => Error;
};

export const channelAgentsApi = os.router({
  get: os.get.handler(async ({ input, context, errors }) => {
    const { launches, features, ...about } = await ask(context, input.channelId, errors, (desk) =>
      desk.describe(),
    );
    return {
      ...about,
      launchState: launchStateOf(launches),
      launches: [...launches],
      features: features && [...features],
    };
  }),

  listTestDevices: os.listTestDevices.handler(async ({ input, context, errors }) => ({
    items: [...(await ask(context, input.channelId, errors, (desk) => desk.testDevices()))],
  })),

  inviteTestDevice: os.inviteTestDevice.handler(({ input: { channelId, phone }, context, errors }) =>
    ask(context, channelId, errors, (desk) => desk.invite(phone)),
  ),

  removeTestDevice: os.removeTestDevice.handler(async ({ input: { channelId, phone }, context, errors }) => {
    await ask(context, channelId, errors, (desk) => desk.remove(phone));
    return {};
  }),
});

/** What the platform answers about the agent of a channel; everything else is an error with the platform's code. */
async function ask<Value>(
  context: SignedInContext,
  channelId: string,
  errors: Refusals,
  work: (desk: AgentDesk) => Promise<PlatformAnswer<Value>>,
): Promise<Value> {
  const channel = await readConnectable(context, channelId);
  const kind = channel && findConnectable(context, channel.kind);
  if (!channel) throw errors.channel_not_found();
  if (!kind?.connector.agent) throw errors.channel_without_agent();
  if (!channel.isConnected) throw errors.channel_not_connected();
  const credentials = await openFields(kind.credentials, channel.credentials, context.secrets);
  const desk = kind.connector.agent.open(credentials);
  return readValue(await askAt(context, channel, { desk, ask: work }), errors);
}
