import { messageFiles } from '@app/database/message-files/message-files-tables';
import type { FileState } from '@app/domain/message-files/file-state';
import { and, eq } from 'drizzle-orm';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

export type StoredFile = typeof messageFiles.$inferSelect;

export async function findFile(
  { tx, workspaceId }: ReadScope,
  fileId: string,
): Promise<StoredFile | undefined> {
  const [row] = await tx
    .select()
    .from(messageFiles)
    .where(and(eq(messageFiles.workspaceId, workspaceId), eq(messageFiles.id, fileId)));
  return row;
}

/** The same for who may see it: the messages of a deleted contact are put aside, and their files with them. */
export async function findShown(scope: ReadScope, fileId: string): Promise<StoredFile | undefined> {
  const file = await findFile(scope, fileId);
  if (!file || file.messageGoneAt === null) return file;
  const { rowCount } = await scope.query('SELECT FROM messages WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    file.messageId,
  ]);
  return rowCount ? file : undefined;
}

/** Begins a try: from now on it counts. Undefined when it is not to be fetched any more. */
export async function beginFetch(
  scope: WorkspaceScope,
  fileId: string,
  leaseUntil: Date,
): Promise<(StoredFile & { channel: { kind: string; mayWork: boolean } }) | undefined> {
  const { rows } = await scope.query<{
    kind: string | null;
    is_connected: boolean;
    stopped_for: string | null;
  }>(
    `UPDATE message_files f SET state = 'fetching', next_try_at = $3, error_code = NULL
       FROM message_files o LEFT JOIN channels c ON c.id = o.channel_id
      WHERE f.workspace_id = $1 AND f.id = $2 AND o.id = f.id AND f.state IN ('waiting', 'fetching')
      RETURNING c.kind, c.is_connected, c.stopped_for`,
    [scope.workspaceId, fileId, leaseUntil],
  );
  const [channel] = rows;
  if (!channel) return undefined;
  const file = await findFile(scope, fileId);
  const mayWork = channel.kind !== null && channel.is_connected && channel.stopped_for !== 'everything';
  return file && { ...file, channel: { kind: channel.kind ?? '', mayWork } };
}

export type Settled = Partial<Omit<StoredFile, 'id' | 'workspaceId' | 'state'>> & { state: FileState };

/** What came of a try. False when somebody else settled it meanwhile, or it is gone. */
export async function settleFetch(scope: WorkspaceScope, fileId: string, settled: Settled): Promise<boolean> {
  const rows = await scope.tx
    .update(messageFiles)
    .set(settled)
    .where(
      and(
        eq(messageFiles.workspaceId, scope.workspaceId),
        eq(messageFiles.id, fileId),
        eq(messageFiles.state, 'fetching'),
      ),
    )
    .returning({ id: messageFiles.id });
  return rows.length > 0;
}

export type SameBytes = Pick<StoredFile, 'content' | 'thumbnail' | 'mimeType'>;

/** A file of the workspace with these bytes. Its row stays until this transaction ends, so that nobody takes the bytes away meanwhile. */
export async function holdSameBytes(
  scope: WorkspaceScope,
  { fileId, sha256 }: { fileId: string; sha256: string },
): Promise<SameBytes | undefined> {
  const { rows } = await scope.query<SameBytes>(
    `SELECT content, thumbnail, mime_type AS "mimeType" FROM message_files
      WHERE workspace_id = $1 AND sha256 = $2 AND state = 'stored' AND id <> $3 ORDER BY id LIMIT 1 FOR SHARE`,
    [scope.workspaceId, sha256, fileId],
  );
  return rows[0];
}
