import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { useNamedFieldAttributes } from '../field.tsx';
import { controlStyle } from './control-style.ts';
import { useLateTrigger } from '../overlays/late-trigger.tsx';

export interface SelectOption<Value extends string = string> {
  value: Value;
  label: string;
  hint?: string | undefined;
  icon?: ReactNode;
  disabled?: boolean | undefined;
}

export interface SelectProps<Value extends string> {
  value: Value | null;
  onChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
  /** Needed outside a `Field`. */
  label?: string | undefined;
  className?: string | undefined;
}

const CLOSED = { role: 'combobox', 'aria-haspopup': 'listbox', 'aria-expanded': false };

/** One of a few options. Inside a `Field` it takes its label and error from there. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, options, placeholder, disabled = false, label, className } = props;
  const attributes = useNamedFieldAttributes(label);
  const isUnset = value === null || value === '';
  const chosen = options.find((option) => option.value === value)?.label ?? value;
  const { element, parts, adopted } = useLateTrigger(
    <button
      type="button"
      {...attributes}
      disabled={disabled}
      className={classNames(
        controlStyle,
        'flex h-9 items-center justify-between gap-2 text-left data-popup-open:border-primary',
        className,
      )}
    >
      <span data-placeholder={isUnset ? '' : undefined} className="truncate data-placeholder:text-muted">
        {isUnset ? (placeholder ?? chosen) : chosen}
      </span>
      <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />
    </button>,
    CLOSED,
  );
  return (
    <>
      {element}
      {parts ? (
        <parts.SelectLayer {...props} trigger={adopted} id={'id' in attributes ? attributes.id : undefined} />
      ) : null}
    </>
  );
}
