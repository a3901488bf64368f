import { readReadingHours } from '@app/database/analytics/reading-hours';
import { learnBestTime, type ContactBestTime } from '@app/domain/analytics/contact-best-time';
import type { ReadScope } from '../platform/workspace-scope.ts';

type Hour = { hour: number; events: number };
/** Older habits count no more. */
const LEARNT_FROM_MS = 180 * 86_400_000;

/** When a contact reads; null where there is none. */
export async function readContactBestTime(
  scope: ReadScope,
  contactId: string,
  zone: string,
): Promise<ContactBestTime | null> {
  const of = [scope.workspaceId, contactId];
  const { rowCount } = await scope.query('SELECT FROM contacts WHERE workspace_id = $1 AND id = $2', of);
  if (rowCount === 0) return null;
  const now = scope.clock();
  const since = new Date(now.getTime() - LEARNT_FROM_MS);
  const { rows: own } = await scope.query<Hour>(
    `SELECT extract(hour FROM e.at AT TIME ZONE $3)::integer AS hour, count(*)::integer AS events FROM (
       SELECT r.read_at, r.replied_at FROM delivery_recipients r WHERE r.workspace_id = $1 AND r.contact_id = $2 AND r.state = 2
       UNION ALL
       SELECT m.read_at, m.replied_at FROM messages m WHERE m.workspace_id = $1 AND m.contact_id = $2 AND m.direction = 'out'
          AND m.state = 'accepted') AS o
     CROSS JOIN LATERAL (VALUES (o.read_at), (o.replied_at)) AS e (at)
     WHERE e.at > $4 GROUP BY 1`,
    [...of, zone, since],
  );
  const everybody = await readReadingHours(scope, {
    workspaceId: scope.workspaceId,
    zone,
    since,
    before: now,
  });
  return learnBestTime(hoursOf(own), everybody);
}

function hoursOf(rows: readonly Hour[]): number[] {
  const found = new Map(rows.map(({ hour, events }) => [hour, events]));
  return Array.from({ length: 24 }, (_, hour) => Math.max(0, found.get(hour) ?? 0));
}
