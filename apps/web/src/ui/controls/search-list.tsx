import { Autocomplete } from '@base-ui/react/autocomplete';
import { classNames } from '../class-names.ts';
import { itemStyle } from '../overlays/popup-props.ts';
import { controlStyle } from './control-style.ts';
import type { SelectOption } from './select.tsx';

type Group = { value: number; items: SelectOption[] };

/** Options in groups below a field: typing leaves those whose name has the text. Enter and a press choose one. */
export function SearchList({
  groups,
  label,
  emptyText,
  onChoose,
}: {
  groups: readonly (readonly SelectOption[])[];
  /** Of the field. */
  label: string;
  emptyText: string;
  onChoose: (value: string) => void;
}) {
  return (
    <Autocomplete.Root
      open
      inline
      autoHighlight="always"
      items={groups.map((items, value): Group => ({ value, items: [...items] }))}
      itemToStringValue={(item: SelectOption) => item.label}
    >
      <Autocomplete.Input
        aria-label={label}
        placeholder={label}
        // For the popup around it; the library would clear the field.
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.preventBaseUIHandler();
        }}
        className={classNames(controlStyle, 'h-9 shrink-0')}
      />
      <Autocomplete.Empty className="text-sm text-muted">
        <div className="px-2.5 py-2">{emptyText}</div>
      </Autocomplete.Empty>
      <Autocomplete.List className="min-h-0 flex-1 overflow-y-auto overscroll-contain pt-1 data-empty:p-0">
        {({ value, items }: Group) => (
          <Autocomplete.Group
            key={value}
            items={items}
            className="border-t border-border py-1 first:border-0 last:pb-0"
          >
            <Autocomplete.Collection>
              {(option: SelectOption) => (
                <Autocomplete.Item
                  key={option.value}
                  value={option}
                  onClick={() => onChoose(option.value)}
                  className={itemStyle}
                >
                  {option.icon}
                  <span className="min-w-0 flex-1">{option.label}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}
