import type pg from 'pg';
import type { StoredCredentials } from '@app/database/channels/channels-tables';
import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { ChannelKind } from '@app/domain/channels/channel-kind';
import type { SecretBox } from '../platform/request-context.ts';
import { openFields } from '../platform/stored-credentials.ts';

export type WebhookChannel = {
  channelId: string;
  workspaceId: string;
  /** What the platform calls it. */
  address: string;
  credentials: Credentials;
};

type Row = { id: string; workspace_id: string; address: string; credentials: StoredCredentials };

const KEPT_MS = 5_000;
const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

/**
 * Reads a workspace's channels of one kind with opened secrets, and keeps them a few seconds: webhooks come by the thousand. Whoever
 * takes only what is newer says so.
 */
export function createWebhookChannels(
  pool: pg.Pool,
  { secrets, isLocalOnly }: { secrets: SecretBox; isLocalOnly: boolean },
) {
  const known = new Map<string, { readAt: number; channels: Promise<WebhookChannel[]> }>();

  async function read(kind: ChannelKind, slug: string): Promise<WebhookChannel[]> {
    const { rows } = await pool.query<Row>(
      `SELECT c.id, c.workspace_id, c.address, c.credentials
         FROM channels c JOIN workspaces w ON w.id = c.workspace_id
        WHERE w.slug = $1 AND c.kind = $2 AND (NOT w.is_sample OR $3) ORDER BY c.id`,
      [slug, kind.name, isLocalOnly], // everybody knows the sample's secrets
    );
    return Promise.all(
      rows.map(async ({ id, workspace_id: workspaceId, address, credentials }) => ({
        ...{ channelId: id, workspaceId, address },
        credentials: await openFields(kind.credentials, credentials, secrets),
      })),
    );
  }

  return async (
    kind: ChannelKind,
    slug: string,
    now: number,
    { keptMs = KEPT_MS } = {},
  ): Promise<WebhookChannel[]> => {
    if (!SLUG.test(slug)) return [];
    const key = `${kind.name}/${slug}`;
    const kept = known.get(key);
    if (kept && now - kept.readAt < keptMs) return kept.channels;
    const channels = read(kind, slug);
    known.set(key, { readAt: now, channels });
    channels.catch(() => known.delete(key));
    const found = await channels;
    if (found.length === 0) known.delete(key); // strangers may ask for any slug: keep none of those
    return found;
  };
}
