import { CircleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useUiWords } from './ui-words.tsx';

export interface FormProblem {
  /** The field's name in the form; pressing the problem moves the focus to it. */
  name?: string | undefined;
  message: string;
}

/** All problems of a form after a failed submit; it takes the focus so that they are heard. */
export function FormErrorSummary({
  problems,
  onGoTo,
}: {
  problems: readonly FormProblem[];
  onGoTo?: ((name: string) => void) | undefined;
}) {
  const words = useUiWords();
  const box = useRef<HTMLDivElement>(null);
  const count = problems.length;
  useEffect(() => {
    if (count > 0) box.current?.focus();
  }, [count]);
  if (count === 0) return null;
  return (
    <div ref={box} role="alert" tabIndex={-1} className="rounded-card bg-danger-soft px-4 py-3 text-danger">
      <p className="flex items-center gap-2 font-medium">
        <CircleAlert aria-hidden className="size-4 shrink-0" />
        {words.formErrors(count)}
      </p>
      <ul className="mt-1 list-disc pl-10">
        {problems.map(({ name, message }) => (
          <li key={`${name ?? ''}${message}`}>
            {name && onGoTo ? (
              <button type="button" className="min-h-6 text-left underline" onClick={() => onGoTo(name)}>
                {message}
              </button>
            ) : (
              message
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
