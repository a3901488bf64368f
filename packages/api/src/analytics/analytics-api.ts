import { analyticsContract } from '@app/contracts/analytics/analytics-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { RequestScopes } from '../platform/request-context.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import {
  readBestTime,
  readCampaigns,
  readStatuses,
  readSummary,
  readTemplates,
  readVolume,
} from './analytics-queries.ts';
import { readContactBestTime } from './contact-time-queries.ts';
import { readFilters } from './document/read-filters.ts';
import { readChoices } from './report-choices.ts';
import { readAutomation, readResults, readTemplateHealth } from './results-queries.ts';
import { readAudience, readFailures, readInbox } from './section-queries.ts';
import { openReport, type Report, type ReportInput } from './report-source.ts';

const os = implementEndpoints(analyticsContract);

type Call<Input> = {
  input: Input;
  context: Pick<RequestScopes, 'read'>;
  errors: { segment_not_found(): Error };
};

/** A handler that reads one report. */
function reads<Input extends ReportInput, Output>(
  read: (scope: ReadScope, report: Report, input: Input) => Promise<Output>,
) {
  return ({ input, context, errors }: Call<Input>): Promise<Output> =>
    context.read('reporting', async (scope) => {
      const report = await openReport(scope, input);
      if (report === 'segment_not_found') throw errors.segment_not_found();
      return read(scope, report, input);
    });
}

export const analyticsApi = os.router({
  getSummary: os.getSummary.handler(reads(readSummary)),
  getVolume: os.getVolume.handler(reads((scope, report, { bucket }) => readVolume(scope, report, bucket))),
  getStatuses: os.getStatuses.handler(reads(readStatuses)),
  getCampaigns: os.getCampaigns.handler(
    reads((scope, report, { limit }) => readCampaigns(scope, report, limit)),
  ),
  getTemplates: os.getTemplates.handler(
    reads((scope, report, { limit }) => readTemplates(scope, report, limit)),
  ),
  getBestTime: os.getBestTime.handler(reads(readBestTime)),
  getFailures: os.getFailures.handler(reads(readFailures)),
  getInbox: os.getInbox.handler(reads(readInbox)),
  getAudience: os.getAudience.handler(
    reads((scope, report, { bucket }) => readAudience(scope, report, bucket)),
  ),
  getResults: os.getResults.handler(
    reads((scope, report, { windowDays }) => readResults(scope, report, windowDays)),
  ),
  getTemplateHealth: os.getTemplateHealth.handler(reads(readTemplateHealth)),
  getAutomation: os.getAutomation.handler(reads(readAutomation)),
  // What follows reads little, and waits for no report.
  getContactBestTime: os.getContactBestTime.handler(({ input, context, errors }) =>
    context.read(async (scope) => {
      const found = await readContactBestTime(scope, input.contactId, input.zone);
      if (!found) throw errors.contact_not_found();
      return found;
    }),
  ),
  getChoices: os.getChoices.handler(({ context }) => context.read(readChoices)),
  getFilters: os.getFilters.handler(({ input, context }) =>
    context.read(async (scope) => ({ items: await readFilters(scope, input) })),
  ),
});
