import { KnownRuns } from '@app/delivery/statuses/known-runs';
import { isHeldUp } from '@app/database/query-error';
import { createTurns } from '../platform/http-edge/turns.ts';
import { createEventWriter, type EventWriter } from './event-writer.ts';
import type { StoredEvent } from './keep-events.ts';
import { namesPeople } from './lock-people.ts';
import { faultOfEvent, isOfSome, deadLetter } from './dead-letter-events.ts';
import { storeEvents, storeFreeEvents, type StoreDependencies } from './store-events.ts';

/** Whoever waits for a workspace holds a connection that all workspaces share. */
const WAITING_AT_ONCE = 2;
/** How long all wait for a row. Who imports or edits many contacts has theirs to the end. */
const FREE_ROW_MS = 300;
/** How long one try in a lane does: below the second after which PostgreSQL looks for deadlocks, so that never an import loses to a webhook. */
const LANE_ROW_MS = 800;
const LONGEST_IN_LANE_MS = 5 * 60_000;

type Lane = { writer: EventWriter<StoredEvent>; writing: number };

/**
 * The way of all events into the database. Those that need the contacts of a workspace as a whole, while somebody freezes an audience there
 * or merges, and those that need rows which somebody keeps, wait beside the others, each workspace's by themselves.
 */
export function createEventStore(
  given: StoreDependencies & { countDeadLetters?: (() => void) | undefined },
): EventWriter<StoredEvent> {
  const dependencies = { ...given, knownRuns: new KnownRuns() };
  const answers = {
    faultOfItem: faultOfEvent,
    isOfSome,
    deadLetter: async (event: StoredEvent, error: unknown) => {
      await deadLetter(event, error, dependencies);
      dependencies.countDeadLetters?.();
    },
  };
  const turns = createTurns({ atOnce: WAITING_AT_ONCE, mostWaiting: Infinity });
  const lanes = new Map<string, Lane>();
  /** Lanes that wait for rows: what comes for them goes there at once, until one group of theirs went through. */
  const heldUp = new Set<string>();

  /** Between two tries others have the turn, and whoever wants a row that this group took. */
  async function storeWaiting(events: readonly StoredEvent[]): Promise<void> {
    const end = performance.now() + LONGEST_IN_LANE_MS;
    for (;;) {
      const giveBack = await turns.take('');
      try {
        return await storeEvents(events, dependencies, { rowMs: LANE_ROW_MS });
      } catch (error) {
        if (!isHeldUp(error) || performance.now() > end) throw error;
      } finally {
        giveBack();
      }
    }
  }

  function openLane(key: string): Lane {
    const store = (events: readonly StoredEvent[]) =>
      storeWaiting(events)
        .then(() => [])
        .finally(() => heldUp.delete(key));
    return { writer: createEventWriter({ ...answers, store, storeApart: storeWaiting }), writing: 0 };
  }

  async function writeInLane(key: string, events: readonly StoredEvent[]): Promise<void> {
    const lane = lanes.get(key) ?? openLane(key);
    lanes.set(key, lane);
    lane.writing += 1;
    await lane.writer.write(events).finally(() => {
      lane.writing -= 1;
      if (lane.writing === 0) lanes.delete(key);
    });
  }

  async function storeFree(events: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
    const { free = [], waiting = [] } = Object.groupBy(events, (event) =>
      heldUp.size > 0 && heldUp.has(laneOf(event)) ? 'waiting' : 'free',
    );
    if (free.length === 0) return waiting;
    return [...waiting, ...(await storeUnlessHeldUp(free))];
  }

  /** When one row keeps the group waiting, those that need it are found lane by lane. */
  async function storeUnlessHeldUp(events: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
    const store = (some: readonly StoredEvent[]) =>
      storeFreeEvents(some, dependencies, { rowMs: FREE_ROW_MS });
    try {
      return await store(events);
    } catch (error) {
      if (!isHeldUp(error)) throw error;
    }
    const left: StoredEvent[] = [];
    for (const [key, own] of Map.groupBy(events, laneOf)) {
      try {
        left.push(...(await store(own)));
      } catch (error) {
        if (!isHeldUp(error)) throw error;
        heldUp.add(key);
        left.push(...own);
      }
    }
    return left;
  }

  const openWriter = () =>
    createEventWriter<StoredEvent>({
      ...answers,
      store: storeFree,
      async storeApart(events) {
        await Promise.all([...Map.groupBy(events, laneOf)].map(([key, own]) => writeInLane(key, own)));
      },
    });
  // What people write does not wait behind the reports of a campaign: each of the two has its own groups.
  const [ofPeople, ofMessages] = [openWriter(), openWriter()];
  return { write: (events) => (events.some(namesPeople) ? ofPeople : ofMessages).write(events) };
}

/** A workspace has two: reports about messages do not wait for its contacts. */
function laneOf(event: StoredEvent): string {
  return `${event.workspaceId} ${namesPeople(event) ? 'people' : 'messages'}`;
}
