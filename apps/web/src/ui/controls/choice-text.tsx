import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export interface ChoiceProps extends Omit<ComponentProps<'input'>, 'type' | 'size'> {
  label: ReactNode;
  hint?: ReactNode;
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean | undefined;
}

/** The words beside a checkbox, a radio or a switch. */
export function ChoiceText({
  id,
  label,
  hint,
  hideLabel,
}: {
  id: string;
  label: ReactNode;
  hint: ReactNode;
  hideLabel: boolean | undefined;
}) {
  return (
    <span className={classNames('min-w-0', hideLabel && 'sr-only')}>
      <label htmlFor={id} className="cursor-pointer">
        {label}
      </label>
      {hint ? (
        <span id={`${id}-hint`} className="block text-sm text-muted">
          {hint}
        </span>
      ) : null}
    </span>
  );
}
