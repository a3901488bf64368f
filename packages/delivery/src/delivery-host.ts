import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import type { MessageChannel } from '@app/domain/messaging/channel-port';
import type { PriceOf } from './pace/budget.ts';
import type { DailyLimits } from '@app/domain/channels/channel-limits';
import type { PromotionCap } from '@app/domain/channels/promotion-cap';
import type { DeliveryEvent } from './delivery-events.ts';

/** Time as the engine sees it; replaced in simulations. */
export type DeliveryClock = {
  /** Milliseconds since 1970, with fractions; never goes back. */
  now(): number;
  /** Calls once after `ms`; the returned function cancels. */
  after(ms: number, call: () => void): () => void;
};

const { timeOrigin } = performance;

export const systemClock: DeliveryClock = {
  now: () => timeOrigin + performance.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** What the engine needs to send through one number. */
export type DeliveryChannel = {
  channel: MessageChannel;
  /** The platform's limit for the number; null sends as fast as answers come. */
  messagesPerSecond: number | null;
  /** Calls open at the same time at most; default 256. */
  maxInFlight?: number;
  /** Brings files of ours to the platform; without it none can be sent. */
  uploads?: FileUploads;
  /** Whether somebody who hides their number is written to by the id that the platform has for them; default true. */
  takesUserIds?: boolean;
  /** The platform delivers each try once: what a crash left in doubt is sent again under the same tag; default false. */
  ignoresRepeats?: boolean;
  /** The workspace's own limits. */
  limits?: {
    /** The number's share of what the workspace may send; a part of one for less than one in a minute. */
    perMinute?: number | null;
    perDay?: number | null;
    /** The limit for each day of its kind of channel, where the kind has limits of its own. */
    ofKind?: DailyLimits['ofKind'];
    /** Of marketing, to one person. */
    marketingPerWeek?: number | null;
    /** A country's rule for promotional messages through this kind of channel. */
    promotionCap?: PromotionCap | null;
    /** What a message may cost, where the workspace has a budget for a month. */
    priceOf?: PriceOf | null;
  };
};

/** Never throws for what the platform says. `gone`: our own bytes are not there any more. */
export type FileUploads = {
  upload(file: {
    storageKey: string;
    mimeType: string;
    name: string;
    size: number;
  }): Promise<PlatformAnswer<string> | { outcome: 'gone' }>;
};

export type DeliveryLogger = {
  info(message: string, details?: Record<string, unknown>): void;
  warn(message: string, details?: Record<string, unknown>): void;
  error(message: string, details?: Record<string, unknown>): void;
};

export type PublishDelivery = (event: DeliveryEvent) => void | Promise<void>;
