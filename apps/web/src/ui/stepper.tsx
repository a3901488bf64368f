import { Check } from 'lucide-react';
import { classNames } from './class-names.ts';
import { useUiWords } from './ui-words.tsx';

/**
 * The steps of a wizard; done ones can be pressed to go back. Where all parts of a form are in sight, `done` says which are complete, and each can be
 * pressed.
 */
export function Stepper({
  label,
  steps,
  current,
  done,
  onStep,
}: {
  label: string;
  steps: readonly string[];
  /** Index of the step that is open. */
  current: number;
  done?: readonly boolean[] | undefined;
  onStep?: ((index: number) => void) | undefined;
}) {
  const words = useUiWords();
  return (
    <nav aria-label={label}>
      <p className="mb-2 text-sm text-muted sm:hidden">
        {words.step(current + 1, steps.length)}:{' '}
        <span className="font-medium text-text">{steps[current]}</span>
      </p>
      <ol className="flex items-center gap-2 sm:gap-3">
        {steps.map((step, index) => {
          const isDone = done ? done[index] === true : index < current;
          const state = index === current ? 'current' : isDone ? 'done' : 'ahead';
          return (
            <li
              key={step}
              className={classNames(
                'flex items-center gap-2 sm:gap-3',
                index > 0 ? 'min-w-0 flex-1 sm:flex-initial' : 'min-w-0 shrink-0 sm:shrink',
              )}
            >
              {index > 0 ? (
                <span
                  aria-hidden
                  className={classNames(
                    'h-px min-w-4 flex-1 sm:w-10 sm:flex-none sm:shrink',
                    index <= current || state === 'done' ? 'bg-primary' : 'bg-border',
                  )}
                />
              ) : null}
              <button
                type="button"
                disabled={!onStep || (!done && state !== 'done')}
                aria-current={state === 'current' ? 'step' : undefined}
                onClick={() => onStep?.(index)}
                className={classNames(
                  'flex min-w-0 items-center gap-2 rounded-md text-left',
                  state === 'ahead' ? 'text-muted' : 'font-medium text-text',
                )}
              >
                <span
                  className={classNames(
                    'grid size-7 shrink-0 place-items-center rounded-full border text-sm tabular-nums',
                    state === 'done' && 'border-primary bg-primary text-on-primary',
                    state === 'current' && 'border-primary text-primary-text',
                    state === 'ahead' && 'border-control',
                  )}
                >
                  {state === 'done' ? <Check aria-hidden className="size-4" /> : index + 1}
                </span>
                <span className="sr-only truncate sm:not-sr-only sm:truncate">{step}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
