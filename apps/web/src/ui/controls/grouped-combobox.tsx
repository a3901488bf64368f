import { Combobox as BaseCombobox } from '@base-ui/react/combobox';
import { Check, ChevronDown } from 'lucide-react';
import { classNames } from '../class-names.ts';
import { useNamedFieldAttributes } from '../field.tsx';
import { itemStyle, popupPlace } from '../overlays/popup-props.ts';
import { useUiWords } from '../ui-words.tsx';
import { controlStyle } from './control-style.ts';
import { keepOnEscape } from './keep-on-escape.ts';
import type { SelectOption } from './select.tsx';

export interface OptionGroup {
  label: string;
  options: readonly SelectOption[];
}

/** One of many options that stand in groups, found by typing. There is always one chosen: what was typed and finds nothing is forgotten. */
export function GroupedCombobox({
  value,
  groups,
  onChange,
  label,
  placeholder,
}: {
  value: SelectOption;
  groups: readonly OptionGroup[];
  onChange: (option: SelectOption) => void;
  /** Needed outside a `Field`. */
  label?: string | undefined;
  placeholder?: string | undefined;
}) {
  const words = useUiWords();
  const attributes = useNamedFieldAttributes(label);
  return (
    <BaseCombobox.Root<SelectOption>
      items={groups.map((group) => ({ value: group.label, items: [...group.options] }))}
      value={value}
      autoHighlight
      onValueChange={(next) => {
        if (next) onChange(next);
      }}
      isItemEqualToValue={(item, chosen) => item.value === chosen.value}
    >
      <BaseCombobox.InputGroup className="relative">
        <BaseCombobox.Input
          {...attributes}
          placeholder={placeholder}
          // The whole of it, so that the first letter begins a new search.
          onFocus={(event) => event.currentTarget.select()}
          onKeyDown={keepOnEscape}
          className={classNames(controlStyle, 'h-9 truncate pr-9')}
        />
        <BaseCombobox.Trigger
          aria-label={label ?? words.search}
          tabIndex={-1}
          className="absolute inset-y-0 right-1.5 my-auto grid size-6 place-items-center rounded text-muted hover:text-text"
        >
          <ChevronDown aria-hidden className="size-4" />
        </BaseCombobox.Trigger>
      </BaseCombobox.InputGroup>
      <BaseCombobox.Portal>
        <BaseCombobox.Positioner {...popupPlace}>
          <BaseCombobox.Popup className="popup w-[max(var(--anchor-width),20rem)] max-w-(--available-width)">
            <BaseCombobox.Empty className="text-sm text-muted">
              <div className="px-3 py-2.5">{words.noMatches}</div>
            </BaseCombobox.Empty>
            <BaseCombobox.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto overscroll-contain p-1 data-empty:p-0">
              {(group: { value: string; items: SelectOption[] }) => (
                <BaseCombobox.Group key={group.value} items={group.items} className="pb-1">
                  <BaseCombobox.GroupLabel className="px-2.5 pt-2 pb-1 text-sm font-medium text-muted">
                    {group.value}
                  </BaseCombobox.GroupLabel>
                  <BaseCombobox.Collection>
                    {(option: SelectOption) => (
                      <BaseCombobox.Item key={option.value} value={option} className={itemStyle}>
                        <span className="min-w-0 flex-1">{option.label}</span>
                        <BaseCombobox.ItemIndicator>
                          <Check aria-hidden className="size-4 text-primary-text" />
                        </BaseCombobox.ItemIndicator>
                      </BaseCombobox.Item>
                    )}
                  </BaseCombobox.Collection>
                </BaseCombobox.Group>
              )}
            </BaseCombobox.List>
          </BaseCombobox.Popup>
        </BaseCombobox.Positioner>
      </BaseCombobox.Portal>
    </BaseCombobox.Root>
  );
}
