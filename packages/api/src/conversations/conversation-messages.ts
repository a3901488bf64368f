import type { timelineItem } from '@app/contracts/conversations/conversation-values';
import { personOf } from '@app/domain/auth/caller';
import { consentSources } from '@app/domain/contacts/opt-out/consent-source';
import type { z } from 'zod';
import { readTimeCursor, writeCursor } from '../platform/keyset.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { readCampaignMessages } from './messages/campaign-messages.ts';
import { readActs } from './messages/activities-between.ts';
import { readMessages, type Message } from './messages/message-rows.ts';
import {
  findPlace,
  NEWEST,
  OLDEST,
  placesText,
  SAID,
  type Direction,
  type OfConversation,
  type Place,
  type Placed,
} from './messages/timeline-places.ts';
import { noteColumns, presentNote, type NoteRow } from './notes/conversation-notes.ts';

export type { Message };
export type TimelineItem = z.infer<typeof timelineItem>;
type Asked = { limit: number; cursor: string | undefined; direction: Direction; around: string | undefined };
type Page = { placed: Placed[]; hasMore: boolean };

/**
 * What was said with a contact over a channel, newest first, with the messages of campaigns, and for people with notes and what was done with
 * the conversation: programs with a key could pass these on.
 */
export async function listMessages(scope: ReadScope, of: OfConversation, asked: Asked) {
  if (asked.around !== undefined) return listAround(scope, of, asked.around, asked.limit);
  const { limit, cursor, direction } = asked;
  const from = readPlace(cursor);
  const isOlder = direction === 'older';
  const page = await readPage(scope, of, { direction, limit, from: from ?? (isOlder ? NEWEST : OLDEST) });
  const placed = isOlder ? page.placed : page.placed.toReversed();
  return {
    ...(await withEnds(scope, of, placed, isOlder ? page.hasMore : true, cursor)),
    hasNewer: isOlder ? from !== null : page.hasMore,
  };
}

/** Only these messages of the conversation, newest first: what a chat adds when they have arrived. */
export async function listByIds(scope: ReadScope, of: OfConversation, ids: readonly string[]) {
  const { rows } = await scope.query<Placed>({
    name: 'messages_place_by_ids',
    text: `SELECT 'message' AS source, m.id::text AS id, m.id AS key, m.occurred_at::text AS at FROM messages m
      WHERE m.workspace_id = $1 AND m.contact_id = $2 AND m.channel_id = $3 AND m.id = ANY ($4::uuid[]) AND ${SAID}
      ORDER BY m.occurred_at DESC, m.id DESC`,
    values: [scope.workspaceId, of.contactId, of.channelId, ids],
  });
  return { items: await readItems(scope, of, rows), older: null, newer: null, hasNewer: false };
}

async function listAround(scope: ReadScope, of: OfConversation, around: string, limit: number) {
  const at = await findPlace(scope, of, around, { isForStaff: isStaff(scope) });
  if (!at) return 'message_not_found';
  const half = Math.ceil(limit / 2);
  const older = await readPage(scope, of, {
    ...{ direction: 'older', limit: Math.max(1, half), from: at, isInclusive: true },
  });
  const newer = await readPage(scope, of, { direction: 'newer', limit: Math.max(1, limit - half), from: at });
  const placed = [...newer.placed.toReversed(), ...older.placed];
  return { ...(await withEnds(scope, of, placed, older.hasMore, undefined)), hasNewer: newer.hasMore };
}

async function withEnds(
  scope: ReadScope,
  of: OfConversation,
  placed: readonly Placed[],
  hasOlder: boolean,
  cursor: string | undefined,
) {
  const [newest, oldest] = [placed[0], placed.at(-1)];
  return {
    items: await readItems(scope, of, placed),
    older: oldest && hasOlder ? writeCursor(oldest.at, oldest.key) : null,
    newer: newest ? writeCursor(newest.at, newest.key) : (cursor ?? null),
  };
}

/** One message of the conversation. */
export async function findMessage(
  scope: ReadScope,
  of: OfConversation,
  messageId: string,
): Promise<Message | null> {
  const [found] = await readMessages(scope, of, [messageId]);
  return found ?? null;
}

type From = { direction: Direction; limit: number; from: Place; isInclusive?: boolean };

async function readPage(
  scope: ReadScope,
  of: OfConversation,
  { direction, limit, from, isInclusive = false }: From,
): Promise<Page> {
  const { rows } = await scope.query<Placed>(
    placesText(direction, { isInclusive, isForStaff: isStaff(scope) }),
    [scope.workspaceId, of.contactId, of.channelId, of.id, from.at, from.key, limit + 1],
  );
  return { placed: rows.slice(0, limit), hasMore: rows.length > limit };
}

async function readItems(
  scope: ReadScope,
  of: OfConversation,
  placed: readonly Placed[],
): Promise<TimelineItem[]> {
  const idsOf = (source: Placed['source']) =>
    placed.flatMap((one) => (one.source === source ? [one.id] : []));
  const items: TimelineItem[] = [
    ...(await readMessages(scope, of, idsOf('message'))),
    ...(await readCampaignMessages(scope, of.contactId, idsOf('campaign'))),
    ...(await readNotes(scope, of, idsOf('note'))),
    ...(await readActs(scope, idsOf('act'))),
  ];
  const byId = new Map(items.map((item) => [item.id, item]));
  return placed.flatMap((place): TimelineItem[] => {
    if (place.source === 'number_changed')
      return [{ kind: place.source, id: place.key, at: new Date(place.at).toISOString(), from: place.id }];
    if (place.source === 'consent_changed') return [presentConsent(place)];
    const item = byId.get(place.id);
    return item ? [item] : [];
  });
}

function presentConsent({ key, at, id }: Placed): TimelineItem {
  const [choice, by] = id.split(' ');
  return {
    ...{ kind: 'consent_changed', id: key, at: new Date(at).toISOString() },
    ...{
      choice: choice === 'opt_out' ? 'opt_out' : 'opt_in',
      by: consentSources.find((source) => source === by) ?? 'person',
    },
  };
}

async function readNotes(
  scope: ReadScope,
  of: OfConversation,
  ids: readonly string[],
): Promise<TimelineItem[]> {
  if (ids.length === 0) return [];
  const { rows } = await scope.query<NoteRow>(
    `SELECT ${noteColumns} FROM conversation_notes n
      WHERE n.workspace_id = $1 AND n.conversation_id = $2 AND n.id = ANY ($3::uuid[]) AND n.deleted_at IS NULL`,
    [scope.workspaceId, of.id, ids],
  );
  return rows.map((row) => ({ kind: 'note', ...presentNote(row) }));
}

const isStaff = ({ caller }: ReadScope): boolean => personOf(caller) !== null;

function readPlace(cursor: string | undefined): Place | null {
  const place = readTimeCursor(cursor);
  return place && { at: place.key, key: place.id };
}
