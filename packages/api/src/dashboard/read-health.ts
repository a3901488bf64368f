import { DEFAULT_SENDER_ORDER } from '@app/database/channels/find-channel';
import type { RequestContext } from '../platform/request-context.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

type ServiceHealth = { state: 'operational' | 'degraded' | 'down' | 'not_connected'; detail: string | null };

const OPERATIONAL: ServiceHealth = { state: 'operational', detail: null };

type HealthRow = {
  is_connected: boolean | null;
  stopped_reason: string | null;
  trouble: string | null;
  waiting: number;
  is_overdue: boolean;
};

/** What works now: the channel as the engine last met it, and the queue as it stands. */
export async function readHealth(scope: ReadScope, { storage }: Pick<RequestContext, 'storage'>) {
  const [row] = (await scope.query<HealthRow>(HEALTH_SQL, [scope.workspaceId])).rows;
  const waiting = row?.waiting ?? 0;
  return {
    messagingApi: describeChannel(row),
    // Whoever reads this was let in by both of them just now.
    authentication: OPERATIONAL,
    realtime: OPERATIONAL,
    storage: (await storage?.read()) ?? ('operational' as const),
    queue: {
      ...(row?.is_overdue
        ? ({ state: 'degraded', detail: 'No worker takes up the waiting messages. Is one running?' } as const)
        : OPERATIONAL),
      waiting,
    },
  };
}

/** A sender holds a lease of seconds: work that waits while nobody holds one means that no worker runs. */
const HEALTH_SQL = `
  WITH channel AS (
    SELECT is_connected, stopped_reason, trouble FROM channels
     WHERE workspace_id = $1 ORDER BY ${DEFAULT_SENDER_ORDER} LIMIT 1
  ), queue AS (
    SELECT coalesce(sum(total - accepted - refused - cancelled - unknown), 0)::int AS waiting,
           coalesce(bool_or(started_at IS NULL AND created_at < now() - interval '10 seconds'), false) AS is_overdue
      FROM delivery_progress WHERE workspace_id = $1 AND state IN ('ready', 'running')
  )
  SELECT channel.is_connected, channel.stopped_reason, channel.trouble, queue.waiting, queue.is_overdue
    FROM queue LEFT JOIN channel ON true`;

function describeChannel(row: HealthRow | undefined): ServiceHealth {
  if (!row?.is_connected) return { state: 'not_connected', detail: 'Connect a number in Settings.' };
  // What the platform said against a connection stands in Settings, in words.
  const isRefused = row.stopped_reason !== null || row.trouble !== null;
  return isRefused ? { state: 'down', detail: row.stopped_reason } : OPERATIONAL;
}
