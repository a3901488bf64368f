import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orpc, type api } from '../api.ts';
import { onLiveEvent, type LivePayload } from '../live/live-events.ts';

export type Operation = Awaited<ReturnType<typeof api.operations.get>>;
type OperationList = Awaited<ReturnType<typeof api.operations.list>>;
/** What an event says of an act: figures alone. */
export type OperationFigures = Pick<
  Operation,
  'id' | 'state' | 'phase' | 'done' | 'total' | 'secondsLeft' | 'wasInterrupted'
>;

export const operationsOptions = () => queryOptions(orpc.operations.list.queryOptions({ input: {} }));

/** What takes long and goes on, or has ended a short while ago; kept true by what is told of it. */
export function useOperations(): readonly Operation[] {
  const queryClient = useQueryClient();
  const { data } = useQuery(operationsOptions());
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

export function useOperation(operationId: string | undefined): Operation | undefined {
  return useOperations().find(({ id }) => id === operationId);
}

/** Nobody works on it any more. */
export function isOperationOver({ state }: Pick<Operation, 'state'>): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

/** Figures are written into what is shown; what is new or has ended is read. */
function takeIn(queryClient: QueryClient, payload: LivePayload): void {
  const figures = readFigures(payload);
  const { queryKey } = operationsOptions();
  const shown = queryClient.getQueryData<OperationList>(queryKey);
  const items = figures && shown && mergeFigures(shown.items, figures);
  if (items) queryClient.setQueryData<OperationList>(queryKey, { ...shown, items });
  else readAnew(queryClient);
}

function readAnew(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
}

/** Null when nothing shown is the act. */
export function mergeFigures(items: readonly Operation[], figures: OperationFigures): Operation[] | null {
  if (!items.some(({ id }) => id === figures.id)) return null;
  // One that has ended stays ended, whatever is told late.
  return items.map((operation) =>
    operation.id === figures.id && !isOperationOver(operation) ? { ...operation, ...figures } : operation,
  );
}

function readFigures({ act: operation }: LivePayload): OperationFigures | null {
  if (typeof operation !== 'object' || operation === null || !('id' in operation)) return null;
  return operation as OperationFigures; // the server writes exactly these into this event
}
