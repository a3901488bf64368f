import type { OpenScenes } from '../scene-kit.ts';

export const openScenes: OpenScenes = ({ query, next, api }) => {
  return {
    scenes: {
      'landing.sendEnquiry': async () => {
        api.advance(3_700_000); // Visitors may write a few enquiries an hour.
        await query('UPDATE sessions SET proven_at = $1', [api.parts.clock()]);
        return { name: `Visitor ${next()}`, email: 'visitor@example.com', message: 'Please call me.' };
      },
    },
  };
};
