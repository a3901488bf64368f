import { BYTE_ORDER_MARK, writeCsvCell } from '@app/domain/contact-imports/csv-cell';
import type { RecipientOutcome } from '@app/domain/campaigns/recipient-outcome';
import type { ResultsFormat } from '@app/domain/campaigns/results-format';
import { fileSubject } from '@app/domain/text/file-subject';
import {
  addRows,
  beginWorkbook,
  endWorkbook,
  WORKBOOK_TYPE,
  type WorkbookPlace,
} from '../platform/workbooks/workbook-file.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { listRecipients } from './campaign-recipients.ts';

/** Whose results: undefined is every outcome. An act that began before there were workbooks says no format. */
export type ResultsWish = {
  runNo: number | null;
  name?: string;
  outcome?: RecipientOutcome;
  format?: ResultsFormat;
};

type Recipient = Awaited<ReturnType<typeof listRecipients>>['items'][number];

/** What a file of a campaign's results is: named after the campaign, and after the outcome where it holds one alone. */
export function describeResults({ name, outcome, format = 'csv' }: Omit<ResultsWish, 'runNo'>) {
  return {
    subject: ['campaign-results', fileSubject(name ?? ''), outcome ?? ''].filter(Boolean).join('-'),
    extension: format,
    type: format === 'xlsx' ? WORKBOOK_TYPE : 'text/csv; charset=utf-8',
  };
}

const HEADINGS = [
  ...['name', 'phone', 'outcome', 'code', 'explanation', 'time'],
  ...['fallback', 'fallback code', 'fallback time', 'clicked', 'converted'],
];

const cellsOf = ({ name, phone, outcome, errorCode, explanation, at, ...more }: Recipient): string[] => [
  ...[name, phone, outcome, errorCode ?? '', explanation ?? '', at ?? ''],
  ...[more.fallback?.state ?? '', more.fallback?.code ?? '', more.fallback?.at ?? ''],
  ...[more.clickedAt ?? '', more.convertedAt ?? ''],
];

export type ResultsPlace = { cursor: string; workbook?: WorkbookPlace };

/** One page of it, whether it is kept or leaves at once; without a place the first, and `next` is null behind the last. */
export async function writeResultsPage(
  scope: ReadScope,
  { runNo, outcome, limit, format }: ResultsWish & { limit: number },
  place: ResultsPlace | null,
): Promise<{ bytes: Uint8Array; rows: number; next: ResultsPlace | null }> {
  const { items, nextCursor } =
    runNo === null
      ? { items: [], nextCursor: null }
      : await listRecipients(scope, { runNo, outcome, limit, cursor: place?.cursor });
  const rows = items.length;
  const cells = items.map(cellsOf);
  if (format !== 'xlsx') {
    const lines = [...(place ? [] : [HEADINGS]), ...cells].map(
      (line) => `${line.map(writeCsvCell).join(',')}\r\n`,
    );
    const bytes = new TextEncoder().encode((place ? '' : BYTE_ORDER_MARK) + lines.join(''));
    return { bytes, rows, next: nextCursor === null ? null : { cursor: nextCursor } };
  }
  const begun = place?.workbook
    ? { bytes: new Uint8Array(), place: place.workbook }
    : beginWorkbook(HEADINGS);
  const added = addRows(begun.place, cells);
  const end = nextCursor === null ? endWorkbook(added.place) : new Uint8Array();
  return {
    ...{ bytes: Buffer.concat([begun.bytes, added.bytes, end]), rows },
    next: nextCursor === null ? null : { cursor: nextCursor, workbook: added.place },
  };
}
