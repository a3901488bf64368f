import type pg from 'pg';
import { writeArray } from '@app/delivery/sql-array';
import { newId } from '@app/database/new-id';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import { storableText } from '@app/domain/text/storable-text';
import { storableJson, storablePayload } from './storable.ts';

export type StoredEvent = {
  event: InboundEvent;
  workspaceId: string;
  channelId: string | null;
  /** Of the channel through which it came. */
  kind: string;
};

/** Keeps events in the platform's own words; answers with those that were not there yet. */
export async function keepEvents(
  client: pg.PoolClient,
  events: readonly StoredEvent[],
  now: number,
): Promise<StoredEvent[]> {
  if (events.length === 0) return [];
  const byId = new Map(events.map((stored) => [newId(), stored]));
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO platform_events (id, workspace_id, channel_id, kind, dedup_key, payload, occurred_at)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::jsonb[], $7::timestamptz[])
     ON CONFLICT (workspace_id, dedup_key) DO NOTHING RETURNING id`,
    [
      writeArray([...byId.keys()]),
      writeArray(events.map(({ workspaceId }) => workspaceId)),
      writeArray(events.map(({ channelId }) => channelId)),
      writeArray(events.map(({ event }) => event.type)),
      writeArray(events.map(({ event }) => storableText(event.dedupKey))),
      writeArray(events.map(({ event }) => storablePayload(event))),
      writeArray(events.map(({ event }) => new Date(event.occurredAt || now).toISOString())),
    ],
  );
  return rows.flatMap(({ id }) => byId.get(id) ?? []);
}

type Kept = {
  workspaceId: string;
  channelId: string | null;
  kind: string;
  dedupKey: string;
  payload: object;
  at: Date;
};

/** Keeps one event under a kind of its own. */
export async function keepEvent(pool: pg.Pool, kept: Kept): Promise<void> {
  await pool.query(
    `INSERT INTO platform_events (id, workspace_id, channel_id, kind, dedup_key, payload, occurred_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (workspace_id, dedup_key) DO NOTHING`,
    [
      ...[newId(), kept.workspaceId, kept.channelId, kept.kind, storableText(kept.dedupKey)],
      ...[storableJson(kept.payload), kept.at],
    ],
  );
}
