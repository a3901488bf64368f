import type { OpenScenes } from '../scene-kit.ts';

export const openScenes: OpenScenes = ({ query, workspaceId, addContact }) => {
  return {
    scenes: {
      'conversions.record': async () => ({ contactId: (await addContact()).id, value: 5, currency: 'USD' }),
      'conversions.updateSettings': async () => {
        const { rows } = await query(
          `INSERT INTO conversion_settings (workspace_id, window_days, counts_links, version) VALUES ($1, 7, true, 1)
         ON CONFLICT (workspace_id) DO UPDATE SET window_days = 7 RETURNING version`,
          [workspaceId],
        );
        return { windowDays: 14, countsLinks: true, version: rows[0].version };
      },
    },
  };
};
