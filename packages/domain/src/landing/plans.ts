export type PlanId = 'starter' | 'professional' | 'enterprise';
export type Currency = 'USD' | 'INR';

export type Plan = {
  id: PlanId;
  /** Price of a month without taxes, in whole units of the currency. */
  price: Record<Currency, number>;
  /** Null means without limit. */
  messages: number | null;
  contacts: number | null;
  isMostPopular: boolean;
};

export const TRIAL_DAYS = 14;

export const plans: readonly Plan[] = [
  { id: 'starter', price: { USD: 29, INR: 2_399 }, messages: 1_000, contacts: 500, isMostPopular: false },
  {
    id: 'professional',
    price: { USD: 79, INR: 6_499 },
    messages: 10_000,
    contacts: 5_000,
    isMostPopular: true,
  },
  {
    id: 'enterprise',
    price: { USD: 199, INR: 16_499 },
    messages: null,
    contacts: null,
    isMostPopular: false,
  },
];
