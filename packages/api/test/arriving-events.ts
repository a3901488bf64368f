import type {
  ChannelPerson,
  IdentityChanged,
  InboundContent,
  InboundEvent,
  MessageReceived,
  MessageStatusReported,
  PreferenceChanged,
} from '@app/domain/messaging/inbound-event';
import { people } from '../src/features.ts';
import { applyAccountVerdict } from '../src/channels/apply-account-verdict.ts';
import { enqueueAgentCheck } from '../src/channels/check-agent.ts';
import { joinContacts } from '../src/contact-merges/join-contacts.ts';
import type { SecretBox } from '../src/platform/request-context.ts';
import { storeEvents, type StoreDependencies } from '../src/webhooks/store-events.ts';
import type { ApiFixture } from './api-fixture.ts';

/** Stores events as a webhook of the workspace's number brings them, in one group. */
export function arriveWith(
  api: ApiFixture,
  { secrets, channelId }: { secrets: SecretBox; channelId: string },
) {
  return (...events: InboundEvent[]): Promise<void> =>
    storeEvents(
      events.map((event) => ({ event, workspaceId: api.workspaceId, channelId, kind: 'whatsapp' })),
      storeOf(api, secrets),
    );
}

/** What storing events needs of a workspace without a platform. */
export const storeOf = (api: ApiFixture, secrets: SecretBox): StoreDependencies => ({
  db: api.db,
  clock: () => new Date(),
  facts: api.facts,
  jobs: api.parts.jobs,
  channelKinds: api.parts.channelKinds,
  secrets,
  logger: { info() {}, warn() {}, error() {} },
  onTemplateEvent: async () => {},
  onAccountVerdict: applyAccountVerdict,
  onAgentState: enqueueAgentCheck,
  joinContacts: (scope, pair) => joinContacts(scope, people, pair),
});

let count = 0;
const nextId = () => `wamid.arrived.${(count += 1)}`;
const base = { account: '2', address: '1' };

export function personOf(known: Partial<ChannelPerson>): ChannelPerson {
  return { phone: null, userId: null, parentUserId: null, username: null, name: null, ...known };
}

export function said(
  person: Partial<ChannelPerson>,
  what: string | InboundContent,
  more: Partial<MessageReceived> = {},
): MessageReceived {
  const messageId = more.messageId ?? nextId();
  return {
    ...base,
    type: 'message_received',
    dedupKey: `message:${messageId}`,
    occurredAt: Date.now(),
    raw: { from: person.phone?.slice(1) },
    origin: 'live',
    direction: 'in',
    messageId,
    person: personOf(person),
    content: typeof what === 'string' ? { type: 'text', body: what } : what,
    context: null,
    referral: null,
    groupId: null,
    errors: [],
    historyStatus: null,
    ...more,
  };
}

export function chose(
  person: Partial<ChannelPerson>,
  preference: PreferenceChanged['preference'],
  occurredAt: number,
): PreferenceChanged {
  return {
    ...base,
    type: 'preference_changed',
    dedupKey: `preference:${nextId()}`,
    occurredAt,
    raw: { wa_id: person.phone?.slice(1) },
    preference,
    category: null,
    signupId: null,
    person: personOf(person),
  };
}

export function failed(
  recipient: Partial<ChannelPerson>,
  action: MessageStatusReported['action'],
  more: Partial<MessageStatusReported> = {},
): MessageStatusReported {
  const messageId = nextId();
  return {
    ...base,
    type: 'message_status',
    dedupKey: `status:${messageId}`,
    occurredAt: Date.now(),
    raw: { id: messageId },
    messageId,
    status: 'failed',
    tag: null,
    recipient: personOf(recipient),
    groupId: null,
    error: { code: '131050', title: 'Stopped' },
    action,
    pricing: null,
    ...more,
  };
}

export function changedIdentity(
  from: Partial<ChannelPerson>,
  news: Partial<Pick<IdentityChanged, 'newPhone' | 'newUserId' | 'text' | 'occurredAt'>>,
): IdentityChanged {
  const messageId = nextId();
  return {
    ...base,
    type: 'identity_changed',
    dedupKey: `message:${messageId}`,
    occurredAt: Date.now(),
    raw: { from: from.phone?.slice(1) },
    change: news.newPhone ? 'phone' : 'user_id',
    messageId,
    from: personOf(from),
    newPhone: null,
    newUserId: null,
    text: null,
    ...news,
  };
}
