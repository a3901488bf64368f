import type { AgentState } from '../channels/agent-desk.ts';
import type { AccountVerdict } from '../channels/account-verdict.ts';
import type { MediaKind } from './message-content.ts';
import type { DeliveryStatus } from './delivery-status.ts';
import type { DeliveryError, RejectionAction } from './rejection.ts';

/** One thing that a channel told us, in the product's terms. Anything not understood arrives as `unknown`, never dropped. */
export type InboundEvent =
  | MessageReceived
  | MessageStatusReported
  | IdentityChanged
  | PreferenceChanged
  | TemplateStatusChanged
  | TemplateQualityChanged
  | TemplateCategoryChanged
  | TemplateComponentsChanged
  | AccountEvent
  | NumberEvent
  | CallProgress
  | GroupEvent
  | ContactSynced
  | ChannelProblem
  | PaymentEvent
  | UnknownEvent;

type EventBase = {
  /** The same for every copy of one event, different for different events of one workspace. */
  dedupKey: string;
  /** Milliseconds by the channel's clock; 0 when it gave no time. */
  occurredAt: number;
  /** Business account at the vendor; empty when missing. */
  account: string;
  /** What the vendor calls our number or agent that the event belongs to; null for events of the account. */
  address: string | null;
  /** The smallest part of the payload that holds the whole event, as parsed. */
  raw: unknown;
  /** What the payload says of the person beside the event itself, as parsed. */
  contact?: unknown;
};

/** Who wrote or read. Phone and user id may each be missing, not both on a healthy event. */
export type ChannelPerson = {
  /** E.164 with the plus sign. */
  phone: string | null;
  /** The vendor's id of the person, valid within one business. */
  userId: string | null;
  parentUserId: string | null;
  username: string | null;
  name: string | null;
};

export type MessageReceived = EventBase & {
  type: 'message_received';
  /** `echo`: the owner wrote it on the phone; `history`: it is older than the connection. Both may be ours. */
  origin: 'live' | 'echo' | 'history';
  direction: 'in' | 'out';
  messageId: string;
  /** The customer, whichever direction the message took. */
  person: ChannelPerson;
  content: InboundContent;
  context: MessageContext | null;
  /** The advertisement or post that led here. */
  referral: Referral | null;
  /** Set when the message was written in a group. */
  groupId: string | null;
  errors: readonly DeliveryError[];
  /** For `history`: how far the message had come. */
  historyStatus: string | null;
};

export type MessageContext = {
  quotedMessageId: string | null;
  forwarded: boolean;
  frequentlyForwarded: boolean;
  referredProduct: { catalogId: string | null; productId: string | null } | null;
};

export type Referral = {
  sourceType: string | null;
  sourceId: string | null;
  sourceUrl: string | null;
  headline: string | null;
  body: string | null;
  clickId: string | null;
};

export type InboundContent =
  | { type: 'text'; body: string }
  | InboundMedia
  | {
      type: 'location';
      latitude: number;
      longitude: number;
      name: string | null;
      address: string | null;
      url: string | null;
    }
  | { type: 'contacts'; contacts: readonly InboundContactCard[] }
  /** A tapped quick reply of a template or reply button of a message. */
  | { type: 'button_reply'; source: 'template' | 'interactive'; payload: string; title: string }
  | { type: 'list_reply'; id: string; title: string; description: string | null }
  /** `answers` is null when the vendor's text could not be read; the text is kept in either case. */
  | {
      type: 'flow_reply';
      name: string | null;
      text: string | null;
      answersText: string;
      answers: Record<string, unknown> | null;
    }
  | { type: 'call_permission_reply'; accepted: boolean; expiresAt: number | null }
  /** A call that has ended. `seconds` is null where nobody answered. */
  | { type: 'call'; outcome: CallOutcome; seconds: number | null }
  /** An empty emoji takes the reaction back. */
  | { type: 'reaction'; targetMessageId: string; emoji: string }
  | { type: 'order'; catalogId: string | null; text: string | null; items: readonly OrderedItem[] }
  | { type: 'edit'; targetMessageId: string; content: InboundContent }
  | { type: 'revoke'; targetMessageId: string }
  | { type: 'unsupported'; vendorType: string };

export const callOutcomes = ['answered', 'missed'] as const;
export type CallOutcome = (typeof callOutcomes)[number];

export type InboundMedia = {
  type: 'media';
  kind: MediaKind;
  mediaId: string;
  mimeType: string | null;
  sha256: string | null;
  caption: string | null;
  filename: string | null;
  voice: boolean;
  animated: boolean;
  /** Short-lived and needs the access token. */
  url: string | null;
};

export type InboundContactCard = {
  name: string | null;
  phones: readonly string[];
  emails: readonly string[];
  urls: readonly string[];
  /** Where the person works, with their position. */
  company: string | null;
  /** On one line each. */
  addresses: readonly string[];
  birthday: string | null;
  origin: string | null;
};

export type OrderedItem = {
  productId: string;
  quantity: number | null;
  price: number | null;
  currency: string | null;
};

export type MessageStatusReported = EventBase & {
  type: 'message_status';
  messageId: string;
  status: Exclude<DeliveryStatus, 'accepted'>;
  /** Our own tag from the send, when the channel echoed it. */
  tag: string | null;
  recipient: ChannelPerson;
  groupId: string | null;
  /** Only with `failed`; the first one decides. */
  error: DeliveryError | null;
  /** What a failure asks of the engine. The message was accepted before: nothing here is sent again by the machine. */
  action: RejectionAction | null;
  pricing: StatusPricing | null;
};

export type StatusPricing = {
  model: string | null;
  /** `regular` is the paid one; compute from this and `category`, not from `billable`. */
  type: string | null;
  category: string | null;
  billable: boolean | null;
};

export type IdentityChanged = EventBase & {
  type: 'identity_changed';
  change: 'phone' | 'user_id' | 'device' | 'other';
  messageId: string;
  from: ChannelPerson;
  newPhone: string | null;
  newUserId: string | null;
  text: string | null;
};

export type PreferenceChanged = EventBase & {
  type: 'preference_changed';
  preference: 'stop' | 'resume' | 'signup';
  category: string | null;
  signupId: string | null;
  person: ChannelPerson;
};

type TemplateEventBase = EventBase & {
  templateId: string;
  templateName: string;
  /** With an underscore: `en_GB`. */
  language: string;
};

export type TemplateStatusChanged = TemplateEventBase & {
  type: 'template_status_changed';
  /** The vendor's word in upper case, for example `APPROVED`, `REJECTED`, `PAUSED`. */
  status: string;
  reason: string | null;
  recommendation: string | null;
  category: string | null;
};

export type TemplateQualityChanged = TemplateEventBase & {
  type: 'template_quality_changed';
  previousQuality: string | null;
  quality: string;
};

export type TemplateCategoryChanged = TemplateEventBase & {
  type: 'template_category_changed';
  /** `notice`: will change to `category` later; `changed`: has changed. */
  stage: 'notice' | 'changed';
  previousCategory: string | null;
  category: string;
};

export type TemplateComponentsChanged = TemplateEventBase & {
  type: 'template_components_changed';
  header: string | null;
  body: string | null;
  footer: string | null;
  buttons: readonly { type: string; text: string; url: string | null; phoneNumber: string | null }[];
};

/** Everything that the channel says of one of our templates. */
export type TemplateEvent =
  | TemplateStatusChanged
  | TemplateQualityChanged
  | TemplateCategoryChanged
  | TemplateComponentsChanged;

export type AccountEvent = EventBase & {
  type: 'account_event';
  /** The vendor's field, for example `account_update`. */
  field: string;
  event: string;
  /** What that means for the account; null for what changes nothing. */
  verdict: AccountVerdict | null;
  severity: 'information' | 'warning' | 'critical';
  description: string | null;
  /** What of the account it is about. */
  about: 'account' | 'form' | 'payment';
};

export type NumberEvent = EventBase & {
  type: 'number_event';
  field: string;
  event: string;
  displayName: string | null;
  severity: 'information' | 'warning' | 'critical';
  description: string | null;
  /** Of an agent: whether it may send from now on, as the event says; missing where it says nothing of that. */
  agentState?: AgentState;
};

/** A step of a call that has not ended: it rings, it was accepted. The end arrives as a message. */
export type CallProgress = EventBase & {
  type: 'call_progress';
  callId: string;
  /** The vendor's word in lower case. */
  step: string;
  person: ChannelPerson;
};

/** A group was created, changed, suspended or deleted, or its participants changed. */
export type GroupEvent = EventBase & {
  type: 'group_event';
  groupId: string | null;
  /** The vendor's word in lower case. */
  change: string;
};

/** A contact in the address book of the phone app: known contacts without a name get it. Nobody becomes a contact by it. */
export type ContactSynced = EventBase & {
  type: 'contact_synced';
  action: 'add' | 'remove';
  person: ChannelPerson;
};

/** An error that belongs to no message, such as a limit of the number. */
export type ChannelProblem = EventBase & {
  type: 'channel_problem';
  errors: readonly DeliveryError[];
};

/** How far the payment of an order has come. */
export type PaymentEvent = EventBase & {
  type: 'payment_event';
  /** The vendor's word in lower case. */
  status: string;
  person: ChannelPerson;
};

export type UnknownEvent = EventBase & {
  type: 'unknown';
  field: string;
  reason: 'unknown_field' | 'unexpected_shape' | 'unknown_address';
};
