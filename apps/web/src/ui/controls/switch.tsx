import { useId } from 'react';
import { ChoiceText } from './choice-text.tsx';
import type { ChoiceProps } from './choice-text.tsx';
import { classNames } from '../class-names.ts';

/** On or off, at once. */
export function Switch({ label, hint, hideLabel, className, id, ref, ...rest }: ChoiceProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  return (
    <span className={classNames('flex items-start gap-3', className)}>
      <span className="relative mt-0.5 inline-flex h-5 w-9 shrink-0">
        <input
          {...rest}
          ref={ref}
          id={inputId}
          type="checkbox"
          role="switch"
          aria-describedby={hint ? `${inputId}-hint` : undefined}
          className="peer h-5 w-9 cursor-pointer appearance-none rounded-full bg-control transition-colors duration-150 checked:bg-primary disabled:cursor-not-allowed disabled:opacity-50"
        />
        <span className="pointer-events-none absolute top-0.5 left-0.5 size-4 rounded-full bg-white shadow-sm transition-transform duration-150 peer-checked:translate-x-4" />
      </span>
      <ChoiceText id={inputId} label={label} hint={hint} hideLabel={hideLabel} />
    </span>
  );
}
