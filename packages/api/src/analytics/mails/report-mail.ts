import type { ViewCadence } from '@app/domain/analytics/mailed-view';
import { lastDayOfMail, type ViewQuery } from '@app/domain/analytics/view-period';
import { BYTE_ORDER_MARK, writeCsvRow } from '@app/domain/contact-imports/csv-cell';
import { SUMMARY_HOURS } from '@app/domain/notifications/summary';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import type { SqlQueries } from '@app/database/sql-queries';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { mailWords } from '../../platform/words/mail-words.ts';
import { readDocument, SHOWN_CAMPAIGNS, type ReportDocument } from '../document/read-document.ts';
import { sayDocument, type SaidDocument } from '../document/said-document.ts';
import { drawBarsPicture } from './bars-picture.ts';

/** A view as it stands in a mail: null figures where its segment is gone. */
export type MailedReport = {
  name: string;
  /** What opens it on the page. */
  query: ViewQuery;
  said: SaidDocument | null;
  /** As JPEG; null where there is nothing to draw. */
  picture: Uint8Array | null;
  files: { name: string; text: string }[];
};

type View = { name: string; query: ViewQuery };

/** As many as the page shows. */
const MOST_CAMPAIGNS_OF_FILE = 1_000;

/** The views that a member wants so often, by name. */
export async function readMailedViews(scope: ReadScope, userId: string, every: ViewCadence): Promise<View[]> {
  const { rows } = await scope.query<View>(
    'SELECT name, query FROM report_views WHERE workspace_id = $1 AND user_id = $2 AND mail_every = $3 ORDER BY lower(name), id',
    [scope.workspaceId, userId, every],
  );
  return rows;
}

/** Their figures of the days before `day`, the one of the mail, as far as they are over in the zone of the view: however late it is written, its days are the same. */
export async function readMailedReports(
  scope: ReadScope,
  views: readonly View[],
  { zone, day }: { zone: string; day: string },
): Promise<(View & { document: ReportDocument | null })[]> {
  const found = [];
  for (const { name, query } of views)
    found.push({
      ...{ name, query },
      document: await readDocument(
        scope,
        query,
        { zone, end: lastDayOfMail(query, { zone, day, from: SUMMARY_HOURS.from }) },
        MOST_CAMPAIGNS_OF_FILE,
      ),
    });
  return found;
}

/** With a picture, and its figures as CSV: of all campaigns, also of those that the mail has no room for. */
export async function writeMailedReport(
  { name, query, document }: View & { document: ReportDocument | null },
  language: InterfaceLanguage,
): Promise<MailedReport> {
  if (!document) return { name, query, said: null, picture: null, files: [] };
  const { campaigns, measure } = document;
  const said = sayDocument(
    { ...document, campaigns: { ...campaigns, items: campaigns.items.slice(0, SHOWN_CAMPAIGNS) } },
    language,
  );
  const counts = document.volume.points.map((point) => point[measure]);
  return {
    ...{ name, query, said },
    // Of nothing there is no picture: an empty one looks broken.
    picture: counts.some((count) => count > 0) ? await drawBarsPicture(counts) : null,
    files: writeFiles(name, document, language),
  };
}

const COUNTS = ['sent', 'delivered', 'read', 'failed', 'replied'] as const;

/** Days as ISO 8601 and whole numbers; columns are separated as spreadsheets of the reader's language expect it: by semicolons where figures have a decimal comma. */
function writeFiles(
  name: string,
  { measure, volume, campaigns }: ReportDocument,
  language: InterfaceLanguage,
) {
  const words = mailWords(language);
  const heads = COUNTS.map((count) => words(`report.${count}`));
  const base = fileName(name);
  const separator = new Intl.NumberFormat(language).format(0.5).includes(',') ? ';' : ',';
  const file = (title: string, rows: readonly (readonly string[])[]) => ({
    name: `${base} - ${fileName(title)}.csv`,
    text: BYTE_ORDER_MARK + rows.map((row) => writeCsvRow(row, separator)).join(''),
  });
  return [
    file(words(`report.volume.${measure}.${volume.bucket}`), [
      [words(`report.${volume.bucket}`), ...heads],
      ...volume.points.map((one) => [one.day, ...COUNTS.map((count) => String(one[count]))]),
    ]),
    file(words('report.campaigns'), [
      [words('report.campaign'), ...heads],
      ...campaigns.items.map((one) => [
        one.name ?? words('report.unnamed'),
        ...COUNTS.map((count) => String(one[count])),
      ]),
    ]),
  ];
}

/** What every file system takes. */
function fileName(text: string): string {
  return (
    text
      .replaceAll(/[^\p{L}\p{N}_()-]+/gu, ' ')
      .trim()
      .slice(0, 60) || 'report'
  );
}

/** Ends the mails of all views that a person wants so often, in every workspace (system scope). */
export async function endMailedViews(
  client: SqlQueries,
  userId: string,
  every: ViewCadence,
): Promise<number> {
  const { rowCount } = await client.query(
    'UPDATE report_views SET mail_every = NULL WHERE user_id = $1 AND mail_every = $2',
    [userId, every],
  );
  return rowCount ?? 0;
}
