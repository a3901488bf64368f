import type { JsonObject } from '../core/json.ts';
import { GraphError } from './errors.ts';
import { countryOf } from './ids.ts';
import type { LedgerEntry } from './messages/message-ledger.ts';
import type { Platform } from './platform.ts';
import { namesOf } from './routes/parameters.ts';
import type { Account } from './store.ts';

const HOUR = 3600;
const lengths: Record<string, number> = {
  HALF_HOUR: HOUR / 2,
  DAY: 24 * HOUR,
  DAILY: 24 * HOUR,
  MONTH: 30 * 24 * HOUR,
  MONTHLY: 30 * 24 * HOUR,
};
const MOST_POINTS = 10_000;

export interface AnalyticsQuery {
  start: number;
  end: number;
  granularity: string;
  numbers: string[] | undefined;
}

/** Reads `start`, `end` (Unix seconds) and `granularity`, which every kind of analytics needs. */
export function readAnalytics(values: JsonObject, granularities: readonly string[]): AnalyticsQuery {
  for (const name of ['start', 'end', 'granularity']) {
    if (values[name] === undefined)
      throw new GraphError(100, { message: `(#100) The parameter ${name} is required` });
  }
  const [start, end] = [Number(values['start']), Number(values['end'])];
  if (!Number.isFinite(start) || !Number.isFinite(end) || start < 0 || end <= start)
    throw new GraphError(100, { message: '(#100) Param start must be a time before end' });
  const granularity = String(values['granularity']).replace(/['"]/g, '').toUpperCase();
  if (!granularities.includes(granularity)) {
    throw new GraphError(100, {
      message: `(#100) Param granularity must be one of {${granularities.join(', ')}}`,
    });
  }
  if ((end - start) / (lengths[granularity] ?? HOUR) > MOST_POINTS)
    throw new GraphError(100, { message: '(#100) The time between start and end is too long' });
  const numbers = namesOf(values['phone_numbers'])
    ?.map((name) => name.replace(/\D/g, ''))
    .filter(Boolean);
  return { start, end, granularity, numbers: numbers?.length ? numbers : undefined };
}

/** `analytics`: messages sent and delivered per step of time. */
export function messageAnalytics(platform: Platform, account: Account, query: AnalyticsQuery): JsonObject {
  const points = pointsOf(platform, account, query, () => '');
  return {
    phone_numbers: digitsOf(platform, account, query),
    granularity: query.granularity,
    data_points: points.map(({ start, end, counts }) => ({
      ...{ start, end, sent: counts.sent, delivered: counts.delivered },
    })),
  };
}

/** `conversation_analytics` and `pricing_analytics`: what was delivered, by category and country. */
export function deliveredAnalytics(
  platform: Platform,
  account: Account,
  query: AnalyticsQuery,
  kind: 'conversation' | 'pricing',
): JsonObject {
  const keyOf = ({ kind: text, recipient, numberId }: LedgerEntry) =>
    [text.split('|')[1] ?? '', text.split('|')[2] ?? '', countryOf(recipient), numberId].join('|');
  const points = pointsOf(platform, account, query, keyOf).filter(({ counts }) => counts.delivered > 0);
  const dataPoints = points.map(({ start, end, key, counts }) => {
    const [category = '', pricing = '', country = '', numberId = ''] = key.split('|');
    const phone = platform.store.numbers.get(numberId)?.digits ?? '';
    return kind === 'pricing'
      ? {
          ...{ start, end, phone_number: phone, country, pricing_type: pricing.toUpperCase() },
          ...{ pricing_category: category.toUpperCase(), volume: counts.delivered, cost: 0 },
        }
      : {
          ...{ start, end, conversation: counts.delivered, phone_number: phone, country },
          conversation_type: pricing === 'regular' ? 'REGULAR' : pricing.toUpperCase(),
          ...{ conversation_direction: 'BUSINESS_INITIATED', conversation_category: category.toUpperCase() },
          cost: 0,
        };
  });
  return { data: [{ data_points: dataPoints }] };
}

/** `GET /{account}/template_analytics`: what became of the messages of some templates, per day. */
export function templateAnalytics(
  platform: Platform,
  account: Account,
  query: AnalyticsQuery,
  templateIds: readonly string[],
): JsonObject {
  const byName = new Map(
    templateIds.map((id) => {
      const template = platform.store.templates.get(id);
      if (template?.accountId !== account.id)
        throw new GraphError(100, { message: `(#100) Template ${id} does not belong to this account` });
      return [template.name, id];
    }),
  );
  const points = pointsOf(platform, account, query, ({ kind }) => byName.get(kind.split('|')[3] ?? ''));
  return {
    data: [
      {
        granularity: 'DAILY',
        product_type: 'cloud_api',
        data_points: points.map(({ start, end, key, counts }) => ({
          ...{ template_id: key, start, end, ...counts },
        })),
      },
    ],
  };
}

interface Counts {
  sent: number;
  delivered: number;
  read: number;
}

function countState(counts: Counts, { state }: LedgerEntry): void {
  if (state === 'accepted' || state === 'failed') return;
  counts.sent++;
  if (state === 'sent') return;
  counts.delivered++;
  if (state !== 'delivered') counts.read++;
}

interface Point {
  start: number;
  end: number;
  key: string;
  counts: Counts;
}

/** The messages of the account in steps of time, apart by key; messages without a key are left out. */
function pointsOf(
  platform: Platform,
  account: Account,
  query: AnalyticsQuery,
  keyOf: (entry: LedgerEntry) => string | undefined,
): Point[] {
  const step = lengths[query.granularity] ?? HOUR;
  const wanted = new Set(digitsOf(platform, account, query));
  const points = new Map<string, Point>();
  for (const entry of platform.ledger.list(0, Infinity, {})) {
    const at = entry.acceptedAt / 1000;
    if (at < query.start || at >= query.end) continue;
    const number = platform.store.numbers.get(entry.numberId);
    const key = number?.accountId === account.id && wanted.has(number.digits) ? keyOf(entry) : undefined;
    if (key === undefined) continue;
    const start = Math.floor(at / step) * step;
    const name = `${start} ${key}`;
    const point = points.get(name) ?? {
      ...{ start, end: start + step, key, counts: { sent: 0, delivered: 0, read: 0 } },
    };
    points.set(name, point);
    countState(point.counts, entry);
  }
  return [...points.values()].sort((a, b) => a.start - b.start);
}

function digitsOf(platform: Platform, account: Account, query: AnalyticsQuery): string[] {
  const all = [...platform.store.numbers.values()].filter((number) => number.accountId === account.id);
  return all
    .map(({ digits }) => digits)
    .filter((digits) => query.numbers === undefined || query.numbers.includes(digits));
}
