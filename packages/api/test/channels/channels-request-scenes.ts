import type { OpenScenes } from '../scene-kit.ts';

export const openScenes: OpenScenes = ({ addChannel }) => {
  return {
    scenes: {
      'channels.resume': () => addChannel(`'1', 'A test', 'everything'`),
      'connections.disconnect': () => addChannel('NULL, NULL, NULL'),
    },
  };
};
