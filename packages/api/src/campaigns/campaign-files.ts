import type { ResultsFormat } from '@app/domain/campaigns/results-format';
import { isUuid } from '@app/domain/uuid';
import type { FileRoute } from '../platform/http-edge/file-routes.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import { sendDownload } from '../platform/http-edge/send-download.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { WORKBOOK_TYPE } from '../platform/workbooks/workbook-file.ts';
import { beginResultsExport } from './begin-results-export.ts';
import { describeResults, writeResultsPage, type ResultsPlace, type ResultsWish } from './results-file.ts';

const ROWS_AT_ONCE = 2_000;
export const campaignFiles: readonly FileRoute[] = [
  {
    method: 'GET',
    path: '/api/campaigns/:campaignId/recipients/export',
    access: ['campaigns:read', 'contacts:read', 'contacts:export'],
    forKeys: {
      ...{ name: 'campaigns.downloadResults', tag: 'Campaigns', gives: ['text/csv', WORKBOOK_TYPE] },
      summary: 'What became of each message of a campaign, as a file',
      query: { format: '`xlsx` gives an Excel file; `csv` without it.' },
    },
    answer: (request, context, parameter) => {
      const format = new URL(request.url).searchParams.get('format') === 'xlsx' ? 'xlsx' : 'csv';
      return exportResults(parameter('campaignId'), format, context);
    },
  },
];

/** The results of a campaign as a file. */
async function exportResults(
  campaignId: string,
  format: ResultsFormat,
  context: SignedInContext,
): Promise<Response> {
  const campaign = isUuid(campaignId)
    ? await context.change((scope) => beginResultsExport(scope, campaignId))
    : null;
  if (!campaign) return refuse('campaign_not_found');
  const { name, runNo } = campaign;
  const pages = writePages({ runNo, format }, context);
  return sendDownload(pages, { ...describeResults({ name, format }), at: context.clock() });
}

async function* writePages(wish: ResultsWish, context: SignedInContext): AsyncGenerator<Uint8Array, void> {
  let place: ResultsPlace | null = null;
  do {
    const from: ResultsPlace | null = place;
    const page: Awaited<ReturnType<typeof writeResultsPage>> = await context.read('long', (scope) =>
      writeResultsPage(scope, { ...wish, limit: ROWS_AT_ONCE }, from),
    );
    yield page.bytes;
    place = page.next;
  } while (place);
}
