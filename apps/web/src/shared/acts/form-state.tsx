import { failureText } from '../failure-text.ts';
import { Panel } from '../../ui/page-frame.tsx';
import { ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';

/** Instead of a form whose values are not here, or not yet. */
export function FormState({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  return (
    <Panel>
      {error ? (
        <ErrorState text={failureText(error)} onRetry={onRetry} />
      ) : (
        <SkeletonRegion className="flex flex-col gap-4">
          {Array.from({ length: 6 }, (_, index) => (
            <Skeleton key={index} className={index % 2 ? 'w-1/2' : 'w-3/4'} />
          ))}
        </SkeletonRegion>
      )}
    </Panel>
  );
}
