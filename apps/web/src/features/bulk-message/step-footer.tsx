import type { ReactNode } from 'react';
import { FieldError } from '../../ui/field.tsx';
import { useBottomBar } from '../../ui/use-bottom-bar.ts';

/** The buttons of a step stay in sight, with all that a press of them needs: why it does not go on, and how many are meant. */
export function StepFooter({
  problem,
  status,
  children,
}: {
  problem?: string | undefined;
  status?: ReactNode;
  children: ReactNode;
}) {
  const bar = useBottomBar();
  return (
    <footer
      ref={bar}
      data-step-footer
      className="sticky bottom-0 layer-sticky -mx-4 border-t border-border bg-surface px-4 py-3 sm:mx-0 sm:px-0"
    >
      <div role="alert" className={problem ? 'mb-2' : undefined}>
        {problem ? <FieldError>{problem}</FieldError> : null}
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {children}
        {status}
      </div>
    </footer>
  );
}
