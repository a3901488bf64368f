import type { Reply } from '@app/domain/integrations/contact-connector';
import { unreadable } from '../calls/expected-answer.ts';
import { recordOf, textOf, type JsonRecord } from '../calls/json-values.ts';
import { DATA, type SalesforceAnswer, type SalesforceAsk } from './salesforce-ask.ts';

/** Keys of one query: an address holds some 4,000 characters. */
export const KEYS_AT_ONCE = 40;

export type QueryPage = {
  records: readonly JsonRecord[];
  /** Where the vendor continues the query, exactly as it said; null behind the last page. */
  next: string | null;
  clockAheadMs: number;
};

/** The first page of a query. `all` brings deleted records, too. */
export function querySalesforce(
  ask: SalesforceAsk,
  soql: string,
  { all = false } = {},
): Promise<Reply<QueryPage>> {
  return readPage(ask('GET', `${DATA}/${all ? 'queryAll' : 'query'}?${new URLSearchParams({ q: soql })}`));
}

export function querySalesforceOn(ask: SalesforceAsk, next: string): Promise<Reply<QueryPage>> {
  return readPage(ask('GET', next));
}

async function readPage(asked: Promise<Reply<SalesforceAnswer>>): Promise<Reply<QueryPage>> {
  const reply = await asked;
  if (!reply.ok) return reply;
  const { records, done, nextRecordsUrl } = recordOf(reply.value.body);
  if (!Array.isArray(records)) return unreadable;
  const next = done === false ? textOf(nextRecordsUrl) : null;
  // It is a path of the same organisation and nothing else.
  const isPath = next === null || /^\/services\/data\/v[\d.]+\/query\/[\w-]+$/.test(next);
  return {
    ok: true,
    value: {
      records: records.map(recordOf),
      next: isPath ? next : null,
      clockAheadMs: reply.value.clockAheadMs,
    },
  };
}

/** A text of SOQL in its quotes. */
export const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&').replace(/\s/g, ' ')}'`;

export const listed = (texts: readonly string[]): string => `(${texts.map(quoted).join(', ')})`;
