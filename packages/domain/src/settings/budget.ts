import { instantToZonedTime, zonedTimeToInstant } from '../campaigns/zoned-time.ts';
import type { MessageCategory } from '../delivery/audience.ts';
import { DEFAULT_CURRENCY, priceOfNumber, type PriceList } from './price-list.ts';

/** What may be spent on messages in a month, in the currency of the price list, once it is switched on. */
export type Budget = { isEnabled: boolean; perMonth: number };

export const budgetLimits = { least: 0.01, most: 100_000_000 } as const;

/** How much of something is used. */
export type UsageLevel = 'fine' | 'near' | 'full';

/** Of a workspace that has not chosen one. */
export const DEFAULT_TIME_ZONE = 'UTC';

/** From this share on somebody is warned. */
export const WARN_FROM = 0.8;

/** The default of the specification: 0.05 US dollars for each message, unless Settings say otherwise. */
export const DEFAULT_PRICE = 0.05;

export type Pricing = {
  priceList?: PriceList | null | undefined;
  currency?: string | undefined;
  /** US dollars for one message, where there is no list. */
  pricePerMessage?: number | undefined;
};

/** Money is counted in whole millionths, so that a million prices add up to the cent. */
export function inMillionths(amount: number): number {
  return Math.round(amount * 1_000_000);
}

export function fromMillionths(millionths: number): number {
  return millionths / 1_000_000;
}

/** What one message may cost at most, in millionths. Free text leaves only within the window that somebody opened, and is free there. */
export function chargeOf(pricing: Pricing, address: string, category: MessageCategory): number {
  if (category === 'service') return 0;
  const { priceList = null, pricePerMessage = DEFAULT_PRICE } = pricing;
  return inMillionths(priceList === null ? pricePerMessage : priceOfNumber(priceList, address, category));
}

/** What a message to an address may cost, in millionths, where the workspace has a budget; null without one. */
export function pricesOfBudget({
  budget,
  ...pricing
}: Pricing & { budget?: Budget | undefined }):
  | ((address: string, category: MessageCategory) => number)
  | null {
  return budget?.isEnabled ? (address, category) => chargeOf(pricing, address, category) : null;
}

/** Of prices, and of the budget with them: the flat price stands in US dollars whatever the currency is. */
export function currencyOf({ priceList = null, currency = DEFAULT_CURRENCY }: Pricing): string {
  return priceList === null ? DEFAULT_CURRENCY : currency;
}

/** The month that the clocks of a zone show, as its first day, when it began and when the next one begins (milliseconds). */
export function monthAt(
  now: number,
  timeZone: string,
): { month: string; beganAt: number; nextMonthAt: number } {
  const [year = 1970, month = 1] = instantToZonedTime(new Date(now), timeZone).split('-').map(Number);
  const first = (of: number) =>
    `${of > 12 ? year + 1 : year}-${String(of > 12 ? 1 : of).padStart(2, '0')}-01`;
  const begins = (day: string) => zonedTimeToInstant(`${day}T00:00`, timeZone)?.getTime() ?? now;
  return {
    month: first(month),
    beganAt: begins(first(month)),
    nextMonthAt: begins(first(month + 1)),
  };
}

export function usageLevel(used: number, most: number): UsageLevel {
  if (used >= most) return 'full';
  return used >= most * WARN_FROM ? 'near' : 'fine';
}

/** What the platform says of the price of a message: `regular` is the paid one. */
export function isFree(
  pricing: { type: string | null; billable: boolean | null } | null | undefined,
): boolean {
  if (!pricing) return false;
  return pricing.type === null ? pricing.billable === false : pricing.type !== 'regular';
}
