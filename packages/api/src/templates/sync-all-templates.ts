import type { ApiDependencies } from '../platform/request-context.ts';
import { openSystemScopes, type SystemParts } from '../platform/system-work.ts';
import { readConnection } from '../channels/channel-connection.ts';
import { syncTemplates } from './sync-templates.ts';

/**
 * Brings the templates of every connected workspace in line with the platform. Run it at the start and now and then:
 * webhooks get lost, and the sandbox begins empty. Trouble with one workspace is logged and leaves the others alone.
 */
export async function syncAllTemplates(
  dependencies: SystemParts & Pick<ApiDependencies, 'templatePlatform' | 'mediaStore' | 'sandboxUrl'>,
): Promise<void> {
  const { db, logger, sandboxUrl } = dependencies;
  const { rows } = await db.systemPool.query<{ id: string }>('SELECT id FROM workspaces ORDER BY id');
  for (const { id: workspaceId } of rows) {
    try {
      const scopes = openSystemScopes(dependencies, 'upkeep', workspaceId);
      const { kind, channel } = await scopes.read((scope) => readConnection(scope, sandboxUrl));
      if (kind === 'none' || !channel) continue;
      const answer = await syncTemplates({ ...dependencies, ...scopes }, { channelId: channel.id, kind });
      if (answer.outcome !== 'done')
        logger.warn({ workspaceId, outcome: answer.outcome }, 'templates could not be synced');
    } catch (error) {
      logger.error({ err: error, workspaceId }, 'templates could not be synced');
    }
  }
}
