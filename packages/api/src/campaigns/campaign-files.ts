import { isUuid } from '@app/domain/uuid';
import type { FileRoute } from '../platform/rim/file-routes.ts';
import { refuse } from '../platform/rim/refuse.ts';
import { sendDownload } from '../platform/rim/send-download.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { findCampaign } from './campaigns-queries.ts';
import { resultsFile, writeResultsPage } from './results-file.ts';

const ROWS_AT_ONCE = 2_000;
export const campaignFiles: readonly FileRoute[] = [
  {
    method: 'GET',
    path: '/api/campaigns/:campaignId/recipients/export',
    access: ['campaigns:read', 'contacts:read'],
    forKeys: {
      ...{ name: 'campaigns.downloadResults', tag: 'Campaigns', gives: ['text/csv'] },
      summary: 'What became of each message of a campaign, as a file',
    },
    answer: (_, context, parameter) => exportResults(parameter('campaignId'), context),
  },
];

/** The results of a campaign as a file. */
async function exportResults(campaignId: string, context: SignedInContext): Promise<Response> {
  const campaign = isUuid(campaignId)
    ? await context.change(async (scope) => {
        const row = await findCampaign(scope, campaignId);
        if (!row) return null;
        const { id, name } = row;
        await scope.tell({ type: 'campaign.results_exported', subject: id, values: { name } });
        return row;
      })
    : null;
  if (!campaign) return refuse('campaign_not_found');
  const pages = writePages(campaign.runNo, context);
  return sendDownload(pages, { ...resultsFile.of({ name: campaign.name }), at: context.clock() });
}

async function* writePages(runNo: number | null, context: SignedInContext): AsyncGenerator<string, void> {
  let cursor: string | undefined;
  do {
    const from: string | undefined = cursor;
    const page = await context.read('long', (scope) =>
      writeResultsPage(scope, { runNo, limit: ROWS_AT_ONCE }, from),
    );
    yield page.text;
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
}
