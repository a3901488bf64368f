import { bindTo } from '@app/database/bind-value';
import { contactFilterSql } from '@app/database/contacts/contact-filter';
import { personOf } from '@app/domain/auth/caller';
import { excerpt, searchedWords, weekOf } from '@app/domain/conversations/list/searched-words';
import { shownLine, shownMessage } from '@app/domain/conversations/shown-message';
import { cutPage, readTimeCursor } from '../../platform/keyset.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { SAID } from '../messages/timeline-places.ts';
import { COLUMNS, JOINS, presentConversation, type ConversationRow } from '../conversations-queries.ts';

/** Of people; who wants more writes more of the name. */
const MOST_PEOPLE = 8;
/** The newest conversations, which are looked through first: what many have is soon found there. */
const LOOKED_THROUGH = 3_000;
/** Ten years and more, of which a word that is frequent needs the last. */
const WEEKS = 550;

export async function searchConversations(
  scope: ReadScope,
  { search, limit, cursor }: { search: string; limit: number; cursor: string | undefined },
) {
  const words = searchedWords(search);
  const conversations = cursor === undefined ? await findPeople(scope, search) : [];
  const found = words.length > 0 ? await findMessages(scope, words, { limit, cursor }) : [];
  const { items, nextCursor } = cutPage(found, limit, ({ place, id }) => ({ key: place, id }));
  return {
    conversations,
    messages: items.map((row) => ({
      id: row.id,
      conversationId: row.conversation_id,
      contact: { id: row.contact_id, name: row.contact_name },
      direction: row.direction,
      ...sayFound(row, words),
      at: row.occurred_at.toISOString(),
    })),
    nextCursor,
  };
}

/** Of what has no words of its own the kept line is a sign, which says no more than its kind. */
function sayFound({ type, text, content }: FoundRow, words: readonly string[]) {
  const { kind } = shownLine(shownMessage({ type, text, content }));
  return { kind, text: excerpt(kind === 'text' ? text : text.replace(/^\[\w+\] ?/, ''), words) };
}

/** Two readings: through the newest conversations, where a frequent name is soon found; of a rare one, from the contacts that have it. */
async function findPeople(scope: ReadScope, search: string) {
  const values: unknown[] = [];
  const bind = bindTo(values);
  const fits = contactFilterSql({ search }, bind, { workspaceId: scope.workspaceId, alias: 'k' });
  const workspace = bind(scope.workspaceId, 'uuid');
  const newest = `SELECT c.id FROM (SELECT n.id, n.contact_id, n.last_activity_at FROM conversations n
      WHERE n.workspace_id = ${workspace} AND NOT n.is_archived ORDER BY n.last_activity_at DESC, n.id DESC LIMIT ${LOOKED_THROUGH}) AS c
     JOIN contacts k ON k.id = c.contact_id WHERE ${fits} ORDER BY c.last_activity_at DESC LIMIT ${MOST_PEOPLE}`;
  const all = `SELECT c.id FROM contacts k JOIN conversations c ON c.contact_id = k.id
     WHERE k.workspace_id = ${workspace} AND ${fits} ORDER BY c.last_activity_at DESC LIMIT ${MOST_PEOPLE}`;
  const first = await scope.query<{ id: string }>(newest, values);
  // Two letters have no index to be found by.
  const isWhole = first.rows.length === MOST_PEOPLE || [...search].length < 3;
  const { rows: found } = isWhole ? first : await scope.query<{ id: string }>(all, values);
  const { rows } = await scope.query<ConversationRow>(
    `SELECT ${COLUMNS} FROM conversations c ${JOINS} WHERE c.workspace_id = $2 AND c.id = ANY ($3::uuid[])
      ORDER BY c.last_activity_at DESC, c.id DESC`,
    [personOf(scope.caller), scope.workspaceId, found.map(({ id }) => id)],
  );
  return rows.map(presentConversation);
}

type FoundRow = {
  id: string;
  conversation_id: string;
  contact_id: string;
  contact_name: string;
  direction: 'in' | 'out';
  type: string;
  text: string;
  content: unknown;
  occurred_at: Date;
  place: string;
};

async function findMessages(
  scope: ReadScope,
  words: readonly string[],
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<FoundRow[]> {
  const after = readTimeCursor(cursor);
  // A clock of the platform may be ahead of ours.
  const newest = weekOf(after ? Date.parse(after.key) : scope.clock().getTime()) + (after ? 0 : 1);
  const { rows } = await scope.query<FoundRow>(MESSAGES, [
    ...[scope.workspaceId, weekQueries(scope.workspaceId, words, newest), limit + 1],
    ...[after?.key ?? 'infinity', after?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ]);
  return rows;
}

/** Words of each week, as `message_words` writes them, the newest week first. */
function weekQueries(workspaceId: string, words: readonly string[], newest: number): string[] {
  const last = words.length - 1;
  return Array.from({ length: Math.min(WEEKS, newest + 1) }, (_, week) => {
    const before = `${workspaceId.slice(-5)}${newest - week}.`;
    return words.map((word, place) => `'${before}${word}'${place === last ? ':*' : ''}`).join(' & ');
  });
}

/** One week after the other, each from its part of the index, until there are enough. */
const MESSAGES = `WITH found AS MATERIALIZED (
    SELECT week.* FROM unnest($2::text[]) AS q (words) CROSS JOIN LATERAL (
      SELECT m.id, m.contact_id, m.channel_id, m.direction, m.type, m.text, m.occurred_at FROM messages m
       WHERE m.workspace_id = $1 AND message_words(m.workspace_id, m.occurred_at, m.text) @@ q.words::tsquery
         AND m.text IS NOT NULL AND ${SAID} AND m.contact_id IS NOT NULL AND m.revoked_at IS NULL AND (m.occurred_at, m.id) < ($4::timestamptz, $5::uuid)
       ORDER BY m.occurred_at DESC, m.id DESC LIMIT $3) AS week LIMIT $3)
  SELECT f.id, c.id AS conversation_id, f.contact_id, k.name AS contact_name, f.direction, f.type, f.text,
         (SELECT m.content FROM messages m WHERE m.id = f.id) AS content, f.occurred_at,
         f.occurred_at::text AS place
    FROM found f JOIN conversations c ON c.contact_id = f.contact_id AND c.channel_id = f.channel_id
    JOIN contacts k ON k.id = f.contact_id
   ORDER BY f.occurred_at DESC, f.id DESC`;
