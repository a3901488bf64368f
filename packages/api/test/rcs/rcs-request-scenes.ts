import type { OpenScenes } from '../scene-kit.ts';

export const openScenes: OpenScenes = ({ next, post }) => {
  const rcsMessage = () => ({
    name: `RCS message ${next()}`,
    type: 'text',
    content: { text: 'Hello {{name}}' },
  });

  const addRcsMessage = () => post('/api/rcs/messages', rcsMessage());

  return {
    makers: {
      rcsMessageId: async () => ({ rcsMessageId: (await addRcsMessage()).id }),
    },
    scenes: {
      'rcs.create': async () => rcsMessage(),
      'rcs.update': async () => {
        const { id: rcsMessageId, version } = await addRcsMessage();
        return { rcsMessageId, version, ...rcsMessage() };
      },
    },
  };
};
