import { errorTable } from './error-table.ts';

/** What a recipient number brings out. UK numbers kept for fiction are never assigned to anybody. */
export interface MagicEffect {
  /** Answered at once with this code, the first `times` tries, or always. */
  refuse?: { code: number; times?: number };
  /** Accepted, then failed with this code. */
  fail?: number;
  /** The effect holds for these messages only. */
  only?: 'marketing' | 'template' | 'media';
  /** A marketing opt-out event comes with the failure. */
  optsOut?: true;
  /** Accepted, then the connection is cut without an answer. */
  cut?: true;
  /** `held_for_quality_assessment` instead of `accepted`. */
  held?: true;
  statuses?: 'none' | 'sent-only' | 'read-without-delivered' | 'reversed-and-doubled';
  /** Webhooks carry no phone number, only the business-scoped user id. */
  hidesNumber?: true;
  answers?: 'echo' | 'tap' | 'stop';
  about: string;
}

const ukEffects: Record<number, MagicEffect> = {
  10: { refuse: { code: 133010 }, about: 'refused: 133010, sender not registered' },
  26: { fail: 131026, about: 'accepted, then failed 131026: undeliverable' },
  42: { fail: 131042, about: 'accepted, then failed 131042: payment problem' },
  47: { fail: 131047, about: 'accepted, then failed 131047: window closed, whatever the window' },
  49: { fail: 131049, only: 'marketing', about: 'marketing: failed 131049, per-person limit' },
  50: { fail: 131050, only: 'marketing', optsOut: true, about: 'marketing: failed 131050 and a stop event' },
  53: { fail: 131053, only: 'media', about: 'media: failed 131053, media not usable' },
  56: { refuse: { code: 131056 }, about: 'refused: 131056, pair limit' },
  72: { fail: 130472, only: 'marketing', about: 'marketing: failed 130472, experiment group' },
  132: {
    fail: 132015,
    only: 'template',
    held: true,
    about: 'template: held for quality, then failed 132015',
  },
  190: { refuse: { code: 190 }, about: 'refused: 190, token' },
  368: { refuse: { code: 368 }, about: 'refused: 368, account blocked' },
  429: { refuse: { code: 130429, times: 2 }, about: 'refused twice: 130429 throughput, then accepted' },
  500: { refuse: { code: 131000, times: 2 }, about: 'refused twice: 131000 with HTTP 500, then accepted' },
  503: { refuse: { code: 131016, times: 2 }, about: 'refused twice: 131016 with HTTP 503, then accepted' },
  504: { cut: true, about: 'accepted, then the connection is cut without an answer' },
  600: { statuses: 'none', about: 'accepted, never any status' },
  601: { statuses: 'sent-only', about: 'sent, never delivered' },
  602: { statuses: 'read-without-delivered', about: 'read without delivered' },
  603: { statuses: 'reversed-and-doubled', about: 'statuses in reverse order, each twice' },
};
for (let last = 700; last <= 709; last++) {
  ukEffects[last] = { hidesNumber: true, about: 'a user name instead of a number in webhooks' };
}
for (let last = 800; last <= 809; last++) {
  ukEffects[last] = { answers: 'echo', about: 'answers with the same text after a second' };
}
ukEffects[801] = { answers: 'tap', about: 'taps the first button after a second' };
ukEffects[802] = { answers: 'stop', about: 'answers STOP after a second' };

// Any other error code: +44 7700 9009xx, so that every code of the table has a number a person can type.
// oxfmt-ignore
const refusedByNumber = [
  0, 1, 2, 3, 4, 10, 17, 33, 100, 80007, 131005, 131008, 131009, 131021, 131030, 131031, 131037, 131045, 131048,
  131051, 131055, 131057, 131061, 131062, 131063, 131064, 132000, 132001, 132005, 132007, 132008, 132012, 132015,
  132016, 132018, 132068, 132069, 133000, 133004, 134011, 134100, 134101, 134102, 135000, 130403, 130497,
];
const inWords = (code: number) => `${code}, ${errorTable[code]?.[0] ?? 'an unknown error'}`;
refusedByNumber.forEach((code, position) => {
  ukEffects[900 + position] = { refuse: { code }, about: `refused: ${inWords(code)}` };
});
[130403, 130497, 131000, 131009, 131016, 131048, 131064, 137000].forEach((code, position) => {
  ukEffects[980 + position] = { fail: code, about: `accepted, then failed: ${inWords(code)}` };
});

const UK_FICTION = '447700900';

export function magicEffectOf(digits: string): MagicEffect | undefined {
  if (digits.length !== 12 || !digits.startsWith(UK_FICTION)) return undefined;
  return ukEffects[Number(digits.slice(9))];
}

/** The whole table, for the page and for `GET /_sandbox/whatsapp/magic-numbers`. */
export function listMagicNumbers(): { number: string; about: string }[] {
  const rows = Object.entries(ukEffects).map(([last, effect]) => ({
    number: `+${UK_FICTION}${last.padStart(3, '0')}`,
    about: effect.about,
  }));
  rows.push({ number: '+12025550100', about: 'any US number: marketing fails 131049' });
  return rows;
}

// Area codes of +1 that are not in the United States: Canada and the Caribbean.
const otherAreaCodes = new Set(
  (
    '204 226 236 249 250 257 263 289 306 343 354 365 367 368 382 387 403 416 418 428 431 437 438 450 468 474 506 514 519 548 ' +
    '579 581 584 587 604 613 639 647 672 683 705 709 742 753 778 780 782 807 819 825 867 873 879 902 905 942 ' +
    '242 246 264 268 284 345 441 473 649 658 664 721 758 767 784 809 829 849 868 869 876'
  ).split(' '),
);

/** True for a number whose area code lies in the United States; `+1` alone does not tell. */
export function isUnitedStatesNumber(digits: string): boolean {
  return digits.length === 11 && digits.startsWith('1') && !otherAreaCodes.has(digits.slice(1, 4));
}
