import type { ReadScope } from '../../platform/workspace-scope.ts';

export type OfConversation = { id: string; contactId: string; channelId: string };
/** Everything that stands in a chat is sorted by its time and a key of its own. */
export type Place = { at: string; key: string };
export type Source = 'message' | 'campaign' | 'note' | 'number_changed' | 'consent_changed' | 'act';
export type Placed = Place & { source: Source; id: string };
export type Direction = 'older' | 'newer';

/** Whose messages a conversation shows. */
export async function findOfConversation(
  scope: ReadScope,
  conversationId: string,
): Promise<OfConversation | null> {
  const { rows } = await scope.query<{ contactId: string; channelId: string }>({
    name: 'conversations_find_of',
    text: `SELECT c.contact_id AS "contactId", c.channel_id AS "channelId" FROM conversations c JOIN contacts k ON k.id = c.contact_id
            WHERE c.workspace_id = $1 AND c.id = $2`,
    values: [scope.workspaceId, conversationId],
  });
  return rows[0] ? { id: conversationId, ...rows[0] } : null;
}

export const NEWEST: Place = { at: 'infinity', key: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
export const OLDEST: Place = { at: '-infinity', key: '00000000-0000-0000-0000-000000000000' };

/** It is written into the statement by PostgreSQL, which sees in it what the index `messages_said` knows. */
export const SAID = 'is_said(m)';
/** Of `delivery_recipients r` and its `delivery_runs run`. */
export const AT_RECIPIENT = 'coalesce(r.accepted_at, r.failed_at, run.started_at, run.created_at)';
const RECIPIENT_ID = `'r' || r.run_no || '.' || r.seq`;
const RECIPIENT_KEY = `md5(${RECIPIENT_ID})::uuid`;
const OF_RECIPIENT = `r.contact_id = $2 AND r.workspace_id = $1 AND run.channel_id = $3 AND r.state IN (2, 3, 5)`;
const ALIAS_KEY = `md5('a' || a.identifier)::uuid`;
const OF_ALIAS = `a.workspace_id = $1 AND a.contact_id = $2 AND a.until IS NOT NULL AND a.identifier LIKE '+%'`;
/** Of `contact_consents s`. Some platforms report one wish twice, as a word and as an event: the second of two alike within a minute says nothing new. */
const IS_NEW_WISH = `coalesce((SELECT e.kind <> s.kind OR e.source <> s.source OR e.occurred_at < s.occurred_at - interval '1 minute'
  FROM contact_consents e WHERE e.contact_id = s.contact_id AND (e.occurred_at, e.id) < (s.occurred_at, s.id)
 ORDER BY e.occurred_at DESC, e.id DESC LIMIT 1), true)`;

const ACTIONS_ON_ONE = `'conversation.assigned', 'conversation.status_changed', 'conversation.labelled', 'conversation.prioritised'`;
const ACTIONS_ON_MANY = `'assigned', 'unassigned', 'status', 'priority', 'labelled'`;
const MERGES = `'contact.merged', 'contact.unmerged'`;

/**
 * The statement for a page: each source gives its own next ones by its index, and the first of them all are the page. Of campaigns the
 * recipients of this contact alone are read, as many as there were campaigns to them. Notes and what was done with the conversation are for
 * people.
 */
export function placesText(
  direction: Direction,
  { isInclusive, isForStaff }: { isInclusive: boolean; isForStaff: boolean },
): string {
  const [beyond, order] = direction === 'older' ? ['<', 'DESC'] : ['>', 'ASC'];
  const from = (at: string, key: string) =>
    `(${at}, ${key}) ${beyond}${isInclusive ? '=' : ''} ($5::timestamptz, $6::uuid)`;
  const note = `UNION ALL
     (SELECT 'note', n.id::text, n.id, n.at FROM conversation_notes n
       WHERE n.workspace_id = $1 AND n.conversation_id = $4 AND n.deleted_at IS NULL AND ${from('n.at', 'n.id')}
       ORDER BY n.at ${order}, n.id ${order} LIMIT $7)`;
  const place = from('a.occurred_at', 'a.id');
  const act = (conditions: string) => `UNION ALL
     (SELECT 'act', a.id::text, a.id, a.occurred_at FROM ${conditions} AND ${place}
       ORDER BY a.occurred_at ${order}, a.id ${order} LIMIT $7)`;
  const acts = [
    act(
      `activities a WHERE a.workspace_id = $1 AND a.subject_id = $4 AND a.fact_type IN (${ACTIONS_ON_ONE})`,
    ),
    act(`activities a WHERE a.workspace_id = $1 AND a.subject_id = $2 AND a.fact_type IN (${MERGES})`),
    act(`(SELECT e.id, e.occurred_at FROM activity_subjects s JOIN activities e ON e.id = s.activity_id
           WHERE s.workspace_id = $1 AND s.subject_id = $4 AND ${from('s.occurred_at', 's.activity_id')}
             AND (e.fact_type IN (${ACTIONS_ON_ONE}) OR e."values"->>'change' IN (${ACTIONS_ON_MANY}))
           ORDER BY s.occurred_at ${order}, s.activity_id ${order} LIMIT $7) AS a WHERE true`),
  ].join('\n');
  return `SELECT source, id, key, at::text AS at FROM (
     (SELECT 'message' AS source, m.id::text AS id, m.id AS key, m.occurred_at AS at FROM messages m
       WHERE m.workspace_id = $1 AND m.contact_id = $2 AND m.channel_id = $3 AND ${SAID} AND ${from('m.occurred_at', 'm.id')}
       ORDER BY m.occurred_at ${order}, m.id ${order} LIMIT $7)
     UNION ALL
     (SELECT 'campaign', ${RECIPIENT_ID}, ${RECIPIENT_KEY}, ${AT_RECIPIENT} AS at
        FROM delivery_recipients r JOIN delivery_runs run USING (run_no)
       WHERE ${OF_RECIPIENT} AND ${from(AT_RECIPIENT, RECIPIENT_KEY)}
       ORDER BY ${AT_RECIPIENT} ${order}, ${RECIPIENT_KEY} ${order} LIMIT $7)
     UNION ALL
     (SELECT 'number_changed', a.identifier, ${ALIAS_KEY}, a.until FROM contact_aliases a
       WHERE ${OF_ALIAS} AND ${from('a.until', ALIAS_KEY)} AND $4::uuid IS NOT NULL
       ORDER BY a.until ${order}, ${ALIAS_KEY} ${order} LIMIT $7)
     UNION ALL
     (SELECT 'consent_changed', s.kind || ' ' || s.source, s.id, s.occurred_at FROM contact_consents s
       WHERE s.workspace_id = $1 AND s.contact_id = $2 AND ${from('s.occurred_at', 's.id')} AND ${IS_NEW_WISH}
       ORDER BY s.occurred_at ${order}, s.id ${order} LIMIT $7)
     ${isForStaff ? `${note}\n${acts}` : ''}
   ) AS said ORDER BY said.at ${order}, said.key ${order} LIMIT $7`;
}

/** Where a message or note stands; `unread` is the first message that nobody read. Null where there is no such one. */
export async function findPlace(
  scope: ReadScope,
  of: OfConversation,
  name: string,
  { isForStaff }: { isForStaff: boolean },
): Promise<Place | null> {
  const { text, value } = placeText(name, isForStaff);
  const { rows } = await scope.query<Place>(text, [
    ...[scope.workspaceId, of.contactId, of.channelId],
    ...[
      ...(value === undefined ? [] : [value]),
      ...(isForStaff && value !== undefined && !isRecipient(name) ? [of.id] : []),
    ],
  ]);
  return rows[0] ?? null;
}

function placeText(name: string, isForStaff: boolean): { text: string; value?: string } {
  const message = `SELECT m.occurred_at::text AS at, m.id AS key FROM messages m
     WHERE m.workspace_id = $1 AND m.contact_id = $2 AND m.channel_id = $3`;
  if (name === 'unread')
    return { text: `${message} AND m.is_unread AND ${SAID} ORDER BY m.occurred_at, m.id LIMIT 1` };
  if (isRecipient(name))
    return {
      value: name,
      text: `SELECT (${AT_RECIPIENT})::text AS at, ${RECIPIENT_KEY} AS key FROM delivery_recipients r JOIN delivery_runs run USING (run_no)
        WHERE ${OF_RECIPIENT} AND r.run_no = split_part(substr($4, 2), '.', 1)::bigint AND r.seq = split_part($4, '.', 2)::integer`,
    };
  const note = ` UNION ALL SELECT n.at::text, n.id FROM conversation_notes n
     WHERE n.workspace_id = $1 AND n.conversation_id = $5 AND n.id = $4::uuid AND n.deleted_at IS NULL`;
  return { value: name, text: `${message} AND m.id = $4::uuid AND ${SAID}${isForStaff ? note : ''}` };
}

/** Messages of campaigns are named by run and place. */
function isRecipient(name: string): boolean {
  return name.startsWith('r');
}
