import { writeCsvCell } from '@app/domain/contact-imports/csv-cell';
import type { RecipientOutcome } from '@app/domain/campaigns/recipient-outcome';
import { fileSubject } from '@app/domain/text/file-subject';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { listRecipients } from './campaign-recipients.ts';

/** Whose results: undefined is every outcome. */
export type ResultsWish = { runNo: number | null; name?: string; outcome?: RecipientOutcome };

type Recipient = Awaited<ReturnType<typeof listRecipients>>['items'][number];

/** What a file of a campaign's results is, however it is written. */
export const resultsFile = {
  /** Named after the campaign, and after the outcome where it holds one alone. */
  of: ({ name, outcome }: Pick<ResultsWish, 'name' | 'outcome'>) => ({
    subject: ['campaign-results', fileSubject(name ?? ''), outcome ?? ''].filter(Boolean).join('-'),
    ...({ extension: 'csv', type: 'text/csv; charset=utf-8' } as const),
  }),
  // With the mark by which spreadsheets take it for Unicode.
  start: '\ufeffname,phone,outcome,code,explanation,time\r\n',
  write: ({ name, phone, outcome, errorCode, explanation, at }: Recipient): string =>
    `${[name, phone, outcome, errorCode ?? '', explanation ?? '', at ?? ''].map(writeCsvCell).join(',')}\r\n`,
} as const;

/** One page of it, whether it is kept or leaves at once; without a cursor the first, and `next` is null behind the last. */
export async function writeResultsPage(
  scope: ReadScope,
  { runNo, outcome, limit }: ResultsWish & { limit: number },
  cursor: string | undefined,
): Promise<{ text: string; rows: number; next: string | null }> {
  const { items, nextCursor } =
    runNo === null
      ? { items: [], nextCursor: null }
      : await listRecipients(scope, { runNo, outcome, limit, cursor });
  const text = items.map(resultsFile.write).join('');
  return {
    ...{ rows: items.length, next: nextCursor },
    text: cursor === undefined ? resultsFile.start + text : text,
  };
}
