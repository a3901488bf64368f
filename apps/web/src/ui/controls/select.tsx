import { CSPProvider } from '@base-ui/react/csp-provider';
import { Select as BaseSelect } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { useNamedFieldAttributes } from '../field.tsx';
import { controlStyle } from './control-style.ts';
import { itemStyle } from '../overlays/menu.tsx';

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

/** One of a few options. Inside a `Field` it takes its label and error from there. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, onChange, options, placeholder, disabled = false, label, className } = props;
  const attributes = useNamedFieldAttributes(label);
  return (
    <BaseSelect.Root<Value>
      items={[...options]}
      value={value}
      disabled={disabled}
      modal={false}
      onValueChange={(next) => {
        if (next !== null) onChange(next);
      }}
    >
      <BaseSelect.Trigger
        {...attributes}
        className={classNames(
          controlStyle,
          'flex h-9 items-center justify-between gap-2 text-left data-popup-open:border-primary',
          className,
        )}
      >
        <BaseSelect.Value placeholder={placeholder} className="truncate data-placeholder:text-muted" />
        <BaseSelect.Icon>
          <ChevronDown aria-hidden className="size-4 text-muted" />
        </BaseSelect.Icon>
      </BaseSelect.Trigger>
      {/* The content policy refuses style elements; the one of Base UI only hides a scrollbar that we do not have. */}
      <CSPProvider disableStyleElements>
        <SelectPopup options={options} />
      </CSPProvider>
    </BaseSelect.Root>
  );
}

function SelectPopup({ options }: { options: readonly SelectOption[] }) {
  return (
    <BaseSelect.Portal>
      <BaseSelect.Positioner
        sideOffset={6}
        alignItemWithTrigger={false}
        collisionPadding={8}
        className="layer-popup outline-none select-none"
      >
        <BaseSelect.Popup className="popup min-w-[max(var(--anchor-width),10rem)]">
          <BaseSelect.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto overscroll-contain p-1">
            {options.map((option) => (
              <BaseSelect.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled === true}
                className={itemStyle}
              >
                {option.icon}
                <BaseSelect.ItemText className="min-w-0 flex-1 truncate">{option.label}</BaseSelect.ItemText>
                {option.hint ? <span className="text-sm text-muted">{option.hint}</span> : null}
                <BaseSelect.ItemIndicator>
                  <Check aria-hidden className="size-4 text-primary-text" />
                </BaseSelect.ItemIndicator>
              </BaseSelect.Item>
            ))}
          </BaseSelect.List>
        </BaseSelect.Popup>
      </BaseSelect.Positioner>
    </BaseSelect.Portal>
  );
}
