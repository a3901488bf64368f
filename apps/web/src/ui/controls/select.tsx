import { ChevronDown } from 'lucide-react';
import { classNames } from '../class-names.ts';
import { useNamedFieldAttributes } from '../field.tsx';
import { controlStyle } from './control-style.ts';
import { useLateTrigger } from '../overlays/late-trigger.tsx';
import type { SelectProps } from '../overlays/popup-props.ts';

export type { SelectOption, SelectProps } from '../overlays/popup-props.ts';

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
