import { eachApart } from '@app/database/each-apart';
import { recountConversations } from '@app/database/conversations/note-messages';
import { LATEST_RELEASE_MS } from '@app/domain/conversations/scheduling';
import { priorityRank } from '@app/domain/conversations/message-priority';
import type { SqlClient } from '../sql-client.ts';
import { validateMessage, readMessage } from './claim-message.ts';
import { showInLists } from './enqueue-message.ts';
import type { OnFault } from './give-up-messages.ts';
import type { Transact } from './send-claimed.ts';
import { emitMessage, type EmitFact } from './emit-message.ts';

const AT_ONCE = 100;

type Waiting = { id: string; workspace_id: string };

/**
 * Leaves the messages whose time has come, each in a transaction of its own: whoever locks one first does it. Guarded as of now: what may not leave
 * any more is told to have failed. One that cannot be left now, because somebody keeps its contact or because of a fault, holds up no other: it is tried
 * again the next time. True when there may be more of them.
 */
export async function releaseScheduled(
  client: SqlClient,
  transact: Transact,
  { now, onFault }: { now: number; onFault: OnFault },
): Promise<boolean> {
  const { rows } = await client.query<Waiting>(
    `SELECT id, workspace_id FROM messages WHERE state = 'scheduled' AND send_at <= to_timestamp($1::double precision / 1000)
      ORDER BY send_at, id LIMIT ${AT_ONCE}`,
    [now],
  );
  let left = 0;
  const release = ({ id, workspace_id: workspaceId }: Waiting) =>
    transact(workspaceId, (inside, emit) => releaseMessage(inside, { id, now, isDue: true }, emit)).then(
      (isReleased) => isReleased && (left += 1),
    );
  await eachApart(rows, release, onFault);
  return rows.length === AT_ONCE && left > 0;
}

/** Leaves one message that waits, in the transaction that is open; false when it does not wait any more, or not so far. */
export async function releaseMessage(
  client: SqlClient,
  { id, now, isDue }: { id: string; now: number; isDue: boolean },
  emit: EmitFact,
): Promise<boolean> {
  // Contacts, then messages, then conversations, as everybody locks them.
  const { rowCount: held } = await client.query(
    `SELECT FROM contacts WHERE id = (SELECT contact_id FROM messages WHERE id = $1) ${isDue ? 'FOR NO KEY UPDATE SKIP LOCKED' : 'FOR NO KEY UPDATE'}`,
    [id],
  );
  if (held === 0) return false;
  const at = new Date(now);
  const found = await readMessage(
    client,
    id,
    `m.state = 'scheduled' AND (NOT $2::boolean OR m.send_at <= $3)`,
    [isDue, at],
  );
  if (!found) return false;
  // It gives the numbers out one after the other.
  await client.query(
    `SELECT FROM conversations WHERE (contact_id, channel_id) IN (SELECT contact_id, channel_id FROM messages WHERE id = $1)
        FOR NO KEY UPDATE`,
    [id],
  );
  // What its channel cannot do is seen when it is claimed.
  const { message, refusal, quietUntil: until } = validateMessage(found, { now, takesUserIds: true });
  const isLate = isDue && found.send_at !== null && now - found.send_at.getTime() > LATEST_RELEASE_MS;
  const code = refusal ?? (isLate ? 'expired' : null);
  if (code !== null) {
    await client.query(
      `UPDATE messages SET state = 'cancelled', error_code = $2, failed_at = $3, occurred_at = $3 WHERE id = $1`,
      [id, code, at],
    );
    if (message.contactId !== null)
      await recountConversations(client, message.workspaceId, [message.contactId]);
    await emitMessage(client, message, { outcome: { to: 'not_sent', code }, emit });
    return true;
  }
  if (isDue && until) {
    // Quiet hours that were chosen, or changed, meanwhile.
    await client.query('UPDATE messages SET send_at = $2 WHERE id = $1', [id, until]);
    return true;
  }
  // Whatever an agent sends at once leaves as an agent's reply.
  const { rows: left } = await client.query<{ author: string }>(
    `UPDATE messages SET state = 'queued', send_no = nextval('message_numbers'), occurred_at = $2,
            priority = CASE WHEN $3 THEN priority ELSE ${priorityRank('agent')} END WHERE id = $1 RETURNING author`,
    [id, at, isDue],
  );
  const { workspaceId, channelId, contactId, content } = message;
  const author = { kind: left[0]?.author ?? '' };
  if (contactId !== null)
    await showInLists(
      client,
      { workspaceId, channelId, id, text: found.text ?? '', at, content, author },
      contactId,
    );
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM conversations WHERE contact_id = $1 AND channel_id = $2',
    [contactId, channelId],
  );
  const values = { conversationId: rows[0]?.id ?? null, contactIds: contactId === null ? [] : [contactId] };
  await emit({ type: 'message.queued', subject: id, values }, message.cause);
  return true;
}
