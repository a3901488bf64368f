import { DISCONNECTED } from '@app/domain/channels/disconnected';
import type { ApiDependencies } from '../platform/request-context.ts';
import { changeAcrossWorkspaces } from '../platform/system-work.ts';

/** What a person did themself. */
const BY_PEOPLE = [DISCONNECTED];

type Stop = { channel_id: string; workspace_id: string; code: string; name: string | null };

/**
 * Tells once of each stop of a number: the engine stops one in the midst of a hot path, where nothing is told. A number that may send again is
 * forgotten, so that its next stop is news.
 */
export async function tellStops(parts: ApiDependencies): Promise<void> {
  await changeAcrossWorkspaces(parts, 'facts', async ({ client, scopeOf }) => {
    await client.query(
      `DELETE FROM told_stops t USING channels c WHERE c.id = t.channel_id AND c.stopped_code IS DISTINCT FROM t.code`,
    );
    const { rows } = await client.query<Stop>(
      `WITH stops AS (
         INSERT INTO told_stops (channel_id, workspace_id, code, told_at)
         SELECT id, workspace_id, stopped_code, $2 FROM channels WHERE stopped_code IS NOT NULL AND stopped_code <> ALL ($1)
         ON CONFLICT DO NOTHING RETURNING channel_id, workspace_id, code)
       SELECT s.*, c.display_name AS name FROM stops s JOIN channels c ON c.id = s.channel_id`,
      [BY_PEOPLE, parts.clock()],
    );
    for (const { channel_id: channelId, workspace_id: workspaceId, code, name } of rows)
      await scopeOf(workspaceId).emit({
        ...{ type: 'channel.stopped', subject: channelId },
        values: { name: name ?? '', code },
      });
  });
}
