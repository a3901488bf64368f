import type { ApiDependencies } from '../platform/request-context.ts';
import { keepEvent, type StoredEvent } from './keep-events.ts';
import { storableText } from './storable.ts';

/** Values that a column does not take, broken constraints, and limits of the program such as the size of an index row. */
const FAULTS_OF_DATA = ['21', '22', '23', '54'];

/**
 * Whether the database, healthy, refused what it was given, or our own code could not read it. A lost connection, a full disk or a
 * statement that is wrong in itself is none of the platform's doing: it sends the event again until that is mended.
 */
export function isFaultOfEvent(error: unknown): boolean {
  const code = databaseCode(error);
  if (code !== undefined) return FAULTS_OF_DATA.includes(code.slice(0, 2));
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}

/** Keeps an event as text, so that nothing about it can be refused again. */
export async function setAside(
  { event, workspaceId, channelId }: StoredEvent,
  error: unknown,
  { db, clock, logger }: Pick<ApiDependencies, 'db' | 'clock' | 'logger'>,
): Promise<void> {
  const reason = databaseCode(error) ?? (error instanceof Error ? error.name : 'unknown');
  logger.error({ kind: event.type, reason }, 'an event of a webhook was set aside');
  await keepEvent(db.systemPool, {
    ...{ workspaceId, channelId, kind: 'set_aside', dedupKey: `aside:${event.dedupKey}`, at: clock() },
    payload: { kind: event.type, reason, text: storableText(asText(event.raw)) },
  });
}

/** PostgreSQL's code of an error, also when a query builder has wrapped it. */
function databaseCode(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1)
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return undefined;
}

function asText(raw: unknown): string {
  try {
    return JSON.stringify(raw) ?? '';
  } catch {
    return String(raw);
  }
}
