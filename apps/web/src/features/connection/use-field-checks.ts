import { useEffect, useState } from 'react';
import { api } from '../../shared/api.ts';
import { useDebounced } from '../../shared/use-debounced.ts';
import type { FieldCheck, Server } from './connection-queries.ts';

export interface Asked {
  channelId: string | undefined;
  kind: string;
  server: Server;
  values: Record<string, string>;
}

const EVERY_MS = 20_000;

/** What the platform says of what was written: by a press, and by itself once writing stands still. Values go into no cache. */
export function useFieldChecks(asked: Asked, isOn: boolean) {
  const [proofs, setProofs] = useState<readonly FieldCheck[]>([]);
  const [isAsking, setAsking] = useState(false);
  const written = JSON.stringify(asked);
  const settled = useDebounced(written, 700);
  const round = useRounds();

  useEffect(() => {
    const one = JSON.parse(settled) as Asked; // what was written above
    const hasAny =
      one.channelId !== undefined || Object.values(one.values).some((value) => value.trim() !== '');
    if (!isOn || !hasAny) return undefined;
    let isLate = false;
    const given = new AbortController();
    setAsking(true);
    prove(one, given.signal)
      .then((found) => {
        if (!isLate) setProofs(found);
      })
      // Without an answer nothing is known; a press says why.
      .catch(() => undefined)
      .finally(() => {
        if (!isLate) setAsking(false);
      });
    return () => {
      isLate = true;
      given.abort();
    };
  }, [settled, isOn, round]);

  return {
    /** Of a value as it stands now; what is being written has none yet. */
    find: (field: string) =>
      written === settled ? proofs.find((proof) => proof.field === field) : undefined,
    isAsking,
    async press(): Promise<readonly FieldCheck[]> {
      const found = await prove(asked, new AbortController().signal);
      setProofs(found);
      return found;
    },
  };
}

/** Grows when somebody comes back to the page, and now and then while they look: what opened a number may end at any time. */
function useRounds(): number {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const next = () => {
      if (document.visibilityState === 'visible') setRound((before) => before + 1);
    };
    const timer = setInterval(next, EVERY_MS);
    document.addEventListener('visibilitychange', next);
    window.addEventListener('focus', next);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', next);
      window.removeEventListener('focus', next);
    };
  }, []);
  return round;
}

/** What can be given up is asked by itself: a press hears how it is now, not the answer to a question of a moment ago. */
async function prove(
  { channelId, kind, server, values }: Asked,
  signal: AbortSignal,
): Promise<readonly FieldCheck[]> {
  const { fields } = await api.connections.prove(
    { ...{ kind, server, values }, ...(channelId !== undefined && { channelId }) },
    { signal },
  );
  return fields;
}
