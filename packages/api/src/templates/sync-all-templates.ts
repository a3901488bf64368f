import { workspaces } from '@app/database/workspaces/workspaces-tables';
import type { ApiDependencies } from '../platform/request-context.ts';
import { readConnection } from '../platform/messaging/channel-connection.ts';
import type { TemplateDependencies } from './submit-template.ts';
import { syncTemplates } from './sync-templates.ts';

/**
 * Brings the templates of every connected workspace in line with the platform. Run it at the start and now and then:
 * webhooks get lost, and the sandbox begins empty. Trouble with one workspace is logged and leaves the others alone.
 */
export async function syncAllTemplates(
  dependencies: TemplateDependencies & Pick<ApiDependencies, 'sandboxUrl' | 'liveEvents'>,
): Promise<void> {
  const { db, logger, sandboxUrl, liveEvents } = dependencies;
  const all = await db.inSystem((tx) => tx.select({ id: workspaces.id }).from(workspaces));
  for (const { id: workspaceId } of all) {
    try {
      const { kind, channel } = await db.inWorkspace(workspaceId, (tx) =>
        readConnection(tx, workspaceId, sandboxUrl),
      );
      if (kind === 'none' || !channel) continue;
      const answer = await syncTemplates(dependencies, { workspaceId, channelId: channel.id, kind });
      if (answer.outcome !== 'done')
        logger.warn({ workspaceId, outcome: answer.outcome }, 'templates could not be synced');
      else if (answer.changed + answer.submitted > 0) await liveEvents.publish(workspaceId, 'templates');
    } catch (error) {
      logger.error({ err: error, workspaceId }, 'templates could not be synced');
    }
  }
}
