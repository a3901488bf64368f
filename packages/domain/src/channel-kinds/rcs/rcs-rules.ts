import type { KindRules } from '../kind-rules.ts';

/** RCS for Business: messages of an agent in the message app of the phone. */
export const rcsRules: KindRules = {
  name: 'rcs',
  title: 'RCS',
  limits: { perMinute: 100, perDay: 10_000 },
  // India lets 2, 4 or 8 through within 28 days, by the reputation of the agent.
  promotions: { prefix: '+91', days: 28, most: 4 },
  errors: {
    hasBareCodes: false,
    lasting: ['NOT_FOUND', 'expired_unknown'],
    expired: ['expired'],
    badValue: 'INVALID_ARGUMENT',
  },
  fileNames: {
    phoneHeadings: ['rcs', 'rcsnumber', 'rcsphone'],
    nameHeadings: [],
    optInHeadings: ['rcsconsent', 'rcsoptin', 'acceptsrcsmarketing', 'rcseinwilligung'],
    optOutHeadings: ['rcsoptout'],
    settings: [],
  },
};
