import { recountConversations } from '@app/database/conversations/note-messages';
import { chargeOfMessage, returnCharges } from '@app/delivery/pace/budget';
import { giveBackDailyAllowance } from '@app/delivery/pace/daily-allowance';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';

/**
 * Messages that belong together: those of a `source` and of what is below it (`flow/a` names those of `flow/a/run-1`, too), or those whose key
 * begins with `keyPrefix`.
 */
export type OpenMessages = { source: string } | { keyPrefix: string };

const AT_ONCE = 500;

/**
 * How many of these messages have not come to an end: scheduled, queued or being sent. One index read. A flow that has 500 of them leaves its other
 * runs due.
 */
export async function countOpenMessages(scope: ReadScope, which: OpenMessages): Promise<number> {
  const { rows } = await scope.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM messages m
      WHERE m.workspace_id = $1 AND m.state IN ('scheduled', 'queued', 'sending') AND ${conditionOf(which)}`,
    [scope.workspaceId, wordOf(which)],
  );
  return rows[0]?.count ?? 0;
}

/**
 * Cancels those of these messages that have not left, in the caller's transaction, and answers with how many these were. What is being sent at this
 * moment goes on: `sending` is committed before the call. A second call finds nothing. Contacts are locked first, in the order of their ids.
 */
export async function withdrawMessages(scope: WorkspaceScope, which: OpenMessages): Promise<number> {
  let withdrawn = 0;
  for (;;) {
    const ids = await cancelSome(scope, which);
    withdrawn += ids.length;
    if (ids.length === 0) return withdrawn;
  }
}

async function cancelSome(scope: WorkspaceScope, which: OpenMessages): Promise<string[]> {
  const { workspaceId } = scope;
  const { rows: found } = await scope.query<{ id: string; contact_id: string }>(
    `SELECT m.id, m.contact_id FROM messages m
      WHERE m.workspace_id = $1 AND m.state IN ('scheduled', 'queued') AND ${conditionOf(which)} LIMIT ${AT_ONCE}`,
    [workspaceId, wordOf(which)],
  );
  if (found.length === 0) return [];
  const contactIds = [...new Set(found.map(({ contact_id: id }) => id))];
  await scope.query('SELECT FROM contacts WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE', [
    contactIds,
  ]);
  return cancelMessages(
    scope,
    found.map(({ id }) => id),
  );
}

/** Cancels messages whose contacts are locked, as far as they have not left, and says so. Answers with those that were cancelled. */
export async function cancelMessages(
  scope: WorkspaceScope,
  messageIds: readonly string[],
): Promise<string[]> {
  const { workspaceId } = scope;
  const { rows } = await scope.query<Cancelled>(
    `WITH open AS (
       SELECT id, allowance_day FROM messages WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND state IN ('scheduled', 'queued')
        ORDER BY id FOR UPDATE)
     UPDATE messages m SET state = 'cancelled', error_code = 'withdrawn', failed_at = $3, owner = NULL, lease_until = NULL, allowance_day = NULL
       FROM open LEFT JOIN LATERAL (SELECT c.id FROM messages o JOIN conversations c ON c.contact_id = o.contact_id AND c.channel_id = o.channel_id
                                     WHERE o.id = open.id) c ON true
      WHERE m.id = open.id
      RETURNING m.id, m.channel_id AS "channelId", m.contact_id AS "contactId", c.id AS "conversationId", m.attempt, open.allowance_day::text AS day`,
    [workspaceId, messageIds, scope.clock()],
  );
  if (rows.length === 0) return [];
  for (const { day, channelId } of rows)
    if (day !== null) await giveBackDailyAllowance(scope, { workspaceId, channelId }, day);
  // They may have been claimed for their next try, and have not left.
  await returnCharges(
    scope,
    workspaceId,
    rows.map(({ id, attempt }) => chargeOfMessage(id, attempt + 1)),
  );
  const contactIds = [...new Set(rows.flatMap(({ contactId }) => contactId ?? []))];
  await recountConversations(scope, workspaceId, contactIds);
  const [only, ...others] = rows;
  await scope.emit(
    only && others.length === 0
      ? {
          type: 'message.withdrawn',
          subject: only.id,
          values: { conversationId: only.conversationId, contactIds },
        }
      : {
          type: 'messages.withdrawn',
          subject: null,
          values: {
            messageIds: rows.map(({ id }) => id),
            contactIds,
            conversationIds: [...new Set(rows.flatMap(({ conversationId }) => conversationId ?? []))],
          },
        },
  );
  return rows.map(({ id }) => id);
}

type Cancelled = {
  id: string;
  channelId: string;
  contactId: string | null;
  conversationId: string | null;
  attempt: number;
  day: string | null;
};

/** `$2` is the word. A source is compared by bytes, so that what is below it is one range of the index: `0` follows `/`. */
function conditionOf(which: OpenMessages): string {
  return 'source' in which
    ? `m.source IS NOT NULL AND (m.source = $2 OR (m.source >= $2 || '/' AND m.source < $2 || '0'))`
    : `m.send_key IS NOT NULL AND starts_with(m.send_key, $2)`;
}

function wordOf(which: OpenMessages): string {
  return 'source' in which ? which.source : which.keyPrefix;
}
