import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orpc, type api } from '../api.ts';
import { onLiveEvent, type LivePayload } from '../live/live-events.ts';

export type LongAct = Awaited<ReturnType<typeof api.longActs.get>>;
type LongActList = Awaited<ReturnType<typeof api.longActs.list>>;
/** What an event says of an act: figures alone. */
export type ActFigures = Pick<
  LongAct,
  'id' | 'state' | 'phase' | 'done' | 'total' | 'secondsLeft' | 'wasInterrupted'
>;

export const longActsOptions = () => queryOptions(orpc.longActs.list.queryOptions({ input: {} }));

/** What takes long and goes on, or has ended a short while ago; kept true by what is told of it. */
export function useLongActs(): readonly LongAct[] {
  const queryClient = useQueryClient();
  const { data } = useQuery(longActsOptions());
  useEffect(
    () =>
      onLiveEvent(({ topic, payload }) => {
        if (topic === 'resync') readAnew(queryClient);
        else if (topic === 'progress') takeIn(queryClient, payload);
      }),
    [queryClient],
  );
  return data?.items ?? [];
}

export function useLongAct(actId: string | undefined): LongAct | undefined {
  return useLongActs().find(({ id }) => id === actId);
}

/** Nobody works on it any more. */
export function isActOver({ state }: Pick<LongAct, 'state'>): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

/** Figures are written into what is shown; what is new or has ended is read. */
function takeIn(queryClient: QueryClient, payload: LivePayload): void {
  const figures = readFigures(payload);
  const { queryKey } = longActsOptions();
  const shown = queryClient.getQueryData<LongActList>(queryKey);
  const items = figures && shown && mergeFigures(shown.items, figures);
  if (items) queryClient.setQueryData<LongActList>(queryKey, { ...shown, items });
  else readAnew(queryClient);
}

function readAnew(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: orpc.longActs.key() });
}

/** Null when nothing shown is the act. */
export function mergeFigures(items: readonly LongAct[], figures: ActFigures): LongAct[] | null {
  if (!items.some(({ id }) => id === figures.id)) return null;
  // One that has ended stays ended, whatever is told late.
  return items.map((act) => (act.id === figures.id && !isActOver(act) ? { ...act, ...figures } : act));
}

function readFigures({ act }: LivePayload): ActFigures | null {
  if (typeof act !== 'object' || act === null || !('id' in act)) return null;
  return act as ActFigures; // the server writes exactly these into this event
}
