import { Check, Minus } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { ChoiceText } from './choice-text.tsx';
import type { ChoiceProps } from './choice-text.tsx';
import { classNames } from '../class-names.ts';

export interface CheckboxProps extends ChoiceProps {
  /** Some, but not all, of what it stands for is chosen. */
  indeterminate?: boolean | undefined;
}

export function Checkbox({ indeterminate = false, ref, ...props }: CheckboxProps) {
  const own = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (own.current) own.current.indeterminate = indeterminate;
  }, [indeterminate]);
  return (
    <Choice
      {...props}
      type="checkbox"
      inputRef={(element) => {
        own.current = element;
        if (typeof ref === 'function') ref(element);
        else if (ref) ref.current = element;
      }}
      box="rounded"
      mark={
        indeterminate ? (
          <Minus aria-hidden className="size-3.5" strokeWidth={3} />
        ) : (
          <Check aria-hidden className="size-3.5" strokeWidth={3} />
        )
      }
      indeterminate={indeterminate}
    />
  );
}

export function Radio({ ref, ...props }: ChoiceProps) {
  return (
    <Choice
      {...props}
      type="radio"
      inputRef={ref}
      box="rounded-full"
      mark={<span className="size-1.5 rounded-full bg-current" />}
    />
  );
}

function Choice({
  label,
  hint,
  hideLabel,
  className,
  id,
  inputRef,
  box,
  mark,
  indeterminate,
  type,
  ref: _ref,
  ...rest
}: ChoiceProps & {
  type: 'checkbox' | 'radio';
  inputRef: ComponentProps<'input'>['ref'];
  box: string;
  mark: ReactNode;
  indeterminate?: boolean;
}) {
  const ownId = useId();
  const inputId = id ?? ownId;
  return (
    <span className={classNames('flex items-start gap-2.5', className)}>
      <span className="relative mt-px grid size-[18px] shrink-0 place-items-center">
        <input
          {...rest}
          ref={inputRef}
          id={inputId}
          type={type}
          aria-describedby={hint ? `${inputId}-hint` : undefined}
          className={classNames(
            'peer size-[18px] cursor-pointer appearance-none border border-control bg-raised transition-colors duration-100 hover:border-muted checked:border-primary checked:bg-primary disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-danger',
            // A radio is it, too, while none of its group is chosen.
            type === 'checkbox' && 'indeterminate:border-primary indeterminate:bg-primary',
            // The target is 24 px although the box is smaller.
            'before:absolute before:-inset-[3px]',
            box,
          )}
        />
        <span
          className={classNames(
            'pointer-events-none absolute inset-0 grid place-items-center text-on-primary',
            indeterminate ? 'visible' : 'invisible peer-checked:visible',
          )}
        >
          {mark}
        </span>
      </span>
      <ChoiceText id={inputId} label={label} hint={hint} hideLabel={hideLabel} />
    </span>
  );
}
