import { newId } from '@app/database/new-id';
import type { OpenScenes } from '../scene-kit.ts';

export const openScenes: OpenScenes = ({ query, next, post, workspaceId }) => {
  const template = () => ({
    name: `Template ${next()}`,
    category: 'utility',
    components: [{ type: 'body', text: 'Hello there, your order is on its way to you.' }],
  });

  const addTemplate = () => post('/api/templates', template());

  return {
    makers: {
      templateId: async () => {
        const { id: templateId, version } = await addTemplate();
        return { templateId, version };
      },
    },
    scenes: {
      'media.startUpload': async () => ({
        name: `picture-${next()}.png`,
        size: 4000,
        purpose: 'header_image',
      }),
      'media.remove': async () => {
        const mediaId = newId();
        await query(
          `INSERT INTO media (id, workspace_id, name, type, mime_type, size, sha256, storage_key)
         VALUES ($1, $2, 'picture.png', 'image', 'image/png', 4, 'f00d', $3)`,
          [mediaId, workspaceId, `files/${mediaId}`],
        );
        return { mediaId };
      },
      'templates.create': async () => template(),
      'templates.update': async () => {
        const { id: templateId, version } = await addTemplate();
        return { templateId, version, name: `Renamed template ${next()}` };
      },
      // What was submitted before is settled, so that each sync finds one answer of the platform.
      'templates.sync': async () => {
        await post('/api/templates/sync');
        const { id, version } = await addTemplate();
        await post(`/api/templates/${id}/submit`, { version });
        return {};
      },
    },
  };
};
