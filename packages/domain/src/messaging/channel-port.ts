import type { MessageContent } from './message-content.ts';
import type { DeliveryError, RejectionAction } from './rejection.ts';

/** All that the delivery engine knows of a channel. `send` never throws: each way it can end is a `SendResult`. */
export type MessageChannel = {
  send(message: OutboundMessage, signal?: CancelSignal): Promise<SendResult>;
};

/**
 * What a message is for, as platforms ask: it advertises; it tells of something that the person ordered or booked; it answers; or it confirms that
 * no more will come.
 */
export type MessageIntent = 'marketing' | 'utility' | 'service' | 'acknowledgement';

export type OutboundMessage = {
  /** E.164 with the plus sign, or the platform's own id of a person who hides their number. */
  to: string;
  /** Names recipient and attempt; the channel echoes it in each status. At most 512 characters. */
  tag: string;
  /** The id of the campaign or message in the database. With the tag it names this try for good, also beside the same number of another database. */
  origin?: string;
  content: MessageContent;
  /** Left out: an answer. */
  intent?: MessageIntent;
  /** The channel delivers it no later, if it can have a time limit (`withdraws`). */
  expiresAt?: Date;
};

export type SendResult =
  | {
      outcome: 'accepted';
      providerMessageId: string;
      /** The number (E.164) by which the channel knows the recipient, where it is none of the spellings of the one that was sent to. */
      knownAs?: string;
      /** The channel took the message but delays it: sent later, or failed by a later status. */
      hold?: 'held_for_quality' | 'paused';
    }
  | { outcome: 'refused'; error: DeliveryError; action: RejectionAction }
  /** Nothing of the request left this machine: safe to send again. */
  | { outcome: 'not_sent'; reason: NotSentReason }
  /** The channel may or may not have accepted: never sent again by the machine. */
  | { outcome: 'unknown'; reason: UnknownReason; error?: DeliveryError };

export type NotSentReason =
  | 'dns'
  | 'connect_refused'
  | 'connect_timeout'
  | 'connect_failed'
  | 'tls'
  | 'pool_exhausted'
  | 'cancelled'
  /** The content cannot be put into a request at all; trying again will not help. */
  | 'invalid_message';

export type UnknownReason =
  | 'connection_lost'
  | 'response_timeout'
  | 'response_too_large'
  | 'response_unreadable'
  | 'server_error'
  | 'cancelled';

/** The part of `AbortSignal` that the port needs. */
export type CancelSignal = {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
};
