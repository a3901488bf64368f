import { reportViewsContract } from '@app/contracts/analytics/report-views-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { listViews, removeView, renameView, saveView, setMail } from './report-views.ts';

const os = implementEndpoints(reportViewsContract);

export const reportViewsApi = os.router({
  list: os.list.handler(({ context }) => context.read(async (scope) => ({ items: await listViews(scope) }))),

  save: os.save.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const saved = await saveView(scope, input);
      if (saved === 'report_views_full') throw errors.report_views_full();
      return saved;
    }),
  ),

  rename: os.rename.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const renamed = await renameView(scope, input);
      if (renamed === 'report_view_taken') throw errors.report_view_taken({ data: { field: 'name' } });
      if (typeof renamed === 'string') throw errors[renamed]();
      return renamed;
    }),
  ),

  setMail: os.setMail.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const view = await setMail(scope, input);
      if (!view) throw errors.report_view_not_found();
      return view;
    }),
  ),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (!(await removeView(scope, input.reportViewId))) throw errors.report_view_not_found();
      return {};
    }),
  ),
});
