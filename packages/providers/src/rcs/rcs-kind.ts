import type { CredentialForm, Credentials } from '@app/domain/channels/channel-credentials';
import type { ChannelKind } from '@app/domain/channels/channel-kind';
import type { OpenChannel } from '@app/domain/channels/open-channel';
import type { NamedValues } from '@app/domain/channels/webhook-reader';
import type { MessageIntent } from '@app/domain/messaging/channel-port';
import { createFileFetcher } from './fetch-file.ts';
import { rcsCapabilities } from './rcs-capabilities.ts';
import {
  createRcsClient,
  regionHosts,
  type RcsClientOptions,
  type RcsRegion,
  type TrafficType,
} from './rcs-client.ts';
import { connectorOf, PLATFORM } from './rcs-connector.ts';
import { parseDelivery } from './rcs-events.ts';
import { answerHandshake, isSignedBy, plainAgentId } from './rcs-webhooks.ts';

const regions = Object.keys(regionHosts) as RcsRegion[]; // as it is declared
/** What the agent may be used for, as it was submitted for launch. */
const useCases = ['multi_use', 'promotional', 'transactional', 'otp'] as const;
type UseCase = (typeof useCases)[number];

const form: CredentialForm = {
  version: 1,
  fields: [
    { name: 'serviceAccount', label: 'rcs.service_account', isSecret: true, format: 'text' },
    { name: 'agentId', label: 'rcs.agent_id', isSecret: false, format: 'text' },
    { name: 'region', label: 'rcs.region', isSecret: false, format: 'choice', choices: regions },
    { name: 'useCase', label: 'rcs.use_case', isSecret: false, format: 'choice', choices: useCases },
    { name: 'clientToken', label: 'rcs.client_token', isSecret: true, format: 'text' },
    { name: 'baseUrl', label: 'rcs.base_url', isSecret: false, format: 'url', suggestion: PLATFORM },
  ],
  addressOf: ({ agentId = '' }) => plainAgentId(agentId),
  serverOf: ({ baseUrl = '' }) => baseUrl,
};

/** RCS for Business: messages of an agent in the message app of the phone. */
export const rcsKind: ChannelKind = {
  name: 'rcs',
  credentials: form,
  capabilities: rcsCapabilities,
  // The platform publishes no rate of an agent.
  rates: { messagesPerSecond: 20, counts: 'sent' },
  webhooks: {
    handshake: {
      method: 'POST',
      answer: ({ clientToken = '' }, body) => answerHandshake(clientToken, body),
    },
    mayBeSigned: (headers) => signatureOf(headers) !== null,
    isSigned: ({ clientToken = '' }, body, headers) => isSignedBy(clientToken, body, signatureOf(headers)),
    parse: parseDelivery,
  },
  open: openChannel,
  connector: connectorOf((credentials) => createRcsClient({ ...readOptions(credentials), connections: 2 })),
};

function openChannel(credentials: Credentials, { connections }: { connections: number }): OpenChannel {
  const options = readOptions(credentials);
  // Several hundred calls at once say nothing more: the rate of an agent is far below.
  const client = createRcsClient({ ...options, connections: Math.min(connections, 32) });
  const files = createFileFetcher(options.baseUrl ?? PLATFORM);
  const { useCase } = credentials;
  return {
    send(message, signal) {
      const trafficType = trafficOf(useCase, message.intent);
      const { expiresAt } = message;
      return client.send(message, signal, { trafficType, ...(expiresAt && { expiresAt }) });
    },
    media: {
      upload: (file) => client.uploadFile(file),
      download: (mediaId, maxBytes) => files.fetch(mediaId, maxBytes),
    },
    account: {
      async check() {
        const answer = await client.signIn();
        const displayName = form.addressOf(credentials);
        return answer.outcome === 'done'
          ? { outcome: 'done', value: { accountName: '', displayName, messagesPerSecond: null } }
          : answer;
      },
    },
    findReachable: (phones) => client.checkPhones(phones),
    revoke: (to, messageId) => client.revoke(to, messageId),
    async close() {
      await Promise.all([client.close(), files.close()]);
    },
  };
}

/**
 * What an agent begins itself is what it was launched for, and nothing else; an agent for several uses says which one it is. Answers and the
 * confirmation of an opt-out may come from every agent.
 */
function trafficOf(useCase = '', intent: MessageIntent = 'service'): TrafficType {
  if (intent === 'service') return 'SERVICEREQUEST';
  if (intent === 'acknowledgement') return 'ACKNOWLEDGEMENT';
  const types: Record<UseCase, TrafficType> = {
    multi_use: intent === 'marketing' ? 'PROMOTION' : 'TRANSACTION',
    ...{ promotional: 'PROMOTION', transactional: 'TRANSACTION', otp: 'AUTHENTICATION' },
  };
  return types[useCases.find((known) => known === useCase) ?? 'multi_use'];
}

/** A region has a host of its own; where a stand-in is called, it stands for all of them. */
function readOptions({
  serviceAccount = '',
  agentId = '',
  region = '',
  baseUrl = '',
}: Credentials): RcsClientOptions {
  const isPlatform = baseUrl === '' || URL.parse(baseUrl)?.origin === PLATFORM;
  return {
    ...{ agentId: plainAgentId(agentId), keyFile: serviceAccount },
    region: regions.find((known) => known === region) ?? 'global',
    ...(!isPlatform && { baseUrl }),
  };
}

function signatureOf(headers: NamedValues): string | null {
  return headers.get('x-goog-signature');
}
