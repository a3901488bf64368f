import { useEffect, useState } from 'react';
import type { api } from '../../shared/api.ts';

type Calls = Awaited<ReturnType<typeof api.webhookCalls.list>>;
export type Call = Calls['items'][number];

const LOOK_EVERY_MS = 1_000;
const LOOK_NOW_AND_THEN_MS = 4_000;
/** After so long somebody wonders what is wrong. */
const LATE_MS = 60_000;

export function isTaken({ status }: Call): boolean {
  return status === 200;
}

/** Waits for the next call of the platform about one number that proves itself: what others call, or anybody guesses, ends no test. */
export function useLiveTest(channelId: string) {
  /** The calls that were known when somebody began to wait; undefined while nobody does. */
  const [before, setBefore] = useState<ReadonlySet<string>>();
  const [isLate, setLate] = useState(false);

  useEffect(() => {
    if (!before) return undefined;
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, [before]);

  const since = (items: readonly Call[]) => (before ? items.filter(({ id }) => !before.has(id)) : []);
  const find = (items: readonly Call[]) =>
    since(items).findLast(
      (call) =>
        (call.state === 'received' || call.state === 'handshake') && call.channelIds.includes(channelId),
    );
  const isWaiting = (items: readonly Call[]) => before !== undefined && find(items) === undefined;
  return {
    find,
    isWaiting,
    isLate,
    /** What came meanwhile and was refused, the newest. */
    findRefused: (items: readonly Call[]) => since(items).find((call) => !isTaken(call)),
    pauseMs: (items: readonly Call[]) => (isWaiting(items) ? LOOK_EVERY_MS : LOOK_NOW_AND_THEN_MS),
    start(items: readonly Call[]) {
      setLate(false);
      setBefore(new Set(items.map(({ id }) => id)));
    },
    stop: () => setBefore(undefined),
  };
}

export type LiveTest = ReturnType<typeof useLiveTest>;
