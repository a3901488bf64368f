import type { MessageCategory } from '../delivery/audience.ts';
import { countryOfNumber } from './calling-codes.ts';

/** What has a price; an answer within the window of a conversation is free. */
export const pricedCategories = ['marketing', 'utility'] as const;
export type PricedCategory = (typeof pricedCategories)[number];
/** For one message. */
export type Prices = Record<PricedCategory, number>;

/** What messages cost by country, in the currency of the workspace. */
export type PriceList = {
  /** The day from which on it holds (`2025-07-01`). */
  asOf: string;
  countries: Record<string, Prices>;
  /** Everywhere else. */
  others: Prices;
};

export const priceLimits = { price: 1_000, countries: 250 } as const;
/** Of prices where nobody chose another, and of the flat price. */
export const DEFAULT_CURRENCY = 'USD';

/** A starting point in US dollars. An estimate: compare it with the platform's current rate card before you rely on it. */
export const defaultPriceList: PriceList = {
  asOf: '2025-07-01',
  countries: readPrices(`
    AE .0499 .0157; AR .0618 .026; AU .0732 .0113; BR .0625 .0068; CL .0889 .02; CO .0125 .0008; DE .1365 .055; EG .0644 .0036; ES .0615 .02;
    FR .0859 .03; GB .0529 .022; ID .0411 .0025; IL .0353 .0053; IN .0118 .0014; IT .0691 .03; MX .0305 .0085; MY .086 .014; NG .0516 .0067; NL .1597 .05;
    PE .0703 .02; PK .0473 .0054; RU .0802 .04; SA .0455 .0107; TR .0109 .0053; US .025 .004; ZA .0379 .0076`),
  others: { marketing: 0.0604, utility: 0.0077 },
};

/** What one message to a number costs, of which its first digits are enough. */
export function priceOfNumber(list: PriceList, number: string, category: MessageCategory): number {
  if (category === 'service') return 0;
  const country = countryOfNumber(number);
  return ((country === null ? undefined : list.countries[country]) ?? list.others)[category];
}

/** The same for people counted by the first digits of their numbers, on average; nobody costs what somebody elsewhere does. */
export function averagePrice(
  list: PriceList,
  people: readonly { digits: string; count: number }[],
  category: MessageCategory,
): number {
  const count = people.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return category === 'service' ? 0 : list.others[category];
  const cost = people.reduce((sum, each) => sum + each.count * priceOfNumber(list, each.digits, category), 0);
  return cost / count;
}

function readPrices(lines: string): Record<string, Prices> {
  return Object.fromEntries(
    lines.split(';').map((line) => {
      const [country = '', marketing, utility] = line.trim().split(' ');
      return [country, { marketing: Number(marketing), utility: Number(utility) }];
    }),
  );
}
