import type { rcsMessage } from '@app/contracts/rcs/rcs-contract';
import { bindTo } from '@app/database/bind-value';
import { containsPattern } from '@app/database/contains-pattern';
import { newId } from '@app/database/new-id';
import { isCardFile } from '@app/domain/channel-kinds/rcs/rcs-contents';
import type { ContentFault } from '@app/domain/channel-kinds/content-type';
import { describeFiles, fileIdsIn, type LibraryFile } from '@app/domain/channel-kinds/library-files';
import {
  lineOfRcsMessage,
  rcsContentOf,
  rcsMessageLimits,
  readRcsLanguages,
  type RcsMessageCategory,
  type RcsMessageContent,
  type RcsMessageStatus,
  type RcsMessageType,
} from '@app/domain/rcs/rcs-message';
import type { z } from 'zod';
import { cutPage, readTimeCursor, timeKey } from '../platform/keyset.ts';
import { pauseCampaignsOf } from '../sending/channel-contents.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { readMessageMetrics } from './rcs-message-metrics.ts';

export type RcsMessage = z.infer<typeof rcsMessage>;
type Parts = Pick<RcsMessage, 'name' | 'type' | 'content' | 'language' | 'status' | 'category'> & {
  translations: Partial<RcsMessage['translations']>;
};

/** Why nothing was stored. */
export type Unsaved = Invalid | { outcome: 'rcs_message_taken' };
export type Invalid = { outcome: 'rcs_message_invalid'; faults: readonly ContentFault[] };

type Row = {
  id: string;
  name: string;
  type: RcsMessageType;
  content: Record<string, unknown>;
  language: string;
  translations: Record<string, Record<string, unknown>>;
  status: RcsMessageStatus;
  category: RcsMessageCategory;
  version: number;
  created_at: Date;
  updated_at: Date;
};

const COLUMNS =
  'm.id, m.name, m.type, m.content, m.language, m.translations, m.status, m.category, m.version, m.created_at, m.updated_at';

type Filter = {
  search?: string | undefined;
  status?: RcsMessageStatus | undefined;
  type?: RcsMessageType | undefined;
};

export async function listRcsMessages(
  scope: ReadScope,
  { limit, cursor, ...filter }: Filter & { limit: number; cursor?: string | undefined },
) {
  const { query, workspaceId } = scope;
  const values: unknown[] = [workspaceId];
  const bind = bindTo(values);
  const conditions = ['m.workspace_id = $1'];
  if (filter.status) conditions.push(`m.status = ${bind(filter.status, 'text')}`);
  if (filter.type) conditions.push(`m.type = ${bind(filter.type, 'text')}`);
  const search = filter.search?.trim().toLowerCase();
  if (search) conditions.push(`lower(m.name || ' ' || m.line) LIKE ${bind(containsPattern(search), 'text')}`);
  const found = conditions.join(' AND ');
  const { rows: counted } = await query<{ n: number }>(
    `SELECT count(*)::int AS n FROM rcs_messages m WHERE ${found}`,
    [...values],
  );
  const after = readTimeCursor(cursor);
  const place = after
    ? ` AND (m.created_at, m.id) < (${bind(after.key, 'timestamptz')}, ${bind(after.id, 'uuid')})`
    : '';
  const { rows } = await query<Row & { key: string }>(
    `SELECT ${COLUMNS}, ${timeKey('m.created_at')} AS key FROM rcs_messages m WHERE ${found}${place}
      ORDER BY m.created_at DESC, m.id DESC LIMIT ${limit + 1}`,
    values,
  );
  const page = cutPage(rows, limit, ({ key, id }) => ({ key, id }));
  return { ...page, items: await present(scope, page.items), total: counted[0]?.n ?? 0 };
}

export async function findRcsMessage(scope: ReadScope, id: string): Promise<RcsMessage | null> {
  const { rows } = await scope.query<Row>(
    `SELECT ${COLUMNS} FROM rcs_messages m WHERE m.workspace_id = $1 AND m.id = $2`,
    [scope.workspaceId, id],
  );
  const [message] = await present(scope, rows);
  return message ?? null;
}

/** Stores a new message, or says why not. Emits `rcs_message.created`. */
export async function addRcsMessage(
  scope: WorkspaceScope,
  parts: Parts,
): Promise<RcsMessage | Unsaved | { outcome: 'rcs_message_limit' }> {
  const { workspaceId, clock } = scope;
  const read = await readParts(scope, parts);
  if ('outcome' in read) return read;
  const { rows } = await scope.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM rcs_messages WHERE workspace_id = $1',
    [workspaceId],
  );
  if ((rows[0]?.n ?? 0) >= rcsMessageLimits.messages) return { outcome: 'rcs_message_limit' };
  const id = newId();
  const { rowCount } = await scope.query(
    `INSERT INTO rcs_messages (id, workspace_id, name, type, content, line, status, category, sends, language, translations, sends_in,
                               media_ids, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14) ON CONFLICT DO NOTHING`,
    [id, workspaceId, ...valuesOf(parts, read), clock()],
  );
  if (!rowCount) return { outcome: 'rcs_message_taken' };
  await scope.emit({ type: 'rcs_message.created', subject: id, values: { name: parts.name } });
  return (await findRcsMessage(scope, id))!; // written above
}

/** Replaces a message unless it was changed since `version`. Emits `rcs_message.updated`. */
export async function changeRcsMessage(
  scope: WorkspaceScope,
  { rcsMessageId: id, version, ...parts }: Parts & { rcsMessageId: string; version: number },
): Promise<RcsMessage | Unsaved | { outcome: 'rcs_message_not_found' | 'rcs_message_changed' }> {
  const { workspaceId, clock } = scope;
  const { rows } = await scope.query<{ version: number }>(
    'SELECT version FROM rcs_messages WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
    [workspaceId, id],
  );
  if (!rows[0]) return { outcome: 'rcs_message_not_found' };
  if (rows[0].version !== version) return { outcome: 'rcs_message_changed' };
  const read = await readParts(scope, parts);
  if ('outcome' in read) return read;
  const { rowCount: taken } = await scope.query(
    'SELECT FROM rcs_messages WHERE workspace_id = $1 AND lower(name) = lower($2) AND id <> $3',
    [workspaceId, parts.name, id],
  );
  if (taken) return { outcome: 'rcs_message_taken' };
  await scope.query(
    `UPDATE rcs_messages SET name = $3, type = $4, content = $5, line = $6, status = $7, category = $8, sends = $9,
            language = $10, translations = $11, sends_in = $12, media_ids = $13, version = version + 1, updated_at = $14 WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id, ...valuesOf(parts, read), clock()],
  );
  if (parts.status !== 'active') await pauseCampaignsOf(scope, id);
  await scope.emit({ type: 'rcs_message.updated', subject: id, values: { name: parts.name } });
  return (await findRcsMessage(scope, id))!; // its row is locked
}

/** False where there is none. Emits `rcs_message.deleted`. */
export async function removeRcsMessage(scope: WorkspaceScope, id: string): Promise<boolean> {
  const { rows } = await scope.query<{ name: string }>(
    'DELETE FROM rcs_messages WHERE workspace_id = $1 AND id = $2 RETURNING name',
    [scope.workspaceId, id],
  );
  if (!rows[0]) return false;
  await pauseCampaignsOf(scope, id);
  await scope.emit({ type: 'rcs_message.deleted', subject: id, values: { name: rows[0].name } });
  return true;
}

type ReadParts = {
  content: object;
  translations: object;
  line: string;
  /** As it leaves; null while a part of any language is wrong. */
  sends: object | null;
  sendsIn: object;
  mediaIds: string[];
};

/** A draft is stored as far as it is written; everything else has to be complete, in each of its languages. */
async function readParts(
  scope: WorkspaceScope,
  { type, content: given, language, translations, status }: Parts,
): Promise<ReadParts | Invalid> {
  const read = readRcsLanguages(type, { language, content: given, translations });
  const files = await lockFiles(scope, fileIdsIn([read.content, read.others]));
  const faults = [...read.faults, ...findMissingFiles(read, files)];
  if (status !== 'draft' && faults.length > 0) return { outcome: 'rcs_message_invalid', faults };
  const describe = (value: object) => describeFiles({ ...value }, (id) => files.get(id));
  // The type of a file decides in which form the message leaves.
  const sent = ({ type: form, value }: RcsMessageContent) =>
    rcsContentOf({ type: form, value: describe(value) } as RcsMessageContent);
  const others = Object.entries(read.others);
  return {
    content: describe(read.content.value),
    translations: Object.fromEntries(others.map(([code, { value }]) => [code, describe(value)])),
    line: lineOfRcsMessage(read.content),
    sends: faults.length > 0 ? null : sent(read.content),
    sendsIn: faults.length > 0 ? {} : Object.fromEntries(others.map(([code, one]) => [code, sent(one)])),
    mediaIds: [...files.keys()],
  };
}

/** The files of the library that a message shows; none of them is deleted while the message is saved. */
async function lockFiles(scope: WorkspaceScope, ids: string[]): Promise<Map<string, LibraryFile>> {
  if (ids.length === 0) return new Map();
  const { rows } = await scope.query<{ id: string; name: string; mime_type: string; size: string }>(
    'SELECT id, name, mime_type, size FROM media WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE',
    [scope.workspaceId, ids],
  );
  return new Map(
    rows.map(({ id, name, mime_type: mimeType, size }) => [id, { id, name, mimeType, size: Number(size) }]),
  );
}

/** Files that are not in the library, or that no card shows, each at its place. */
function findMissingFiles(
  { content, others }: ReturnType<typeof readRcsLanguages>,
  files: ReadonlyMap<string, LibraryFile>,
): ContentFault[] {
  const find = (part: unknown, path: string): ContentFault[] => {
    if (typeof part !== 'object' || part === null) return [];
    if (path.endsWith('.file') && 'id' in part) {
      const file = files.get(String(part.id));
      return file && isCardFile(file) ? [] : [{ path, problem: 'not_known' }];
    }
    return Object.entries(part).flatMap(([key, inner]) => find(inner, path === '' ? key : `${path}.${key}`));
  };
  const inOthers = Object.entries(others).flatMap(([code, { value }]) => find(value, `translations.${code}`));
  return [...find(content.value, ''), ...inOthers];
}

function valuesOf({ name, type, status, category, language }: Parts, read: ReadParts): unknown[] {
  const { content, translations, line, sends, sendsIn, mediaIds } = read;
  return [
    ...[name, type, JSON.stringify(content), line, status, category, sends && JSON.stringify(sends)],
    ...[language, JSON.stringify(translations), JSON.stringify(sendsIn), mediaIds],
  ];
}

async function present(scope: ReadScope, rows: readonly Row[]): Promise<RcsMessage[]> {
  const metricsOf = await readMessageMetrics(
    scope,
    rows.map(({ id }) => id),
  );
  return rows.map(({ created_at: createdAt, updated_at: updatedAt, ...row }) => {
    const { id, name, type, content, language, translations, status, category, version } = row;
    return {
      ...{ id, name, type, content, language, translations, status, category, version },
      ...{ metrics: metricsOf(id), createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() },
    };
  });
}
