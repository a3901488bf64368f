import type { SqlQueries } from '../sql-queries.ts';

/** An upload that was not sent yet. */
export type UploadedFile = { id: string; kind: string; mimeType: string; name: string | null };

/**
 * The uploads of a person that may be sent, locked in the order of their ids; those that went with a message already are told apart from those
 * that are not there.
 */
export async function lockUploads(
  client: SqlQueries,
  { workspaceId, userId, ids }: { workspaceId: string; userId: string | null; ids: readonly string[] },
): Promise<(UploadedFile & { isSent: boolean })[]> {
  const { rows } = await client.query<UploadedFile & { isSent: boolean }>(
    `SELECT id, kind, mime_type AS "mimeType", name, message_id IS NOT NULL AS "isSent" FROM message_files
      WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND user_id IS NOT DISTINCT FROM $3 AND state = 'stored'
      ORDER BY id FOR UPDATE`,
    [workspaceId, ids, userId],
  );
  return rows;
}

/** Stored files of the workspace that may be copied, whether they were sent or not; none of them goes before the transaction ends. */
export async function lockFiles(
  client: SqlQueries,
  { workspaceId, ids }: { workspaceId: string; ids: readonly string[] },
): Promise<(UploadedFile & { isSent: boolean })[]> {
  const { rows } = await client.query<UploadedFile & { isSent: boolean }>(
    `SELECT id, kind, mime_type AS "mimeType", name, message_id IS NOT NULL AS "isSent" FROM message_files
      WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND state = 'stored' ORDER BY id FOR SHARE`,
    [workspaceId, ids],
  );
  return rows;
}

type OfMessage = { workspaceId: string; messageId: string; contactId: string; channelId: string };

/** From now on the upload belongs to its message. */
export async function attachFile(
  client: SqlQueries,
  { workspaceId, messageId, contactId, channelId }: OfMessage,
  { id, voice }: { id: string; voice: boolean },
): Promise<void> {
  await client.query(
    `UPDATE message_files SET message_id = $3, contact_id = $4, channel_id = $5, voice = $6 WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id, messageId, contactId, channelId, voice],
  );
}

/** A copy for another message; the bytes are shared. Undefined when the file is gone. */
export async function copyFile(
  client: SqlQueries,
  { workspaceId, messageId, contactId, channelId }: OfMessage,
  { id, newId }: { id: string; newId: string },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO message_files (id, workspace_id, message_id, contact_id, user_id, channel_id, kind, mime_type, name, size, sha256, voice, animated,
       state, width, height, duration_ms, waveform, content, thumbnail, stored_at)
     SELECT $3, workspace_id, $4, $5, user_id, $6, kind, mime_type, name, size, sha256, voice, animated, state, width, height, duration_ms, waveform,
            content, thumbnail, stored_at
       FROM message_files WHERE workspace_id = $1 AND id = $2 AND state = 'stored'`,
    [workspaceId, id, newId, messageId, contactId, channelId],
  );
  return rowCount === 1;
}

/** What the sender needs to know of a file of ours. */
export type FileToSend = {
  mimeType: string;
  name: string | null;
  kind: string;
  /** Where its bytes stand. */
  content: string;
  size: number;
  /** Under what the platform of its number has it; null when it does not, or for too short a time. */
  platformId: string | null;
};

export async function findFileToSend(client: SqlQueries, fileId: string): Promise<FileToSend | undefined> {
  const { rows } = await client.query<FileToSend>(
    `SELECT mime_type AS "mimeType", name, kind, content, size::float8 AS size,
            CASE WHEN platform_expires_at > now() + interval '1 hour' THEN platform_id END AS "platformId"
       FROM message_files WHERE id = $1 AND state = 'stored'`,
    [fileId],
  );
  return rows[0];
}

/** The platform of its number has the file for so many days. */
export async function noteAtPlatform(
  client: SqlQueries,
  { fileId, platformId, days }: { fileId: string; platformId: string; days: number },
): Promise<void> {
  await client.query(
    'UPDATE message_files SET platform_id = $2, platform_expires_at = now() + make_interval(days => $3) WHERE id = $1',
    [fileId, platformId, days],
  );
}
