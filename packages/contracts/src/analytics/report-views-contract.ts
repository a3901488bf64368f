import { cleanText } from '@app/domain/contacts/contact';
import { viewCadences } from '@app/domain/analytics/mailed-view';
import { reportViewLimits, reportViewParts } from '@app/domain/analytics/report-view';
import { z } from 'zod';
import { endpoint, id } from '../endpoint.ts';

/** Parts of the address of the page; a part that is missing is as ever. */
export const viewQuery = z.partialRecord(z.enum(reportViewParts), z.string().max(reportViewLimits.value));

export const reportView = z.object({
  id,
  name: z.string(),
  query: viewQuery,
  /** How often it comes with the summary of the member; null for never. */
  mailEvery: z.enum(viewCadences).nullable(),
});

const name = z.string().max(1000).transform(cleanText).pipe(z.string().min(1).max(reportViewLimits.name));

export const reportViewsContract = {
  list: endpoint({
    method: 'GET',
    path: '/analytics/views',
    access: 'analytics:read',
    summary: 'Saved views of analytics of the person who asks, by name',
    input: z.object({}),
    output: z.object({ items: z.array(reportView) }),
  }),
  save: endpoint({
    method: 'POST',
    path: '/analytics/views',
    access: 'analytics:read',
    repeat: 'keyed',
    summary: 'Saves period, filters and grouping under a name, in place of the view that has it',
    input: z.strictObject({ name, query: viewQuery }),
    output: reportView,
    errors: ['report_views_full'],
  }),
  rename: endpoint({
    method: 'PUT',
    path: '/analytics/views/{reportViewId}/name',
    access: 'analytics:read',
    repeat: {
      harmless: 'It names the name that it replaces: a second one finds the new name and changes nothing.',
    },
    summary: 'Renames a saved view, unless it was renamed since `before` was read',
    input: z.strictObject({ reportViewId: id, name, before: z.string().max(1000) }),
    output: reportView,
    errors: ['report_view_not_found', 'report_view_taken', 'report_view_changed'],
  }),
  setMail: endpoint({
    method: 'PUT',
    path: '/analytics/views/{reportViewId}/mail',
    access: 'analytics:read',
    repeat: { harmless: 'It sets one value: a second one sets the same.' },
    summary: 'Sends a saved view with the summary of each day, week or month, or no longer',
    input: z.strictObject({ reportViewId: id, every: z.enum(viewCadences).nullable() }),
    output: reportView,
    errors: ['report_view_not_found'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/analytics/views/{reportViewId}',
    access: 'analytics:read',
    repeat: 'keyed',
    summary: 'Deletes a saved view',
    input: z.strictObject({ reportViewId: id }),
    output: z.object({}),
    errors: ['report_view_not_found'],
  }),
};
