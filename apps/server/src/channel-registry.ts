import { eq } from 'drizzle-orm';
import type { SecretBox } from '@app/api/platform/request-context';
import { openCredentials } from '@app/api/platform/stored-credentials';
import { channels } from '@app/database/channels/channels-tables';
import type { Database } from '@app/database/database';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import type { OpenChannel } from '@app/domain/channels/open-channel';

export type ChannelRegistry = {
  /** The client of a stored channel; one client (and connection pool) per channel until `forget`. */
  open(channelId: string): Promise<OpenChannel>;
  /** Drops the client after its credentials changed; calls in flight end first. */
  forget(channelId: string): Promise<void>;
  close(): Promise<void>;
};

/** Messages in flight at most: 1,000 per second at 250 ms each, so that latency never caps the rate. */
const CONNECTIONS = 256;

/** Opens platform clients from stored, sealed credentials and keeps them for their connections. */
export function createChannelRegistry(
  db: Database,
  secrets: SecretBox,
  kinds: ChannelKinds,
): ChannelRegistry {
  const clients = new Map<string, Promise<OpenChannel>>();

  async function openStored(channelId: string): Promise<OpenChannel> {
    const [channel] = await db.inSystem((tx) => tx.select().from(channels).where(eq(channels.id, channelId)));
    if (!channel) throw new Error(`There is no channel ${channelId}.`);
    const kind = kinds.of(channel);
    const credentials = await openCredentials(kind.credentials, channel.credentials, secrets);
    return kind.open(credentials, { connections: CONNECTIONS });
  }

  async function forget(channelId: string): Promise<void> {
    const client = clients.get(channelId);
    clients.delete(channelId);
    await client?.then((opened) => opened.close()).catch(() => undefined); // a client that never opened needs no closing
  }

  return {
    open(channelId) {
      const known = clients.get(channelId);
      if (known) return known;
      const opening = openStored(channelId);
      clients.set(channelId, opening);
      opening.catch(() => clients.delete(channelId));
      return opening;
    },
    forget,
    close: async () => {
      await Promise.all([...clients.keys()].map(forget));
    },
  };
}
