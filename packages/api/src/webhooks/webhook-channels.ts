import type pg from 'pg';
import type { SecretBox } from '../platform/request-context.ts';

export type WebhookChannel = {
  channelId: string;
  workspaceId: string;
  phoneNumberId: string;
  businessAccountId: string;
  appSecret: string;
  verifyToken: string;
};

const KEPT_MS = 5_000;
const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Reads a workspace's channels with opened secrets, and keeps them a few seconds: webhooks come by the thousand. */
export function createWebhookChannels(
  pool: pg.Pool,
  { secrets, isLocalOnly }: { secrets: SecretBox; isLocalOnly: boolean },
) {
  const known = new Map<string, { readAt: number; channels: Promise<WebhookChannel[]> }>();

  async function read(slug: string): Promise<WebhookChannel[]> {
    const { rows } = await pool.query(
      `SELECT c.id, c.workspace_id, c.phone_number_id, c.business_account_id, c.app_secret_encrypted, c.verify_token_encrypted
         FROM channels c JOIN workspaces w ON w.id = c.workspace_id
        WHERE w.slug = $1 AND c.kind = 'whatsapp' AND (NOT w.is_sample OR $2) ORDER BY c.id`,
      [slug, isLocalOnly], // everybody knows the sample's secrets
    );
    return Promise.all(
      rows.map(async (row) => ({
        channelId: row.id,
        workspaceId: row.workspace_id,
        phoneNumberId: row.phone_number_id,
        businessAccountId: row.business_account_id,
        appSecret: await secrets.open(row.app_secret_encrypted),
        verifyToken: await secrets.open(row.verify_token_encrypted),
      })),
    );
  }

  return async (slug: string, now: number): Promise<WebhookChannel[]> => {
    if (!SLUG.test(slug)) return [];
    const kept = known.get(slug);
    if (kept && now - kept.readAt < KEPT_MS) return kept.channels;
    const channels = read(slug);
    known.set(slug, { readAt: now, channels });
    channels.catch(() => known.delete(slug));
    const found = await channels;
    if (found.length === 0) known.delete(slug); // strangers may ask for any slug: keep none of those
    return found;
  };
}
