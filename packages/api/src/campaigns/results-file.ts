import { writeCsvCell } from '@app/domain/contact-imports/csv-cell';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { listRecipients } from './campaign-recipients.ts';

type Recipient = Awaited<ReturnType<typeof listRecipients>>['items'][number];

/** What a file of a campaign's results is, however it is written. */
export const resultsFile = {
  file: { subject: 'campaign-results', extension: 'csv', type: 'text/csv; charset=utf-8' },
  start: 'name,phone,outcome,code,explanation,time\r\n',
  write: ({ name, phone, outcome, errorCode, explanation, at }: Recipient): string =>
    `${[name, phone, outcome, errorCode ?? '', explanation ?? '', at ?? ''].map(writeCsvCell).join(',')}\r\n`,
} as const;

/** One page of it, whether it is kept or leaves at once; without a cursor the first, and `next` is null behind the last. */
export async function writeResultsPage(
  scope: ReadScope,
  { runNo, limit }: { runNo: number | null; limit: number },
  cursor: string | undefined,
): Promise<{ text: string; rows: number; next: string | null }> {
  const { items, nextCursor } =
    runNo === null ? { items: [], nextCursor: null } : await listRecipients(scope, { runNo, limit, cursor });
  const text = items.map(resultsFile.write).join('');
  return {
    ...{ rows: items.length, next: nextCursor },
    text: cursor === undefined ? resultsFile.start + text : text,
  };
}
