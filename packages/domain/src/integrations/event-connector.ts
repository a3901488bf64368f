import type { FactType } from '../events/fact-catalogue.ts';
import type { ConnectorProblem } from './connector-problems.ts';

/** What a connection can hear of, in the words of people, and the facts behind each. */
export const eventTopics = {
  newChats: ['conversations.opened', 'messages.arrived'],
  replies: ['messages.arrived'],
  /** Single messages of ours; those of campaigns are counted. */
  messagesSent: ['message.sent'],
  handoffs: ['chatbot.handed_over'],
  /** Of the facts about conversations those that resolve one (`isOfTopics`). */
  resolved: ['conversation.status_changed', 'conversations.changed'],
  campaigns: ['campaign.started', 'campaign.completed'],
  campaignsCompleted: ['campaign.completed'],
  /** No facts: how far campaigns came since the last time, as counts (`CAMPAIGN_RESULTS`). */
  campaignResults: [],
  /** No facts: what became of the message of one person, a day after the campaign was completed (`CAMPAIGN_OUTCOME`). */
  campaignOutcomes: [],
  /** No facts: links of campaigns lead on with `utm_` parameters (`tagged-links.ts`), so that the service knows visits by them. */
  linkTags: [],
  newContacts: ['contact.created', 'contacts.created'],
  tags: ['contacts.tags_changed'],
  optOuts: ['contact.consent_recorded', 'consents.said'],
} as const satisfies Record<string, readonly FactType[]>;
/** The type of such an event; its `data` has a number for each of `campaignCounts` that grew. */
export const CAMPAIGN_RESULTS = 'campaign.results';
export const campaignCounts = ['sent', 'delivered', 'read', 'clicked', 'converted'] as const;
export type CampaignCount = (typeof campaignCounts)[number];

/** The type of the other; its `data` is a `CampaignOutcome`. */
export const CAMPAIGN_OUTCOME = 'campaign.outcome';
export const campaignOutcomes = ['sent', 'delivered', 'read', 'failed'] as const;
export type CampaignOutcome = {
  outcome: (typeof campaignOutcomes)[number];
  clicked: boolean;
  replied: boolean;
};

export type EventTopic = keyof typeof eventTopics;
export const eventTopicNames = Object.keys(eventTopics) as EventTopic[];

/** How a kind of connector hears of events. */
export type EventExchange = {
  /** What people may choose. A new connection begins with all but those that say otherwise. */
  topics: readonly { name: EventTopic; isOffAtFirst?: true }[];
  /** Of each line, at most. */
  perSecond: number;
  /**
   * An attempt without an answer. `again`: it is made again, because the service can tell a double by the id. `never`: the event counts as not delivered,
   * because a double would do harm.
   */
  withoutAnswer: 'again' | 'never';
  /** Whether a place at the service has to be chosen, such as a channel. */
  hasTarget?: true;
  /** Whether the service subscribes addresses of its own for single types of events. */
  hasHooks?: true;
};

export type EventTarget = { id: string; name: string };

export type EventContact = {
  id: string;
  name: string;
  phone: string | null;
  email: string | null;
  tags: readonly string[];
  /** The record of the service that a sync linked; absent where there is none. */
  externalId?: string | null;
};
export type EventMessage = { id: string; text: string; at: string };

/** What happened, with all that a service shows of it as it is at the moment of sending. */
export type ConnectorEvent = {
  /** The same at each attempt. */
  id: string;
  type: string;
  /** When it happened, as ISO 8601 in UTC. */
  occurredAt: string;
  /** The values of the fact. */
  data: Readonly<Record<string, unknown>>;
  contact: EventContact | null;
  /** `thread` is where at the service it was told of before. */
  conversation: { id: string; link: string; thread: { target: string; thread: string } | null } | null;
  /** Of the contact, the oldest first: those that were not told of yet, where the service has a thread. */
  messages: readonly EventMessage[];
  /** `channelKind` is that of the channel through which it leaves; empty before it has one. */
  campaign: { id: string; name: string; link: string; channelKind: string } | null;
  /** The language of the workspace. */
  language: string;
  target: EventTarget | null;
  /** The address that the service subscribed; null on the connection's own line. */
  hookUrl: string | null;
  /** An attempt before this one had no answer. */
  mayBeThere: boolean;
};

export type EventOutcome =
  /** `thread` is where a reply would come from. */
  | { outcome: 'sent'; thread?: { target: string; thread: string } }
  /** There is nothing in it for this service. */
  | { outcome: 'skipped' }
  /** This event alone is not taken, now or later. `detail` are the service's own words, at most 300 characters. */
  | { outcome: 'refused'; detail: string }
  /** The service unsubscribed the address. */
  | { outcome: 'gone' }
  | {
      outcome: 'failed';
      problem: ConnectorProblem;
      detail: string | null;
      retryAfterMs: number | null;
      /** It may have arrived. */
      isUnknown: boolean;
    };

/** The part of a connected account that hears of events. No call throws for what the vendor says. */
export type EventConnector = {
  /** One attempt, without retries of its own, within ten seconds. */
  send(event: ConnectorEvent): Promise<EventOutcome>;
  /** Where events can go; there where the kind has targets. */
  listTargets?(): Promise<
    | { ok: true; value: readonly EventTarget[] }
    | { ok: false; problem: ConnectorProblem; detail: string | null }
  >;
};

/** The facts behind topics, each once. */
export function factsOf(topics: readonly EventTopic[]): FactType[] {
  return [...new Set(topics.flatMap((topic): readonly FactType[] => eventTopics[topic]))];
}

/** Whether the own line of a connection is to hear of a fact: of changes of conversations a topic means those that resolve one. */
export function isOfTopics(type: string, values: Readonly<Record<string, unknown>>): boolean {
  if (type === 'conversation.status_changed')
    return values['status'] === 'resolved' && values['before'] !== 'resolved';
  if (type === 'conversations.changed')
    return values['change'] === 'status' && values['status'] === 'resolved';
  return true;
}

/** What a new connection hears of. */
export function firstTopics({ topics }: EventExchange): EventTopic[] {
  return topics.filter(({ isOffAtFirst }) => !isOffAtFirst).map(({ name }) => name);
}
