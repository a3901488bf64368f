import { cleanText } from '@app/domain/contacts/contact';
import { isReportZone } from '@app/domain/analytics/report-filter';
import { reportLinkLimits } from '@app/domain/analytics/report-link';
import { z } from 'zod';
import { endpoint, id } from '../endpoint.ts';
import { viewQuery } from './report-views-contract.ts';

const name = z.string().max(1000).transform(cleanText).pipe(z.string().min(1).max(reportLinkLimits.name));

const reportLink = z.object({
  id,
  name: z.string(),
  /** Opens the report without a sign-in, until `endsAt`. */
  url: z.string(),
  endsAt: z.iso.datetime(),
  isOver: z.boolean(),
  createdBy: z.string().nullable(),
});

/** Figures leave the workspace: who makes or ends a link runs campaigns, and does not only read. */
const access = ['analytics:read', 'campaigns:update'] as const;

export const reportLinksContract = {
  list: endpoint({
    method: 'GET',
    path: '/analytics/links',
    access,
    summary:
      'Links that show a report without a sign-in, the newest first; those that are over stay for 30 days',
    input: z.object({}),
    output: z.object({ items: z.array(reportLink) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/analytics/links',
    access,
    repeat: 'keyed',
    summary: 'Makes a link that shows a report, without people and without a sign-in, for so many days',
    input: z.strictObject({
      name,
      query: viewQuery,
      days: z
        .number()
        .int()
        .min(1)
        .max(Math.max(...reportLinkLimits.days)),
      /** Of days and hours, where the view names none. */
      zone: z.string().max(64).refine(isReportZone, 'no time zone'),
    }),
    output: reportLink,
    errors: ['report_links_full'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/analytics/links/{reportLinkId}',
    access,
    repeat: 'keyed',
    summary: 'Ends a link at once',
    input: z.strictObject({ reportLinkId: id }),
    output: z.object({}),
    errors: ['report_link_not_found'],
  }),
};
