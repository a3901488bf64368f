import type { BodyPace, BodyReader } from './read-body.ts';
import { createTurns, type TurnRules } from './turns.ts';

export type LargeBodyRules = TurnRules & {
  pace: BodyPace;
  /** The slowest keeps its place with this alone while somebody waits for one, once it had time to show its speed. */
  paceOfSlowest: BodyPace;
};

/** Whose places a body takes, and whom they are shared with. */
export type BodySender = { key: string; sharer: string };
/** Reads the body to its end, or to more than `most` bytes, which it answers with false. */
type ReadWhole = (most: number) => Promise<boolean>;
export type LargeBodies = <Result>(
  body: BodyReader,
  sender: BodySender,
  work: (readWhole: ReadWhole) => Promise<Result>,
) => Promise<Result>;

/** `speed` in bytes a millisecond, as it was when somebody last looked: two equal ones must not both seem the faster. */
type Reading = { key: string; since: number; speed: number };

const SHOWN_AFTER_MS = 1_000;

/**
 * Only so many large bodies of one key are in memory at a time; each keeps its place until `work` is done with it. A slow line
 * has its time; only when all places are taken and somebody who may have one waits does the slowest give way.
 */
export function createLargeBodies({ pace, paceOfSlowest, ...places }: LargeBodyRules): LargeBodies {
  const turns = createTurns(places);
  const readings = new Set<Reading>();
  const isSlowest = (own: Reading, now: number) =>
    now - own.since >= SHOWN_AFTER_MS &&
    [...readings].every(
      (other) => other.key !== own.key || now - other.since < SHOWN_AFTER_MS || own.speed <= other.speed,
    );
  return async (body, { key, sharer }, work) => {
    const giveBack = await turns.take(key, sharer);
    try {
      return await work(async (most) => {
        const own = { key, since: performance.now(), speed: Infinity };
        readings.add(own);
        const readPace = (size: number) => {
          const now = performance.now();
          own.speed = size / (now - own.since);
          return turns.isWaitedFor(key) && isSlowest(own, now) ? paceOfSlowest : pace;
        };
        return body.readUpTo(most, readPace).finally(() => readings.delete(own));
      });
    } finally {
      giveBack();
    }
  };
}
