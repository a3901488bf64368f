import { writeCsvCell } from '@app/domain/contact-imports/csv-cell';
import type { listRecipients } from './campaign-recipients.ts';

type Recipient = Awaited<ReturnType<typeof listRecipients>>['items'][number];

/** What a file of a campaign's results is, however it is written. */
export const resultsFile = {
  file: { subject: 'campaign-results', extension: 'csv', type: 'text/csv; charset=utf-8' },
  start: 'name,phone,outcome,code,explanation,time\r\n',
  write: ({ name, phone, outcome, errorCode, explanation, at }: Recipient): string =>
    `${[name, phone, outcome, errorCode ?? '', explanation ?? '', at ?? ''].map(writeCsvCell).join(',')}\r\n`,
} as const;
