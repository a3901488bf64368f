import { CircleAlert } from 'lucide-react';
import { createContext, use, useId } from 'react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface FieldWiring {
  id: string;
  labelId: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
}

const FieldContext = createContext<FieldWiring | undefined>(undefined);

/** The label, hint and error around the control inside it; undefined outside a `Field`. */
function useField(): FieldWiring | undefined {
  return use(FieldContext);
}

/** The attributes that tie a native control to the `Field` around it. */
export function useFieldAttributes() {
  const field = useField();
  if (!field) return {};
  return {
    id: field.id,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
    'aria-required': field.required || undefined,
  };
}

/** The same of a control of our own: its name too, as the visible label is hidden from screen readers while a list is open. `label` names it outside of a `Field`. */
export function useNamedFieldAttributes(label: string | undefined) {
  const field = useField();
  const attributes = useFieldAttributes();
  return field ? { ...attributes, 'aria-labelledby': field.labelId } : { 'aria-label': label };
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Shown under the control and read with it; the control is then marked invalid. */
  error?: string | undefined;
  required?: boolean | undefined;
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean | undefined;
  /** Something at the right of the label, such as a link or a counter. */
  aside?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** Wires one control (Input, Textarea, Select, Combobox, DateTimeInput…) to its label, hint and error. */
export function Field({
  label,
  hint,
  error,
  required = false,
  hideLabel,
  aside,
  className,
  children,
}: FieldProps) {
  const id = useId();
  const describedBy =
    [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined;
  const wiring = { id, labelId: `${id}-label`, describedBy, invalid: Boolean(error), required };
  return (
    <FieldContext value={wiring}>
      <div className={classNames('flex min-w-0 flex-col gap-1.5', className)}>
        <div className={classNames('flex items-baseline justify-between gap-2', hideLabel && 'sr-only')}>
          <label id={wiring.labelId} htmlFor={id} className="min-w-0 font-medium">
            {label}
          </label>
          {aside ? <span className="text-sm text-muted">{aside}</span> : null}
        </div>
        {children}
        {hint ? (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        ) : null}
        {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      </div>
    </FieldContext>
  );
}

export function FieldError({ id, children }: { id?: string | undefined; children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 text-sm text-danger">
      <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

/** A titled group of controls such as radios. */
export function FieldGroup({
  legend,
  hint,
  error,
  children,
  className,
}: {
  legend: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  children: ReactNode;
  className?: string | undefined;
}) {
  const id = useId();
  return (
    <fieldset
      className={classNames('flex min-w-0 flex-col gap-2', className)}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className="mb-1.5 font-medium">{legend}</legend>
      {hint ? <p className="text-sm text-muted">{hint}</p> : null}
      {children}
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
    </fieldset>
  );
}
