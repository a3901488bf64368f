import type { SqlQueries } from '../sql-queries.ts';

/** A file of a message that arrived; the platform has its bytes. */
export type ArrivingFile = {
  id: string;
  workspaceId: string;
  messageId: string;
  contactId: string | null;
  channelId: string;
  kind: string;
  mimeType: string | null;
  name: string | null;
  voice: boolean;
  animated: boolean;
  platformId: string;
  platformExpiresAt: Date | null;
  /** Whoever looks for what was forgotten leaves it alone until then. */
  nextTryAt: Date;
};

/** Leaves the files of messages that were stored in this transaction to be fetched. */
export async function insertArrivingFiles(client: SqlQueries, files: readonly ArrivingFile[]): Promise<void> {
  if (files.length === 0) return;
  await client.query({
    name: 'message_files_insert_arriving',
    text: `INSERT INTO message_files (id, workspace_id, message_id, contact_id, channel_id, kind, mime_type, name, voice, animated, platform_id,
                platform_expires_at, next_try_at)
           SELECT id, "workspaceId", "messageId", "contactId", "channelId", kind, "mimeType", name, voice, animated, "platformId", "platformExpiresAt", "nextTryAt"
             FROM jsonb_to_recordset($1::jsonb) AS f (id uuid, "workspaceId" uuid, "messageId" uuid, "contactId" uuid, "channelId" uuid, kind text,
                    "mimeType" text, name text, voice boolean, animated boolean, "platformId" text, "platformExpiresAt" timestamptz, "nextTryAt" timestamptz)`,
    values: [JSON.stringify(files)],
  });
}
