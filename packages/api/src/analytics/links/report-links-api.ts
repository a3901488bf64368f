import { reportLinksContract } from '@app/contracts/analytics/report-links-contract';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { reportLinkUrl } from './report-link-address.ts';
import { createReportLink, endReportLink, listReportLinks, type ReportLink } from './report-links-queries.ts';

const os = implementEndpoints(reportLinksContract);

export const reportLinksApi = os.router({
  list: os.list.handler(({ context }) =>
    context.read(async (scope) => ({
      items: (await listReportLinks(scope)).map((link) => present(link, scope, context)),
    })),
  ),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const made = await createReportLink(scope, input);
      if (made === 'report_links_full') throw errors.report_links_full();
      return present(made, scope, context);
    }),
  ),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (!(await endReportLink(scope, input.reportLinkId))) throw errors.report_link_not_found();
      return {};
    }),
  ),
});

function present(
  { id, name, endsAt, createdBy }: ReportLink,
  scope: ReadScope,
  parts: Pick<ApiDependencies, 'secrets' | 'publicUrl'>,
) {
  return {
    ...{ id, name, createdBy, url: reportLinkUrl(parts, id) },
    ...{ endsAt: endsAt.toISOString(), isOver: endsAt <= scope.clock() },
  };
}
