import { connectionOf } from '@app/api/channels/channel-connection';
import type { ApiDependencies } from '@app/api/platform/request-context';
import { openSystemScopes, type SystemParts } from '@app/api/platform/system-work';
import { syncTemplates } from '@app/api/templates/sync-templates';
import { channels } from '@app/database/channels/channels-tables';

const TRIES = 20;
const PAUSE_MS = 500;

/**
 * The sandbox forgets everything when it ends: hands it the approved templates of every number that is connected to
 * it. It may still be starting, so it is asked a few times; `isStopped` ends the waiting.
 */
export async function syncSandboxTemplates(
  dependencies: SystemParts & Pick<ApiDependencies, 'channelKinds' | 'templatePlatform' | 'mediaStore'>,
  sandboxUrl: string,
  isStopped: () => boolean,
): Promise<void> {
  const all = await dependencies.db.inSystem((tx) => tx.select().from(channels));
  for (const channel of all) {
    const { id: channelId, workspaceId } = channel;
    const { capabilities } = dependencies.channelKinds.of(channel);
    if (connectionOf(channel, { ...dependencies, sandboxUrl }).kind !== 'sandbox') continue;
    if (capabilities.templates === 'none') continue;
    const scopes = openSystemScopes(dependencies, 'upkeep', workspaceId);
    for (let attempt = 1; attempt <= TRIES && !isStopped(); attempt += 1) {
      const answer = await syncTemplates({ ...dependencies, ...scopes }, { channelId, kind: 'sandbox' });
      if (answer.outcome !== 'unreachable') break;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
