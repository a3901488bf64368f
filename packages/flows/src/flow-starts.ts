import type { SqlQueries } from '@app/database/sql-queries';
import type { Json } from '@app/domain/flows/flow-file';
import { wakeFlows } from './flow-inputs.ts';

export type NewStart = {
  flowId: string;
  version: number;
  triggerId: string | null;
  contactId: string | null;
  channelId: string | null;
  /** What began it: a start is unique by flow, source and contact. */
  source: string;
  values: { readonly [name: string]: Json };
  /** One of `runClasses`. */
  class: number;
  depth: number;
  isTest?: boolean;
  at: Date;
  /** The engine looks at it from then on; at once without. */
  notBefore?: Date | undefined;
  /** Stored as refused for this reason; it begins nothing. */
  refused?: string;
};

/**
 * Writes who is to enter which flow; the engine makes runs of it. A flow that is not active in that version any more, as somebody paused or published
 * it meanwhile, gets none; a test goes through whatever the state. Answers with how many were written.
 */
export async function addStarts(
  client: SqlQueries & { workspaceId: string },
  starts: readonly NewStart[],
): Promise<number> {
  if (starts.length === 0) return 0;
  const { rowCount } = await client.query(
    `INSERT INTO flow_starts (workspace_id, flow_id, version, trigger_id, contact_id, channel_id, source, "values", class, depth, is_test, at, not_before, state, reason, settled_at)
     SELECT $1, g."flowId", g.version, g."triggerId", g."contactId", g."channelId", g.source, g."values", g.class, g.depth, coalesce(g."isTest", false), g.at,
            coalesce(g."notBefore", '-infinity'), CASE WHEN g.refused IS NULL THEN 'open' ELSE 'refused' END, g.refused,
            CASE WHEN g.refused IS NOT NULL THEN g.at END
       FROM jsonb_to_recordset($2::jsonb) AS g ("flowId" uuid, version integer, "triggerId" text, "contactId" uuid, "channelId" uuid, source text,
              "values" jsonb, class smallint, depth smallint, "isTest" boolean, at timestamptz, "notBefore" timestamptz, refused text)
       JOIN flows f ON f.id = g."flowId" AND f.workspace_id = $1
        AND (g."isTest" OR (f.status = 'active' AND f.published = g.version))
     ON CONFLICT DO NOTHING`,
    [client.workspaceId, JSON.stringify(starts)],
  );
  if (rowCount) await wakeFlows(client, Math.min(...starts.map((start) => start.class)));
  return rowCount ?? 0;
}
