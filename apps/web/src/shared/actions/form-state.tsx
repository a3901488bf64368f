import { errorMessage } from '../error-message.ts';
import { Panel } from '../../ui/page-frame.tsx';
import { ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';

type Waiting = { error: Error | null; onRetry: () => void };

/** Instead of a form whose values are not here, or not yet. */
export function FormState(waiting: Waiting) {
  return (
    <Panel>
      <FieldsState {...waiting} />
    </Panel>
  );
}

/** The same within a dialog. */
export function FieldsState({ error, onRetry }: Waiting) {
  return error ? (
    <ErrorState text={errorMessage(error)} onRetry={onRetry} />
  ) : (
    <SkeletonRegion className="flex flex-col gap-4">
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} className={index % 2 ? 'w-1/2' : 'w-3/4'} />
      ))}
    </SkeletonRegion>
  );
}
