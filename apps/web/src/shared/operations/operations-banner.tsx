import { Suspense, useEffect, useRef, useState } from 'react';
import { lazyDetail } from '../../ui/load-file.ts';
import { loadMessages } from '../messages.ts';
import { useWithoutCalmEndings } from './calm-endings.ts';
import { isOperationOver, useOperations, type Operation } from './operations.ts';

const OperationList = lazyDetail(async () => {
  await loadMessages('operations');
  return (await import('./operation-list.tsx')).OperationList;
});

/** Operations that run or ended a short while ago, on every page and in every tab. Rows and texts load with the first of them. */
export function OperationsBanner() {
  const operations = useOperations();
  const ended = useEnded(operations);
  const shown = useWithoutCalmEndings(operations);
  if (shown.length === 0 && !ended) return null;
  return (
    <Suspense>
      <OperationList operations={shown} ended={ended} />
    </Suspense>
  );
}

/** The last one that came to its end while this tab looked on. */
function useEnded(operations: readonly Operation[]): Operation | undefined {
  const before = useRef(new Set<string>());
  const [ended, setEnded] = useState<Operation>();
  useEffect(() => {
    const now = operations.find(
      (operation) => isOperationOver(operation) && before.current.has(operation.id),
    );
    if (now) setEnded(now);
    before.current = new Set(
      operations.filter((operation) => !isOperationOver(operation)).map(({ id }) => id),
    );
  }, [operations]);
  return ended;
}
