import { ChevronDown, Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { controlStyle } from './controls/control-style.ts';
import { useFieldAttributes } from './field.tsx';
import { useUiWords } from './ui-words.tsx';

export interface InputProps extends ComponentProps<'input'> {
  /** An icon or short text inside, before what is typed. */
  start?: ReactNode;
  end?: ReactNode;
}

export function Input({ className, start, end, ...rest }: InputProps) {
  const attributes = useFieldAttributes();
  const input = (
    <input
      type="text"
      dir="auto"
      {...attributes}
      {...rest}
      className={classNames(controlStyle, 'h-9', start && 'pl-9', end && 'pr-10', className)}
    />
  );
  if (!start && !end) return input;
  return (
    <span className="relative block w-full">
      {start ? (
        <span className="pointer-events-none absolute inset-y-0 left-0 grid w-9 place-items-center text-muted [&_svg]:size-4">
          {start}
        </span>
      ) : null}
      {input}
      {end ? <span className="absolute inset-y-0 right-0.5 grid w-9 place-items-center">{end}</span> : null}
    </span>
  );
}

/** A password with a button that shows and hides it. With `onPeek` the button does that: nothing is written that could be shown. */
export function PasswordInput({
  onPeek,
  ...props
}: Omit<InputProps, 'type' | 'end'> & { onPeek?: () => void }) {
  const words = useUiWords();
  const [shown, setShown] = useState(false);
  const label = shown && !onPeek ? words.hidePassword : words.showPassword;
  return (
    <Input
      {...props}
      type={shown && !onPeek ? 'text' : 'password'}
      end={
        <button
          type="button"
          aria-label={label}
          title={label}
          onClick={onPeek ?? (() => setShown(!shown))}
          className="grid size-8 place-items-center rounded-md text-muted hover:text-text [&_svg]:size-4"
        >
          {shown && !onPeek ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        </button>
      }
    />
  );
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  const attributes = useFieldAttributes();
  return (
    <textarea
      rows={4}
      dir="auto"
      {...attributes}
      {...rest}
      className={classNames(controlStyle, 'block py-2 leading-5', className)}
    />
  );
}

/** Date and time without a zone (`2026-11-21T09:30`); the form says which zone it means. */
export function DateTimeInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const attributes = useFieldAttributes();
  return (
    <input
      type="datetime-local"
      {...attributes}
      {...rest}
      className={classNames(controlStyle, 'h-9 tabular-nums', className)}
    />
  );
}

/** The browser's own select, dressed as ours: for forms registered with react-hook-form and for small screens. */
export function NativeSelect({ className, children, ...rest }: ComponentProps<'select'>) {
  const attributes = useFieldAttributes();
  return (
    <span className="relative block w-full">
      <select
        {...attributes}
        {...rest}
        className={classNames(controlStyle, 'dressed-select h-9 pr-9', className)}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  );
}
