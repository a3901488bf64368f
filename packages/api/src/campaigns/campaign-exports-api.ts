import { campaignsContract } from '@app/contracts/campaigns/campaigns-contract';
import { newId } from '@app/database/new-id';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { startSteps } from '../platform/operations/start-steps.ts';
import { findCampaign } from './campaigns-queries.ts';
import { resultsExport } from './results-export-operation.ts';

const os = implementEndpoints(campaignsContract);

export const campaignExportsApi = {
  exportResults: os.exportResults.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const campaign = await findCampaign(scope, input.campaignId);
      if (!campaign) throw errors.campaign_not_found();
      const { id, name, runNo } = campaign;
      await scope.emit({ type: 'campaign.results_exported', subject: id, values: { name } });
      return startSteps(scope, context, resultsExport, {
        ...{ id: newId(), kind: resultsExport.name, name, total: null },
        wish: { runNo, name, format: input.format, ...(input.outcome && { outcome: input.outcome }) },
      });
    }),
  ),
};
