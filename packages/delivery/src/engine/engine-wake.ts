import type { SqlClient } from '../sql-client.ts';

export const wakeChannelName = 'delivery_wake';

/** Sent by the database when the connection or the limits of a channel change; carries the channel's id. */
export const channelChangedName = 'delivery_channel';

/** Tells every engine, when this transaction commits, that something changed for a channel. */
export async function wakeEngine(client: SqlClient, channelId: string): Promise<void> {
  await client.query('SELECT pg_notify($1, $2)', [wakeChannelName, channelId]);
}
