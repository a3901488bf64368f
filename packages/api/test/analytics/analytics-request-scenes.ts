import type { OpenScenes } from '../scene-kit.ts';

export const openScenes: OpenScenes = ({ query, next, admin }) => {
  const reportLink = () => ({ name: `Link ${next()}`, query: { period: '7days' }, days: 7, zone: 'UTC' });

  return {
    makers: {
      reportViewId: async () => {
        await query('DELETE FROM report_views');
        const saved = await admin.post('/api/analytics/views', { name: `View ${next()}`, query: {} });
        return { reportViewId: (await saved.json<{ id: string }>()).id };
      },
      reportLinkId: async () => {
        await query('DELETE FROM report_links');
        const made = await admin.post('/api/analytics/links', reportLink());
        return { reportLinkId: (await made.json<{ id: string }>()).id };
      },
    },
    scenes: {
      'reportViews.save': async () => {
        await query('DELETE FROM report_views');
        return { name: `View ${next()}`, query: { period: '7days' } };
      },
      'reportLinks.create': async () => {
        await query('DELETE FROM report_links');
        return reportLink();
      },
    },
  };
};
