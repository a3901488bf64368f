import type { MessageCategory } from '@app/domain/delivery/audience';
import type { CancelReason } from '@app/domain/delivery/recipient-state';

/** What is known of the contact at the moment of sending; null when it was deleted meanwhile. */
export type ContactNow = {
  status: string;
  optedOutAt: Date | null;
  windowExpiresAt: Date | null;
  heldUntil: Date | null;
  /** Marketing messages that they got within a week, where the workspace limits those. */
  marketingInWeek: number;
  /** Promotional messages of this kind of channel that they got within the days of their country's rule; 0 where it has none. */
  promotions: number;
} | null;

/** How much marketing one person may get; null: any number. */
export type ContactLimits = { marketingPerWeek?: number | null; mostPromotions?: number | null };

const windowMarginMs = 60_000;

/** Why a frozen recipient must not get the message any more, or null. `now` in milliseconds since 1970. */
export function guardRecipient(
  contact: ContactNow,
  category: MessageCategory,
  now: number,
  { marketingPerWeek = null, mostPromotions = null }: ContactLimits = {},
): CancelReason | null {
  if (contact === null) return 'contact_deleted';
  if (contact.status !== 'active') return 'blocked';
  if (category === 'marketing') {
    if (contact.optedOutAt !== null) return 'opted_out';
    if (contact.heldUntil !== null && contact.heldUntil.getTime() > now) return 'held';
    if (marketingPerWeek !== null && contact.marketingInWeek >= marketingPerWeek) return 'capped';
    if (mostPromotions !== null && contact.promotions >= mostPromotions) return 'promotions_capped';
  }
  if (category === 'service' && (contact.windowExpiresAt?.getTime() ?? 0) <= now + windowMarginMs)
    return 'window_closed';
  return null;
}
