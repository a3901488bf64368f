import { createTurns } from '../platform/rim/turns.ts';
import { createEventWriter, type EventWriter } from './event-writer.ts';
import type { StoredEvent } from './keep-events.ts';
import { faultOfEvent, isOfSome, setAside } from './set-aside.ts';
import { storeEvents, storeFreeEvents, type StoreDependencies } from './store-events.ts';

/** Whoever waits for a workspace holds a connection that all workspaces share. */
const WAITING_AT_ONCE = 2;

/**
 * The way of all events into the database. Those that need the contacts of a workspace as a whole, while somebody freezes an audience there
 * or merges, wait beside the others, each workspace's by themselves.
 */
export function createEventStore(
  dependencies: StoreDependencies & { countSetAside?: (() => void) | undefined },
): EventWriter<StoredEvent> {
  const answers = {
    faultOfItem: faultOfEvent,
    isOfSome,
    setAside: async (event: StoredEvent, error: unknown) => {
      await setAside(event, error, dependencies);
      dependencies.countSetAside?.();
    },
  };
  const turns = createTurns({ atOnce: WAITING_AT_ONCE, mostWaiting: Infinity });
  const lanes = new Map<string, { writer: EventWriter<StoredEvent>; writing: number }>();

  async function storeWaiting(events: readonly StoredEvent[]): Promise<void> {
    const giveBack = await turns.take('');
    await storeEvents(events, dependencies).finally(giveBack);
  }

  function openLane() {
    const store = (events: readonly StoredEvent[]) => storeWaiting(events).then(() => []);
    return { writer: createEventWriter({ ...answers, store, storeApart: storeWaiting }), writing: 0 };
  }

  async function writeInLane(workspaceId: string, events: readonly StoredEvent[]): Promise<void> {
    const lane = lanes.get(workspaceId) ?? openLane();
    lanes.set(workspaceId, lane);
    lane.writing += 1;
    await lane.writer.write(events).finally(() => {
      lane.writing -= 1;
      if (lane.writing === 0) lanes.delete(workspaceId);
    });
  }

  return createEventWriter<StoredEvent>({
    ...answers,
    store: (events) => storeFreeEvents(events, dependencies),
    async storeApart(events) {
      const byWorkspace = Map.groupBy(events, ({ workspaceId }) => workspaceId);
      await Promise.all([...byWorkspace].map(([workspaceId, own]) => writeInLane(workspaceId, own)));
    },
  });
}
