import { systemCaller } from '@app/domain/auth/caller';
import { MOST_NAMED } from '@app/domain/live/most-named';
import type { ApiDependencies } from '../../platform/request-context.ts';
import { openScope } from '../../platform/workspace-scope.ts';
import { listByIds } from '../conversation-messages.ts';
import { findOfConversation } from './timeline-places.ts';

type Parts = Pick<ApiDependencies, 'db' | 'clock' | 'logger' | 'liveEvents' | 'viewers'>;
type Waiting = { workspaceId: string; conversationId: string; ids: Set<string> };

/**
 * Brings messages that have just arrived to the browsers that show their conversation, so that none has to ask for them: each process reads them once for all of
 * its streams. A browser hears first which ones come, and then the messages, or that they have to be asked for. What arrives while some are read is read together
 * afterwards. The answer ends it.
 */
export function bringArrived({ db, clock, logger, liveEvents, viewers }: Parts): () => void {
  const waiting = new Map<string, Waiting>();
  const reading = new Set<string>();

  const tell = ({ workspaceId, conversationId }: Waiting, payload: object) =>
    liveEvents.tellHere(
      workspaceId,
      'arrived-messages',
      { conversationId, ...payload },
      viewersOf(workspaceId, conversationId),
    );

  function viewersOf(workspaceId: string, conversationId: string): ReadonlySet<string> {
    const shown = viewers.list(workspaceId).find((one) => one.conversationId === conversationId);
    return new Set(shown?.people.map(({ id }) => id));
  }

  async function read(key: string): Promise<void> {
    reading.add(key);
    for (let next = waiting.get(key); next; next = waiting.get(key)) {
      waiting.delete(key);
      const ids = [...next.ids];
      const items = await readItems(next, ids).catch((error: unknown) => {
        logger.warn({ err: error }, 'messages that arrived could not be read for those who look at them');
        return null;
      });
      tell(next, { ids, items });
    }
    reading.delete(key);
  }

  async function readItems({ workspaceId, conversationId }: Waiting, ids: readonly string[]) {
    return db.inWorkspace(workspaceId, async (tx, client) => {
      const scope = openScope({
        caller: systemCaller('facts', workspaceId),
        ...{ origin: null, tx, client, clock, afterwards: [] },
      });
      const of = await findOfConversation(scope, conversationId);
      return of && (await listByIds(scope, of, ids)).items;
    });
  }

  return liveEvents.onStored((workspaceId, { topic, payload }) => {
    if (topic !== 'messages') return;
    const ids = textsOf(payload['arrivedIds']);
    // As many as an event can name may be the last of more: a chat reads its whole page then.
    if (ids.length === 0 || ids.length >= MOST_NAMED) return;
    for (const conversationId of textsOf(payload['conversationIds'])) {
      if (viewersOf(workspaceId, conversationId).size === 0) continue;
      const key = `${workspaceId} ${conversationId}`;
      const next = waiting.get(key) ?? { workspaceId, conversationId, ids: new Set<string>() };
      for (const id of ids) next.ids.add(id);
      waiting.set(key, next);
      tell(next, { ids });
      if (!reading.has(key)) void read(key);
    }
  });
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
