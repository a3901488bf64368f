import type { MessagePriority } from '@app/domain/conversations/message-priority';
import type { SqlClient } from '../sql-client.ts';

export const wakeChannelName = 'delivery_wake';

/** Sent by the database when the connection or the limits of a channel change; carries the channel's id. */
export const channelChangedName = 'delivery_channel';

/** Tells every engine, when this transaction commits, that something changed for a channel. */
export async function wakeEngine(client: SqlClient, channelId: string): Promise<void> {
  await client.query('SELECT pg_notify($1, $2)', [wakeChannelName, channelId]);
}

/** A single message waits to be sent; carries its priority. */
export const messageLeftName = 'delivery_message';

/**
 * Tells every engine that messages wait. After their commit, not within: a notice within a transaction makes commits stand in line. Once for all that
 * a transaction enqueued: each notice has every engine look.
 */
export async function wakeForMessages(client: SqlClient, priority: MessagePriority): Promise<void> {
  await client.query('SELECT pg_notify($1, $2)', [messageLeftName, priority]);
}
