import { containsPattern } from '@app/database/contains-pattern';
import type { GalleryShelf } from '@app/domain/conversations/gallery';
import { cutPage, readTimeCursor, writeCursor } from '../../platform/keyset.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { readMessages, type Message } from './message-rows.ts';
import { NEWEST, SAID, type OfConversation } from './timeline-places.ts';

type Paged = { limit: number; cursor: string | undefined };
type Found = { id: string; at: string };

/** So many messages are looked at in one reading, however long the history is. */
const STRETCH = 20_000;

/** Messages of the conversation that have these words, newest first, in one stretch of its history; the cursor leads to the next. */
export async function searchMessages(
  scope: ReadScope,
  of: OfConversation,
  { search, limit, cursor }: Paged & { search: string },
): Promise<{ items: Message[]; nextCursor: string | null; until: string | null }> {
  const { rows } = await scope.query<Found & { is_end: boolean; is_found: boolean }>(searchText(), [
    ...valuesOf(scope, of, cursor),
    ...[containsPattern(search), STRETCH, limit + 1],
  ]);
  const found = rows.filter((row) => row.is_found);
  const end = rows.find((row) => row.is_end);
  const { items, nextCursor } = cutPage(found, limit, ({ at, id }) => ({ key: at, id }));
  return {
    items: await inOrder(scope, of, items),
    nextCursor: nextCursor ?? (end ? writeCursor(end.at, end.id) : null),
    until: end ? new Date(end.at).toISOString() : null,
  };
}

/** What of the conversation stands on a shelf of the gallery, newest first. */
export async function listFiles(
  scope: ReadScope,
  of: OfConversation,
  { shelf, limit, cursor }: Paged & { shelf: GalleryShelf },
): Promise<{ items: Message[]; nextCursor: string | null }> {
  const { rows } = await scope.query<Found>(galleryText(shelf), [...valuesOf(scope, of, cursor), limit + 1]);
  const { items, nextCursor } = cutPage(rows, limit, ({ at, id }) => ({ key: at, id }));
  return { items: await inOrder(scope, of, items), nextCursor };
}

/** Each as its index says it. */
const shelves: Record<GalleryShelf, string> = {
  media: `m.type = 'media' AND m.content->>'kind' IN ('image', 'video')`,
  documents: `m.type = 'media' AND m.content->>'kind' = 'document'`,
  audio: `m.type = 'media' AND m.content->>'kind' = 'audio'`,
  links: `m.text LIKE '%://%'`,
};

const FROM = `FROM messages m WHERE m.workspace_id = $1 AND m.contact_id = $2 AND m.channel_id = $3
    AND (m.occurred_at, m.id) < ($4::timestamptz, $5::uuid) AND ${SAID} AND m.revoked_at IS NULL`;

/** The last of the stretch comes along, unless it is the beginning of the history: there the search goes on. */
function searchText(): string {
  return `WITH stretch AS MATERIALIZED (
      SELECT m.id, m.occurred_at, m.text ILIKE $6 AS is_found, row_number() OVER () AS place
        FROM (SELECT m.id, m.occurred_at, m.text ${FROM} ORDER BY m.occurred_at DESC, m.id DESC LIMIT $7) AS m
    ), found AS (SELECT id, place FROM stretch WHERE is_found ORDER BY place LIMIT $8)
    SELECT s.id, s.occurred_at::text AS at, s.place = $7 AS is_end, f.id IS NOT NULL AS is_found
      FROM stretch s LEFT JOIN found f USING (id) WHERE f.id IS NOT NULL OR s.place = $7 ORDER BY s.place`;
}

export function galleryText(shelf: GalleryShelf): string {
  return `SELECT m.id, m.occurred_at::text AS at ${FROM} AND ${shelves[shelf]} ORDER BY m.occurred_at DESC, m.id DESC LIMIT $6`;
}

function valuesOf(scope: ReadScope, of: OfConversation, cursor: string | undefined): unknown[] {
  const from = readTimeCursor(cursor);
  return [scope.workspaceId, of.contactId, of.channelId, from?.key ?? NEWEST.at, from?.id ?? NEWEST.key];
}

async function inOrder(scope: ReadScope, of: OfConversation, found: readonly Found[]): Promise<Message[]> {
  const messages = await readMessages(
    scope,
    of,
    found.map(({ id }) => id),
  );
  const byId = new Map(messages.map((message) => [message.id, message]));
  return found.flatMap(({ id }) => byId.get(id) ?? []);
}
