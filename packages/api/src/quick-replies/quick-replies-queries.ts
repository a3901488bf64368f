import type { quickReply } from '@app/contracts/quick-replies/quick-replies-contract';
import { bindTo } from '@app/database/bind-value';
import { containsPattern } from '@app/database/contains-pattern';
import { newId } from '@app/database/new-id';
import { personOf } from '@app/domain/auth/caller';
import { isPermitted } from '@app/domain/auth/is-permitted';
import type { MediaType } from '@app/domain/media/media';
import { quickReplyLimits } from '@app/domain/quick-replies/quick-reply';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import type { z } from 'zod';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

export type QuickReply = z.infer<typeof quickReply>;
type Parts = Pick<
  QuickReply,
  'shortcut' | 'title' | 'text' | 'buttons' | 'folder' | 'language' | 'isShared'
> & {
  mediaId: string | null;
};
type Refused = 'quick_reply_taken' | 'quick_reply_shared' | 'media_not_found';

type Row = {
  id: string;
  owner_id: string | null;
  shortcut: string;
  title: string;
  body: string;
  buttons: string[];
  folder: string | null;
  language: InterfaceLanguage | null;
  used: number;
  version: number;
  created_at: Date;
  updated_at: Date;
  media_id: string | null;
  media_name: string;
  media_type: MediaType;
  media_mime_type: string;
  media_size: string;
  media_at: Date;
};

const COLUMNS = `q.id, q.owner_id, q.shortcut, q.title, q.body, q.buttons, q.folder, q.language, q.used, q.version, q.created_at, q.updated_at,
  q.media_id, f.name AS media_name, f.type AS media_type, f.mime_type AS media_mime_type, f.size AS media_size, f.uploaded_at AS media_at`;
const TABLES = 'quick_replies q LEFT JOIN media f ON f.workspace_id = q.workspace_id AND f.id = q.media_id';
/** `$2` is the person who asks: what is somebody else's own is not there. */
const VISIBLE = 'q.workspace_id = $1 AND (q.owner_id IS NULL OR q.owner_id = $2)';

export async function listQuickReplies(
  scope: ReadScope,
  filter: {
    search?: string | undefined;
    whose?: 'everybody' | 'own' | undefined;
    folder?: string | undefined;
  },
): Promise<QuickReply[]> {
  const values: unknown[] = [scope.workspaceId, personOf(scope.caller)];
  const bind = bindTo(values);
  const conditions = [VISIBLE];
  if (filter.whose) conditions.push(`q.owner_id IS ${filter.whose === 'own' ? 'NOT ' : ''}NULL`);
  if (filter.folder !== undefined) conditions.push(`q.folder = ${bind(filter.folder, 'text')}`);
  const search = filter.search?.trim().replace(/^\//, '').toLowerCase();
  if (search)
    conditions.push(
      `lower(q.shortcut || ' ' || q.title || ' ' || q.body || ' ' || coalesce(q.folder, '')) LIKE ${bind(containsPattern(search), 'text')}`,
    );
  const { rows } = await scope.query<Row>(
    `SELECT ${COLUMNS} FROM ${TABLES} WHERE ${conditions.join(' AND ')} ORDER BY q.used DESC, q.shortcut, q.id LIMIT ${quickReplyLimits.replies * 2}`,
    values,
  );
  return rows.map(present);
}

export async function findQuickReply(scope: ReadScope, quickReplyId: string): Promise<QuickReply | null> {
  const { rows } = await scope.query<Row>(`SELECT ${COLUMNS} FROM ${TABLES} WHERE ${VISIBLE} AND q.id = $3`, [
    scope.workspaceId,
    personOf(scope.caller),
    quickReplyId,
  ]);
  return rows[0] ? present(rows[0]) : null;
}

/** Stores a new quick reply, or says why not. Emits `quick_reply.created`. */
export async function addQuickReply(
  scope: WorkspaceScope,
  parts: Parts,
): Promise<QuickReply | Refused | 'quick_reply_limit'> {
  const { workspaceId } = scope;
  const ownerId = parts.isShared ? null : personOf(scope.caller);
  const refusal = await refuseParts(scope, parts);
  if (refusal) return refusal;
  const { rows } = await scope.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM quick_replies WHERE workspace_id = $1 AND owner_id IS NOT DISTINCT FROM $2::uuid`,
    [workspaceId, ownerId],
  );
  if ((rows[0]?.n ?? 0) >= quickReplyLimits.replies) return 'quick_reply_limit';
  const id = newId();
  const { rowCount } = await scope.query(
    `INSERT INTO quick_replies (id, workspace_id, owner_id, shortcut, title, body, media_id, buttons, folder, language, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) ON CONFLICT DO NOTHING`,
    [id, workspaceId, ownerId, ...valuesOf(parts), scope.clock()],
  );
  if (!rowCount) return 'quick_reply_taken';
  await emitQuickReply(scope, 'created', id, parts);
  return (await findQuickReply(scope, id))!; // written above
}

/** Replaces a quick reply unless it was changed since `version`. Emits `quick_reply.updated`. */
export async function changeQuickReply(
  scope: WorkspaceScope,
  { quickReplyId, version, ...parts }: Parts & { quickReplyId: string; version: number },
): Promise<QuickReply | Refused | 'quick_reply_not_found' | 'quick_reply_changed'> {
  const { workspaceId } = scope;
  const found = await lockQuickReply(scope, quickReplyId);
  if (typeof found === 'string') return found;
  if (found.version !== version) return 'quick_reply_changed';
  const refusal = await refuseParts(scope, parts);
  if (refusal) return refusal;
  const ownerId = parts.isShared ? null : personOf(scope.caller);
  const { rowCount: taken } = await scope.query(
    `SELECT FROM quick_replies WHERE workspace_id = $1 AND owner_id IS NOT DISTINCT FROM $2::uuid AND shortcut = $3 AND id <> $4`,
    [workspaceId, ownerId, parts.shortcut, quickReplyId],
  );
  if (taken) return 'quick_reply_taken';
  await scope.query(
    `UPDATE quick_replies SET owner_id = $3, shortcut = $4, title = $5, body = $6, media_id = $7, buttons = $8, folder = $9,
            language = $10, version = version + 1, updated_at = $11 WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, quickReplyId, ownerId, ...valuesOf(parts), scope.clock()],
  );
  await emitQuickReply(scope, 'updated', quickReplyId, parts);
  return (await findQuickReply(scope, quickReplyId))!; // its row is locked
}

/** Deletes a quick reply; null when it is gone. Emits `quick_reply.deleted`. */
export async function removeQuickReply(
  scope: WorkspaceScope,
  quickReplyId: string,
): Promise<'quick_reply_not_found' | 'quick_reply_shared' | null> {
  const found = await lockQuickReply(scope, quickReplyId);
  if (typeof found === 'string') return found;
  await scope.query('DELETE FROM quick_replies WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    quickReplyId,
  ]);
  const { shortcut, owner_id: ownerId } = found;
  await emitQuickReply(scope, 'deleted', quickReplyId, { shortcut, isShared: ownerId === null });
  return null;
}

export async function countQuickReplyUse(scope: WorkspaceScope, quickReplyId: string): Promise<boolean> {
  const { rowCount } = await scope.query(
    `UPDATE quick_replies q SET used = least(q.used + 1, 1000000000) WHERE ${VISIBLE} AND q.id = $3`,
    [scope.workspaceId, personOf(scope.caller), quickReplyId],
  );
  return rowCount !== 0;
}

async function emitQuickReply(
  scope: WorkspaceScope,
  what: 'created' | 'updated' | 'deleted',
  quickReplyId: string,
  { shortcut: name, isShared }: Pick<Parts, 'shortcut' | 'isShared'>,
): Promise<void> {
  await scope.emit({ type: `quick_reply.${what}`, subject: quickReplyId, values: { name, isShared } });
}

/** Locks it for a change. A shared quick reply needs a permission of its own. */
async function lockQuickReply(scope: WorkspaceScope, quickReplyId: string) {
  const { rows } = await scope.query<{ version: number; owner_id: string | null; shortcut: string }>(
    `SELECT q.version, q.owner_id, q.shortcut FROM quick_replies q WHERE ${VISIBLE} AND q.id = $3 FOR UPDATE`,
    [scope.workspaceId, personOf(scope.caller), quickReplyId],
  );
  if (!rows[0]) return 'quick_reply_not_found';
  return rows[0].owner_id === null && !mayShare(scope) ? 'quick_reply_shared' : rows[0];
}

async function refuseParts(scope: WorkspaceScope, { isShared, mediaId }: Parts): Promise<Refused | null> {
  if (isShared && !mayShare(scope)) return 'quick_reply_shared';
  if (mediaId === null) return null;
  const { rowCount } = await scope.query(
    'SELECT FROM media WHERE workspace_id = $1 AND id = $2 FOR KEY SHARE',
    [scope.workspaceId, mediaId],
  );
  return rowCount ? null : 'media_not_found';
}

function mayShare({ caller }: ReadScope): boolean {
  return isPermitted(caller.permissions, 'messages:manage');
}

function valuesOf({ shortcut, title, text, mediaId, buttons, folder, language }: Parts): unknown[] {
  return [shortcut, title, text, mediaId, buttons, folder, language];
}

function present(row: Row): QuickReply {
  return {
    id: row.id,
    shortcut: row.shortcut,
    title: row.title,
    text: row.body,
    media:
      row.media_id === null
        ? null
        : {
            id: row.media_id,
            name: row.media_name,
            type: row.media_type,
            mimeType: row.media_mime_type,
            size: Number(row.media_size),
            url: `/api/media/${row.media_id}/content`,
            uploadedAt: row.media_at.toISOString(),
          },
    buttons: row.buttons,
    folder: row.folder,
    language: row.language,
    isShared: row.owner_id === null,
    used: row.used,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  };
}
