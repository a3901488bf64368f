import { campaignsContract } from '@app/contracts/campaigns/campaigns-contract';
import { newId } from '@app/database/new-id';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { startSteps } from '../platform/operations/start-steps.ts';
import { beginResultsExport } from './begin-results-export.ts';
import { resultsExport } from './results-export-operation.ts';

const os = implementEndpoints(campaignsContract);

export const campaignExportsApi = {
  exportResults: os.exportResults.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const campaign = await beginResultsExport(scope, input.campaignId);
      if (!campaign) throw errors.campaign_not_found();
      const { name, runNo } = campaign;
      return startSteps(scope, context, resultsExport, {
        ...{ id: newId(), kind: resultsExport.name, name, total: null },
        wish: { runNo, name, format: input.format, ...(input.outcome && { outcome: input.outcome }) },
      });
    }),
  ),
};
