import { spellingCountries } from './spellings.ts';
import { isObject, type JsonObject } from '../core/json.ts';

/** How the pretended platform behaves; every field can be set by `POST /_sandbox/whatsapp/behaviour`. */
export interface Behaviour {
  /** Share of accepted messages that reach `delivered`. */
  deliveredRate: number;
  /** Share of the delivered ones that reach `read`. */
  readRate: number;
  /** Share of accepted messages that fail later with `failCode`. */
  failRate: number;
  failCode: number;
  /** Milliseconds until `sent`; the later steps grow in proportion. null: 200–800 ms, +0.5–3 s, +2–6 s. */
  statusDelayMs: number | null;
  /** Milliseconds before a send is answered: one number, or [least, most]. */
  latencyMs: number | [number, number];
  /** Share of webhooks that arrive twice. */
  duplicateRate: number;
  /** Share of messages whose statuses, and of webhooks that, leave in another order. */
  reorder: number;
  /** First digits of numbers whose owners the platform knows, and answers for, in their other spelling. */
  otherSpellings: readonly string[];
  /** Sends per second and number before 130429; 0 = no limit. A number may have its own. */
  throughputMps: number;
  /** Part of the limit that is let through on top, as jitter on the wire bunches a well-paced sender. */
  throughputLeeway: number;
  /** 131056 after 45 messages to one person, one more every 6 s. */
  pairLimit: boolean;
  throttleStatus: 400 | 429;
  /** Free-form text outside the 24 hours: 200 and a failed status, an error at once, or allowed. */
  windowError: 'async' | 'sync' | 'off';
  /** US numbers do not get marketing templates. */
  usMarketingBlocked: boolean;
  /** Statuses in one webhook at most, 1–1000. */
  statusBatch: number;
  reviewDelayMs: number;
  /** false: no list of messages is kept, only counters. */
  record: boolean;
  webhookConcurrency: number;
  webhookTimeoutMs: number;
  webhookRetryBaseMs: number;
  webhookRetryCapMs: number;
  webhookSignature: 'valid' | 'wrong' | 'missing';
  /** 23 adds `conversation` to statuses, 24 and later leave it out. */
  webhookVersion: number;
  pricingEra: '2025' | '2026-10';
  /** Templates that a WABA may create within an hour; 0 = no limit. */
  templatesPerHour: number;
  /** Calls an hour to management endpoints per account before 80007; 0 = no limit. */
  managementCallsPerHour: number;
  /** Versions before this one are gone, versions after `newestVersion` do not exist yet. */
  oldestVersion: number;
  newestVersion: number;
  /** What is wrong with every access token. */
  tokenProblem: 'none' | 'expired' | 'revoked' | 'no-permission';
  /** The app was given a new secret: the old one opens nothing, and webhooks are signed with the new one. */
  appSecretChanged: boolean;
  /** Accounts have no numbers: those that there are belong to others. */
  numbersElsewhere: boolean;
  seed: number;
}

export const defaultBehaviour: Readonly<Behaviour> = {
  deliveredRate: 0.9,
  readRate: 0.7,
  failRate: 0,
  failCode: 131026,
  statusDelayMs: null,
  latencyMs: [0, 20],
  duplicateRate: 0,
  reorder: 0,
  otherSpellings: spellingCountries,
  throughputMps: 80,
  throughputLeeway: 0.05,
  pairLimit: true,
  throttleStatus: 400,
  windowError: 'async',
  usMarketingBlocked: true,
  statusBatch: 50,
  reviewDelayMs: 3000,
  record: true,
  webhookConcurrency: 32,
  webhookTimeoutMs: 10_000,
  webhookRetryBaseMs: 1000,
  webhookRetryCapMs: 30_000,
  webhookSignature: 'valid',
  webhookVersion: 25,
  pricingEra: '2026-10',
  templatesPerHour: 100,
  managementCallsPerHour: 0,
  oldestVersion: 21,
  newestVersion: 26,
  tokenProblem: 'none',
  appSecretChanged: false,
  numbersElsewhere: false,
  seed: 1,
};

/** The behaviour with these changes, or the names of the fields that were wrong. */
export function changeBehaviour(current: Behaviour, changes: unknown): Behaviour | { wrong: string[] } {
  if (!isObject(changes)) return { wrong: ['the body is not an object'] };
  const wrong = Object.keys(changes).filter((name) => !isValid(name, changes[name]));
  if (wrong.length > 0) return { wrong };
  const next: JsonObject = { ...current, ...changes };
  if (typeof next['reorder'] === 'boolean') next['reorder'] = next['reorder'] ? 0.5 : 0;
  return next as unknown as Behaviour; // every field was checked above
}

export function longestLatency({ latencyMs }: Behaviour): number {
  return typeof latencyMs === 'number' ? latencyMs : latencyMs[1];
}

type Check = (value: unknown) => boolean;
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const share: Check = (value) => isNumber(value) && value >= 0 && value <= 1;
const amount: Check = (value) => isNumber(value) && value >= 0;
const flag: Check = (value) => typeof value === 'boolean';
const oneOf =
  (...allowed: unknown[]): Check =>
  (value) =>
    allowed.includes(value);
const nullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const range: Check = (value) =>
  amount(value) ||
  (Array.isArray(value) && value.length === 2 && value.every(amount) && value[0] <= value[1]);

const checks: Record<keyof Behaviour, Check> = {
  deliveredRate: share,
  readRate: share,
  failRate: share,
  failCode: isNumber,
  statusDelayMs: nullOr(amount),
  latencyMs: range,
  duplicateRate: share,
  reorder: (value) => flag(value) || share(value),
  otherSpellings: (value) =>
    Array.isArray(value) && value.every((range) => typeof range === 'string' && /^\d{1,15}$/.test(range)),
  throughputMps: amount,
  throughputLeeway: share,
  pairLimit: flag,
  throttleStatus: oneOf(400, 429),
  windowError: oneOf('async', 'sync', 'off'),
  usMarketingBlocked: flag,
  statusBatch: (value) => isNumber(value) && value >= 1 && value <= 1000,
  reviewDelayMs: amount,
  record: flag,
  webhookConcurrency: (value) => isNumber(value) && value >= 1 && value <= 256,
  webhookTimeoutMs: amount,
  webhookRetryBaseMs: amount,
  webhookRetryCapMs: amount,
  webhookSignature: oneOf('valid', 'wrong', 'missing'),
  webhookVersion: isNumber,
  pricingEra: oneOf('2025', '2026-10'),
  templatesPerHour: amount,
  managementCallsPerHour: amount,
  oldestVersion: amount,
  newestVersion: amount,
  tokenProblem: oneOf('none', 'expired', 'revoked', 'no-permission'),
  appSecretChanged: flag,
  numbersElsewhere: flag,
  seed: isNumber,
};

function isValid(name: string, value: unknown): boolean {
  return name in checks && checks[name as keyof Behaviour](value);
}
