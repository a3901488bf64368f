import { databaseTrouble } from '@app/database/query-error';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import { faultOfEvent } from './dead-letter-events.ts';
import { storeEvents, type StoreDependencies } from './store-events.ts';

type Row = {
  id: string;
  workspaceId: string;
  channelId: string | null;
  kind: string | null;
  event: string;
  raw: string;
  receivedAt: string;
};

const AT_ONCE = 100;

/**
 * Tries once more what was set aside, each event by itself: what the database takes now comes to the place where it belongs. For the
 * start of the product, because a newer version or a mended database takes what was refused before.
 */
export async function replayDeadLetters(
  dependencies: StoreDependencies,
  isStopped: () => boolean = () => false,
): Promise<{ stored: number; left: number }> {
  const done = { stored: 0, left: 0 };
  let rows = await readAfter(dependencies, undefined);
  while (rows.length > 0) {
    for (const row of rows) {
      if (isStopped()) return done;
      done[(await storeAgain(row, dependencies)) ? 'stored' : 'left'] += 1;
    }
    rows = await readAfter(dependencies, rows.at(-1));
  }
  if (done.stored + done.left > 0)
    dependencies.logger.info(done, 'events of webhooks that were set aside were tried again');
  return done;
}

async function readAfter({ db }: StoreDependencies, last: Row | undefined): Promise<Row[]> {
  const { rows } = await db.systemPool.query<Row>(
    `SELECT id, workspace_id AS "workspaceId", channel_id AS "channelId",
            (SELECT c.kind FROM channels c WHERE c.id = channel_id) AS kind, payload->>'event' AS event, payload->>'text' AS raw,
            received_at::text AS "receivedAt"
       FROM platform_events
      WHERE kind = 'set_aside' AND payload ? 'event' AND ($1::timestamptz IS NULL OR (received_at, id) > ($1, $2::uuid))
      ORDER BY received_at, id LIMIT ${AT_ONCE}`,
    [last?.receivedAt ?? null, last?.id ?? null],
  );
  return rows;
}

async function storeAgain(
  { id, workspaceId, channelId, kind, ...kept }: Row,
  dependencies: StoreDependencies,
): Promise<boolean> {
  try {
    const event: InboundEvent = { ...JSON.parse(kept.event), raw: JSON.parse(kept.raw) };
    await storeEvents([{ event, workspaceId, channelId, kind: kind ?? '' }], dependencies);
  } catch (error) {
    if (['away', 'full', 'read_only'].includes(databaseTrouble(error) ?? '')) throw error;
    // What no JSON could hold stays for people to look at; anything else of one event keeps no other from its place.
    if (faultOfEvent(error) === undefined && !(error instanceof SyntaxError))
      dependencies.logger.error(
        { err: error, eventId: id },
        'an event that was set aside could not be stored',
      );
    return false;
  }
  await dependencies.db.systemPool.query('DELETE FROM platform_events WHERE id = $1', [id]);
  return true;
}
