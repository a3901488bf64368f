import type { conversationView } from '@app/contracts/conversations/conversation-views-contract';
import { advisoryLocks } from '@app/database/advisory-locks';
import { newId } from '@app/database/new-id';
import { personOf } from '@app/domain/auth/caller';
import { isPermitted } from '@app/domain/auth/is-permitted';
import { viewLimits } from '@app/domain/conversations/list/conversation-view';
import type { z } from 'zod';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';

type ConversationView = z.infer<typeof conversationView>;
type Parts = Pick<ConversationView, 'name' | 'query' | 'isShared'>;
type Refused = 'conversation_view_taken' | 'conversation_view_shared' | 'conversation_views_full';

type Row = {
  id: string;
  user_id: string | null;
  name: string;
  query: ConversationView['query'];
  gone: ConversationView['gone'];
  version: number;
};

/** `$2` is the person who asks: what is somebody else's own is not there. */
const VISIBLE = 'v.workspace_id = $1 AND (v.user_id IS NULL OR v.user_id = $2)';
/** Ids are compared as texts, because a view may say `me` in place of one. */
const GONE = `array_remove(ARRAY[
  CASE WHEN v.query->>'assignee' NOT IN ('me', 'nobody') AND NOT EXISTS (SELECT FROM memberships m
    WHERE m.workspace_id = v.workspace_id AND m.user_id::text = lower(v.query->>'assignee')) THEN 'assignee' END,
  CASE WHEN v.query->>'label' IS NOT NULL AND NOT EXISTS (SELECT FROM conversation_labels l
    WHERE l.workspace_id = v.workspace_id AND l.name = v.query->>'label') THEN 'label' END,
  CASE WHEN v.query->>'teamId' IS NOT NULL AND NOT EXISTS (SELECT FROM teams t
    WHERE t.workspace_id = v.workspace_id AND t.id::text = lower(v.query->>'teamId')) THEN 'team' END,
  CASE WHEN v.query->>'channelId' IS NOT NULL AND NOT EXISTS (SELECT FROM channels h
    WHERE h.workspace_id = v.workspace_id AND h.id::text = lower(v.query->>'channelId')) THEN 'channel' END], NULL)`;
const SELECT = `SELECT v.id, v.user_id, v.name, v.query, v.version, ${GONE} AS gone FROM conversation_views v WHERE ${VISIBLE}`;

/** One's own and everybody's; so few that they are no pages. */
export async function listViews(scope: ReadScope): Promise<ConversationView[]> {
  const { rows } = await scope.query<Row>(`${SELECT} ORDER BY lower(v.name), v.id`, [
    scope.workspaceId,
    personOf(scope.caller),
  ]);
  return rows.map(present);
}

export async function addView(scope: WorkspaceScope, parts: Parts): Promise<ConversationView | Refused> {
  const ownerId = ownerOf(scope, parts);
  const refusal = await refuse(scope, parts, null);
  if (refusal) return refusal;
  const id = newId();
  await scope.query(
    `INSERT INTO conversation_views (id, workspace_id, user_id, name, query, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [id, scope.workspaceId, ownerId, parts.name, JSON.stringify(parts.query), scope.clock()],
  );
  if (parts.isShared) await emit(scope, 'created', parts.name);
  return findView(scope, id);
}

export async function changeView(
  scope: WorkspaceScope,
  { viewId, version, ...parts }: Parts & { viewId: string; version: number },
): Promise<ConversationView | Refused | 'conversation_view_not_found' | 'conversation_view_changed'> {
  const before = await lockView(scope, viewId);
  if (typeof before === 'string') return before;
  if (before.version !== version) return 'conversation_view_changed';
  const refusal = await refuse(scope, parts, before);
  if (refusal) return refusal;
  await scope.query(
    `UPDATE conversation_views SET user_id = $3, name = $4, query = $5, version = version + 1, updated_at = $6
      WHERE workspace_id = $1 AND id = $2`,
    [
      scope.workspaceId,
      viewId,
      ownerOf(scope, parts),
      parts.name,
      JSON.stringify(parts.query),
      scope.clock(),
    ],
  );
  const wasShared = before.user_id === null;
  // To colleagues, a view that becomes one's own is gone.
  if (parts.isShared) await emit(scope, wasShared ? 'updated' : 'created', parts.name);
  else if (wasShared) await emit(scope, 'deleted', before.name);
  return findView(scope, viewId);
}

export async function removeView(
  scope: WorkspaceScope,
  viewId: string,
): Promise<'conversation_view_not_found' | 'conversation_view_shared' | null> {
  const before = await lockView(scope, viewId);
  if (typeof before === 'string') return before;
  await scope.query('DELETE FROM conversation_views WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    viewId,
  ]);
  if (before.user_id === null) await emit(scope, 'deleted', before.name);
  return null;
}

/** Views name labels by their words, as conversations do: a label that is renamed takes them along. */
export async function relabelViews(scope: WorkspaceScope, from: string, to: string): Promise<void> {
  await scope.query(
    `UPDATE conversation_views SET query = jsonb_set(query, '{label}', to_jsonb($3::text)), version = version + 1
      WHERE workspace_id = $1 AND query->>'label' = $2`,
    [scope.workspaceId, from, to],
  );
}

async function findView(scope: WorkspaceScope, viewId: string): Promise<ConversationView> {
  const { rows } = await scope.query<Row>(`${SELECT} AND v.id = $3`, [
    scope.workspaceId,
    personOf(scope.caller),
    viewId,
  ]);
  return present(rows[0]!); // written in this transaction
}

/** For whoever changes it: what is everybody's asks for more. */
async function lockView(scope: WorkspaceScope, viewId: string) {
  const { rows } = await scope.query<{ id: string; version: number; user_id: string | null; name: string }>(
    `SELECT v.id, v.version, v.user_id, v.name FROM conversation_views v WHERE ${VISIBLE} AND v.id = $3 FOR UPDATE`,
    [scope.workspaceId, personOf(scope.caller), viewId],
  );
  if (!rows[0]) return 'conversation_view_not_found';
  return rows[0].user_id === null && !mayShare(scope) ? 'conversation_view_shared' : rows[0];
}

/** Names and places among those of one owner, whose changes wait for each other until they are committed. */
async function refuse(
  scope: WorkspaceScope,
  parts: Parts,
  before: { id: string; user_id: string | null } | null,
): Promise<Refused | null> {
  if (parts.isShared && !mayShare(scope)) return 'conversation_view_shared';
  const ownerId = ownerOf(scope, parts);
  await scope.query(
    `SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.conversationViews}))`,
    [`${scope.workspaceId} ${ownerId ?? ''}`],
  );
  const { rows } = await scope.query<{ views: number; taken: boolean }>(
    `SELECT count(*)::int AS views, coalesce(bool_or(lower(name) = lower($3)), false) AS taken
       FROM conversation_views WHERE workspace_id = $1 AND user_id IS NOT DISTINCT FROM $2::uuid AND id IS DISTINCT FROM $4::uuid`,
    [scope.workspaceId, ownerId, parts.name, before?.id ?? null],
  );
  const { views, taken } = rows[0]!; // a count has one row
  if (taken) return 'conversation_view_taken';
  const comesIn = before === null || before.user_id !== ownerId;
  return comesIn && views >= viewLimits.views ? 'conversation_views_full' : null;
}

async function emit(scope: WorkspaceScope, what: 'created' | 'updated' | 'deleted', name: string) {
  await scope.emit({ type: `conversation_view.${what}`, subject: scope.workspaceId, values: { name } });
}

function ownerOf({ caller }: ReadScope, { isShared }: Parts): string | null {
  return isShared ? null : personOf(caller);
}

function mayShare({ caller }: ReadScope): boolean {
  return isPermitted(caller.permissions, 'messages:manage');
}

function present({ user_id: userId, ...row }: Row): ConversationView {
  return { ...row, isShared: userId === null };
}
