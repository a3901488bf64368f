import { eq } from 'drizzle-orm';
import type { SecretBox } from '@app/api/platform/request-context';
import { openFields } from '@app/api/platform/stored-credentials';
import { channels } from '@app/database/channels/channels-tables';
import type { Database } from '@app/database/database';
import { linkFiles, type LibraryFile } from '@app/domain/channel-kinds/library-files';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import type { OpenChannel } from '@app/domain/channels/open-channel';

export type ChannelRegistry = {
  /** The client of a stored channel: one client (and connection pool) for as long as its credentials stay as they are. */
  open(channelId: string): Promise<OpenChannel>;
  /** Drops the client; calls in flight end first. */
  forget(channelId: string): Promise<void>;
  close(): Promise<void>;
};

/** Messages in flight at most: 1,000 per second at 250 ms each, so that latency never caps the rate. */
const CONNECTIONS = 256;

type LinkOf = (file: LibraryFile) => string;
type Kept = { openedWith: string; client: Promise<OpenChannel> };

/** Platforms fetch files of the library, also those that stand in a form of message of one kind: these leave as addresses. */
function withPublicFiles(channel: OpenChannel, linkOf: LinkOf): OpenChannel {
  return {
    ...channel,
    send: (message, signal) => {
      const { content } = message;
      if (content.type === 'media' && 'libraryId' in content.media) {
        const media = { link: linkOf({ id: content.media.libraryId }) };
        return channel.send({ ...message, content: { ...content, media } }, signal);
      }
      if (content.type !== 'kind_content') return channel.send(message, signal);
      const value = linkFiles(content.value, linkOf);
      // A message without files stays the same object: a client that shares it among recipients writes it once.
      if (value === content.value) return channel.send(message, signal);
      return channel.send({ ...message, content: { ...content, value } }, signal);
    },
  };
}

/**
 * Opens platform clients from stored, sealed credentials and keeps them for their connections. The row is read each time: a process that
 * sends no campaigns hears of no change.
 */
export function createChannelRegistry(
  db: Database,
  secrets: SecretBox,
  kinds: ChannelKinds,
  publicFileLink: LinkOf,
): ChannelRegistry {
  const clients = new Map<string, Kept>();

  async function open(channelId: string): Promise<OpenChannel> {
    const [channel] = await db.inSystem((tx) => tx.select().from(channels).where(eq(channels.id, channelId)));
    if (!channel) throw new Error(`There is no channel ${channelId}.`);
    const openedWith = JSON.stringify([channel.kind, channel.credentials]);
    const known = clients.get(channelId);
    if (known?.openedWith === openedWith) return known.client;
    void forget(channelId);
    const kind = kinds.of(channel);
    const client = openFields(kind.credentials, channel.credentials, secrets).then((credentials) =>
      withPublicFiles(kind.open(credentials, { connections: CONNECTIONS }), publicFileLink),
    );
    const kept = { openedWith, client };
    clients.set(channelId, kept);
    client.catch(() => clients.get(channelId) === kept && clients.delete(channelId));
    return client;
  }

  async function forget(channelId: string): Promise<void> {
    const kept = clients.get(channelId);
    clients.delete(channelId);
    await kept?.client.then((opened) => opened.close()).catch(() => undefined); // a client that never opened needs no closing
  }

  return {
    open,
    forget,
    close: async () => {
      await Promise.all([...clients.keys()].map(forget));
    },
  };
}
