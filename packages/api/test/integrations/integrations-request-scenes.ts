import { newId } from '@app/database/new-id';
import { quietConnector } from './quiet-connector.ts';
import type { OpenScenes } from '../scene-kit.ts';

export const openScenes: OpenScenes = ({ query, next, workspaceId, api }) => {
  /** Connected, with the first sync behind it and none under way. */
  async function addIntegration() {
    await query('DELETE FROM integrations WHERE workspace_id = $1', [workspaceId]);
    await query(
      `INSERT INTO integrations (id, workspace_id, kind, status, credentials, mapping, is_started, created_at, updated_at)
       VALUES ($1, $2, 'quiet', 'connected', $3, $4, true, now(), now())`,
      [
        ...[newId(), workspaceId],
        JSON.stringify({ version: 1, values: {}, secrets: { quietKey: await api.parts.secrets.seal('k') } }),
        JSON.stringify(quietConnector.contacts?.mapping),
      ],
    );
    return { kind: 'quiet' };
  }

  return {
    scenes: {
      'integrations.connect': async () => {
        await query('DELETE FROM integrations WHERE workspace_id = $1', [workspaceId]);
        return { kind: 'quiet', values: { quietKey: 'k' } };
      },
      'integrations.beginPreview': addIntegration,
      'integrations.sync': addIntegration,
      'integrations.retry': addIntegration,
      'integrations.disconnect': addIntegration,
      'integrations.update': async () => ({
        ...(await addIntegration()),
        ...{ version: 1, frequency: 'daily', createsThere: false, createsTag: `tag ${next()}` },
        mapping: quietConnector.contacts?.mapping,
      }),
      'integrationEvents.retry': addIntegration,
      'integrationEvents.sendTest': addIntegration,
      'integrationEvents.update': async () => ({
        ...{ ...(await addIntegration()), topics: [], target: null, version: 1 },
      }),
    },
  };
};
