import type { CredentialForm, Credentials } from '@app/domain/channels/channel-credentials';
import type { AgentState } from '@app/domain/channels/agent-desk';
import { readCode } from '@app/domain/channel-kinds/kind-codes';
import type { ChannelKind } from '@app/domain/channels/channel-kind';
import type { OpenChannel } from '@app/domain/channels/open-channel';
import type { NamedValues } from '@app/domain/channels/webhook-reader';
import type { MessageIntent, SendResult } from '@app/domain/messaging/channel-port';
import { readAgentState } from './agent-state.ts';
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
import { actionOf, errorOf } from './rcs-errors.ts';
import { createRcsManagement } from './rcs-management.ts';
import { parseDelivery } from './rcs-events.ts';
import { untilPromotionAllowed } from './promotion-hours.ts';
import { answerHandshake, isSignedBy, plainAgentId } from './rcs-webhooks.ts';

const MOST_CONNECTIONS = 64;
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

/** RCS for Business: messages of an agent in the message app of the phone. `now` in milliseconds since 1970. */
export const createRcsKind = (now: () => number = Date.now): ChannelKind => ({
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
    signedBy: 'channel', // each agent has a client token of its own
    mayBeSigned: (headers) => signatureOf(headers) !== null,
    isSigned: ({ clientToken = '' }, body, headers) => isSignedBy(clientToken, body, signatureOf(headers)),
    parse: parseDelivery,
  },
  open: (credentials, options) => openChannel(credentials, options, now),
  connector: connectorOf({
    client: (credentials) => createRcsClient({ ...readOptions(credentials), connections: 2 }),
    management: (credentials) => createRcsManagement(readOptions(credentials)),
  }),
});

export const rcsKind = createRcsKind();

function openChannel(
  credentials: Credentials,
  { connections }: { connections: number },
  now: () => number,
): OpenChannel {
  const options = readOptions(credentials);
  const client = createRcsClient({
    ...options,
    // Several hundred calls at once say nothing more: the rate of an agent is far below.
    connections: Math.min(connections, MOST_CONNECTIONS),
    // A phone that the agent does not reach says nothing of others; an agent that was revoked or suspended reaches nobody.
    async explainDenied(refused) {
      const state = await agent.state();
      if (!state || state.maySend) return refused;
      const { code } = readCode(state.code);
      return { outcome: 'refused', error: errorOf(code, 403), action: actionOf(code) ?? { kind: 'fail' } };
    },
  });
  const files = createFileFetcher(options.baseUrl ?? PLATFORM);
  const management = createRcsManagement(options);
  const agent = watchAgent(() => readAgentState(client, management));
  const trafficTypes = trafficTypesOf(credentials['useCase']);
  return {
    send(message, signal) {
      const { to, expiresAt, intent = 'service' } = message;
      const wait = intent === 'marketing' ? untilPromotionAllowed(to, now()) : 0;
      if (wait > 0) return Promise.resolve(tooEarly(wait));
      return client.send(message, signal, { trafficType: trafficTypes[intent], expiresAt });
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
    async markRead({ id, phone }, { typing = false } = {}) {
      if (phone === null) return { outcome: 'refused', reason: 'The person has no phone number.' };
      return client.sendEvent(phone, typing ? { type: 'typing' } : { type: 'read', messageId: id });
    },
    async close() {
      await Promise.all([client.close(), management.close(), files.close()]);
    },
  };
}

/** An older answer may be wrong: an agent that was suspended sends again as soon as it is launched. */
const ASKED_ANEW_MS = 1_000;

/** Messages that are rejected at once ask one question. */
function watchAgent(ask: () => Promise<AgentState | null>) {
  let asked: { at: number; answer: Promise<AgentState | null> } | undefined;
  return {
    state(): Promise<AgentState | null> {
      const now = Date.now();
      if (!asked || now - asked.at > ASKED_ANEW_MS) asked = { at: now, answer: ask() };
      return asked.answer;
    },
  };
}

function tooEarly(afterMs: number): SendResult {
  const action = { kind: 'retry', afterMs, maxAttempts: 10, pauses: 'recipient' } as const;
  return { outcome: 'refused', error: errorOf('outside_hours'), action };
}

/**
 * What an agent begins itself is what it was launched for, and nothing else; an agent for several uses says which one it is. Answers and the
 * confirmation of an opt-out may come from every agent.
 */
function trafficTypesOf(useCase = ''): Record<MessageIntent, TrafficType> {
  const answers = { service: 'SERVICEREQUEST', acknowledgement: 'ACKNOWLEDGEMENT' } as const;
  const own: Record<Exclude<UseCase, 'multi_use'>, TrafficType> = {
    ...{ promotional: 'PROMOTION', transactional: 'TRANSACTION', otp: 'AUTHENTICATION' },
  };
  const only = useCases.find((known) => known === useCase) ?? 'multi_use';
  if (only === 'multi_use') return { ...answers, marketing: 'PROMOTION', utility: 'TRANSACTION' };
  return { ...answers, marketing: own[only], utility: own[only] };
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
