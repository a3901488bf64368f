import { databaseCode, QueryError } from '@app/database/query-error';
import { storableText } from '@app/domain/text/storable-text';
import type { ApiDependencies } from '../platform/request-context.ts';
import { keepEvent, type StoredEvent } from './keep-events.ts';

/** Values that a column does not take, rows that one statement may not meet twice, and limits of the program such as the size of an index row. */
const CLASSES_OF_DATA = ['21', '22', '54'];
/** A value that is missing, and one that a check refuses. */
const CODES_OF_DATA = ['23502', '23514'];
/** With which a healthy database answers one statement: data, constraints, mistakes in SQL, limits of the program. */
const CLASSES_OF_SOME = ['21', '22', '23', '42', '54'];

/**
 * The code with which the database, healthy, refused what it was given. Everything else is none of the platform's doing, a mistake of
 * our own code as little as a lost connection: it sends the event again until that is mended.
 */
export function faultOfEvent(error: unknown): string | undefined {
  const code = databaseCode(error);
  if (code === undefined) return undefined;
  return CLASSES_OF_DATA.includes(code.slice(0, 2)) || CODES_OF_DATA.includes(code) ? code : undefined;
}

/**
 * Of a group that failed with this others may do without the one that is to blame: for its data, or for a mistake of our own that it met.
 * A database that is busy or away would answer each of them alike, each after the same wait.
 */
export function isOfSome(error: unknown): boolean {
  const code = databaseCode(error);
  if (code === undefined) return !(error instanceof QueryError);
  return CLASSES_OF_SOME.includes(code.slice(0, 2));
}

/** Keeps an event as text, so that nothing about it can be refused again: as it came, and beside it what was read from it. */
export async function deadLetter(
  { event, workspaceId, channelId }: StoredEvent,
  error: unknown,
  { db, clock, logger }: Pick<ApiDependencies, 'db' | 'clock' | 'logger'>,
): Promise<void> {
  const reason = databaseCode(error) ?? 'unknown';
  const { raw, ...read } = event;
  logger.error({ kind: event.type, reason }, 'an event of a webhook was set aside');
  await keepEvent(db.systemPool, {
    ...{ workspaceId, channelId, kind: 'set_aside', dedupKey: `aside:${event.dedupKey}`, at: clock() },
    payload: { kind: event.type, reason, text: storableText(asText(raw)), event: storableText(asText(read)) },
  });
}

function asText(raw: unknown): string {
  try {
    return JSON.stringify(raw) ?? '';
  } catch {
    return String(raw);
  }
}
