import { newId } from '@app/database/new-id';
import { MAIL_AGAIN_HOURS, NEWS_HOURS } from '@app/domain/notifications/notification-kinds';
import type { FactConsumer, StoredFact } from '../platform/facts/fact-consumer.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { enqueuePushes, type Made } from './push/enqueue-pushes.ts';
import { findListeners, whoLooks, type Listener } from './find-news.ts';
import type { LookingAt } from './news.ts';

/**
 * Tells people that customers wrote: one row for each person and conversation of theirs, and one of everything that nobody has in hand, which
 * counts on until it is read. Whoever looks at a conversation is told nothing of it; who reads it has read of it.
 */
export const tellReplies: FactConsumer = {
  name: 'replies',
  order: 'none',
  atDepthLimit: 'hear',
  types: ['messages.arrived', 'conversation.read'],
  async handle(page, facts, parts) {
    const [first, ...others] = facts;
    if (!first) return;
    // All of them together make one row for each person.
    const scope = page.causedBy(first, ...others);
    const made = await tellOfArrived(scope, facts, whoLooks(scope, parts));
    await enqueuePushes(
      scope,
      parts,
      made.filter(({ is_new: isNew }) => isNew),
    );
    const told = made.map(({ user_id: id }) => id);
    if (told.length > 0) await scope.emit(newsFact(scope, 'notifications.made', told));
    const read = await readWithConversations(scope, facts);
    if (read.length > 0) await scope.emit(newsFact(scope, 'notifications.read', read));
  },
};

const newsFact = (
  { workspaceId }: ReadScope,
  type: 'notifications.made' | 'notifications.read',
  ids: string[],
) => ({ type, subject: workspaceId, values: { userIds: [...new Set(ids)] } });

type Arrived = {
  conversation_id: string;
  assignee_id: string | null;
  team_ids: string[] | null;
  muted_ids: string[];
  messages: number;
};
type MadeReply = Made & { is_new: boolean };
type Bundle = { userId: string; subject: string | null; messages: number; listener: Listener };

async function tellOfArrived(
  scope: WorkspaceScope,
  facts: readonly StoredFact[],
  looking: LookingAt,
): Promise<MadeReply[]> {
  const arrived = await findArrived(scope, facts);
  if (arrived.length === 0) return [];
  const listeners = await findListeners(scope, { kind: 'new_replies', userIds: null });
  const bundles = new Map<string, Bundle>();
  for (const one of arrived)
    for (const listener of listeners) {
      const { userId } = listener;
      if (!concerns(one, userId) || looking(one.conversation_id).includes(userId)) continue;
      const subject = one.assignee_id === null ? null : one.conversation_id;
      const key = `${userId} ${subject ?? ''}`;
      const bundle = bundles.get(key) ?? { userId, subject, messages: 0, listener };
      bundles.set(key, { ...bundle, messages: bundle.messages + one.messages });
    }
  return keep(scope, [...bundles.values()], Math.max(...facts.map(({ id }) => id)));
}

/** Whoever has it; else the people of its team, where it has one, else everybody who could take it. */
function concerns({ assignee_id: assignee, team_ids: team, muted_ids: muted }: Arrived, id: string): boolean {
  if (muted.includes(id)) return false;
  if (assignee !== null) return assignee === id;
  return team === null || team.includes(id);
}

async function findArrived(scope: ReadScope, facts: readonly StoredFact[]): Promise<Arrived[]> {
  const messageIds = facts.flatMap(({ type, values }) =>
    type === 'messages.arrived' && Array.isArray(values.messageIds) ? values.messageIds : [],
  );
  if (messageIds.length === 0) return [];
  const { rows } = await scope.query<Arrived>({
    name: 'replies_find_arrived',
    text: `SELECT c.id AS conversation_id, c.assignee_id, count(*)::int AS messages,
            CASE WHEN c.team_id IS NULL THEN NULL
                 ELSE ARRAY(SELECT x.user_id::text FROM team_members x WHERE x.team_id = c.team_id AND NOT x.is_waiting) END AS team_ids,
            ARRAY(SELECT x.user_id::text FROM conversation_marks x WHERE x.conversation_id = c.id AND x.muted_at IS NOT NULL) AS muted_ids
       FROM messages m JOIN conversations c ON c.contact_id = m.contact_id AND c.channel_id = m.channel_id
       JOIN contacts k ON k.id = m.contact_id AND k.status <> 'blocked'
      WHERE m.workspace_id = $1 AND m.id = ANY ($2::uuid[]) AND m.direction = 'in' AND is_said(m) AND m.is_unread AND m.occurred_at > $3
      GROUP BY c.id ORDER BY c.id`,
    values: [
      scope.workspaceId,
      messageIds,
      new Date(scope.clock().getTime() - NEWS_HOURS * 3_600_000), // what is older is history that was fetched
    ],
  });
  return rows;
}

/** Counts on what the person has not read, else begins anew. Who heard of this fact already hears nothing more. */
async function keep(scope: WorkspaceScope, bundles: readonly Bundle[], factId: number): Promise<MadeReply[]> {
  if (bundles.length === 0) return [];
  const now = scope.clock();
  const { rows } = await scope.query<MadeReply>(
    `INSERT INTO notifications AS n (id, workspace_id, user_id, kind, subject, "values", fact_id, is_listed, is_mailed, is_pushed, created_at)
     SELECT l.id, $1, l.user_id, 'new_replies', l.subject, jsonb_build_object('messages', l.messages, 'isOwn', CASE WHEN l.subject IS NULL THEN 'no' ELSE 'yes' END), $2, l.is_listed, l.is_mailed, l.is_pushed, $3
       FROM unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::int[], $8::boolean[], $9::boolean[], $11::boolean[])
         AS l (id, user_id, subject, messages, is_listed, is_mailed, is_pushed)
      WHERE NOT EXISTS (SELECT FROM notifications o WHERE o.workspace_id = $1 AND o.user_id = l.user_id AND o.kind = 'new_replies'
                           AND o.fact_id >= $2 AND o.subject IS NOT DISTINCT FROM l.subject)
     ON CONFLICT (workspace_id, user_id, subject) WHERE kind = 'new_replies' AND read_at IS NULL DO UPDATE
       SET "values" = excluded."values" || jsonb_build_object('messages',
             (n."values" ->> 'messages')::int + (excluded."values" ->> 'messages')::int),
           fact_id = excluded.fact_id, created_at = excluded.created_at, is_listed = excluded.is_listed, is_mailed = excluded.is_mailed,
           mail_id = CASE WHEN n.mailed_at > $10 THEN n.mail_id END,
           mailed_at = CASE WHEN n.mailed_at > $10 THEN n.mailed_at END
     RETURNING id, user_id, is_pushed, xmax = 0 AS is_new`,
    [
      ...[scope.workspaceId, factId, now, bundles.map(() => newId())],
      ...[bundles.map(({ userId }) => userId), bundles.map(({ subject }) => subject)],
      bundles.map(({ messages }) => messages),
      ...[
        bundles.map(({ listener }) => listener.isListed),
        bundles.map(({ listener }) => listener.isMailed),
        new Date(now.getTime() - MAIL_AGAIN_HOURS * 3_600_000),
        bundles.map(({ listener }) => listener.isPushed),
      ],
    ],
  );
  return rows;
}

/** What one person reads of a conversation is read for all; of what nobody has in hand only who looked has seen it. */
async function readWithConversations(scope: WorkspaceScope, facts: readonly StoredFact[]): Promise<string[]> {
  const read = facts.filter(({ type }) => type === 'conversation.read');
  if (read.length === 0) return [];
  const { rows } = await scope.query<{ user_id: string }>(
    `UPDATE notifications n SET read_at = $4
      WHERE n.workspace_id = $1 AND n.kind = 'new_replies' AND n.read_at IS NULL
        AND (n.subject IS NULL AND n.user_id = ANY ($3::uuid[])
             OR n.subject = ANY ($2::uuid[]) AND NOT EXISTS (SELECT FROM conversations c WHERE c.id = n.subject AND c.unread > 0))
     RETURNING n.user_id`,
    [
      scope.workspaceId,
      read.map(({ subject }) => subject),
      read.flatMap(({ actor }) => (actor.kind === 'person' && actor.id !== null ? [actor.id] : [])),
      scope.clock(),
    ],
  );
  return rows.map(({ user_id: id }) => id);
}
