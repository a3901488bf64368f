import { Combobox as BaseCombobox } from '@base-ui/react/combobox';
import { Check, ChevronDown, LoaderCircle, X } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import { classNames } from '../class-names.ts';
import { useNamedFieldAttributes } from '../field.tsx';
import { controlStyle } from './control-style.ts';
import { itemStyle, popupPlace } from '../overlays/popup-props.ts';
import type { SelectOption } from './select.tsx';
import { useUiWords } from '../ui-words.tsx';
import { keepOnEscape } from './keep-on-escape.ts';
import { isPlainEnter } from './plain-enter.ts';
import { offlineSearchText } from './searched-here-text.ts';

interface ComboboxBase {
  options: readonly SelectOption[];
  /** When given, the caller searches (a query by this text) and `options` are its results. */
  onSearch?: ((text: string) => void) | undefined;
  loading?: boolean | undefined;
  /** Without a connection: among so many on this device the `options` were found. */
  searchedHere?: number | undefined;
  placeholder?: string | undefined;
  emptyText?: string | undefined;
  disabled?: boolean | undefined;
  /** Needed outside a `Field`. */
  label?: string | undefined;
}

/** Tab takes the option that typing or the arrows have marked, and goes on; one that the pointer happens to lie over is not meant. */
function useTabChoice() {
  const isPointed = useRef(false);
  return {
    onItemHighlighted: (_: SelectOption | undefined, { reason }: { reason: string }) => {
      isPointed.current = reason === 'pointer';
    },
    takeOnTab({ key, shiftKey, currentTarget }: KeyboardEvent<HTMLElement>) {
      const marked = currentTarget.getAttribute('aria-activedescendant');
      if (key === 'Tab' && !shiftKey && marked && !isPointed.current)
        document.getElementById(marked)?.click();
    },
  };
}

export interface ComboboxProps extends ComboboxBase {
  value: SelectOption | null;
  onChange: (option: SelectOption | null) => void;
}

/** One of many options, found by typing. */
export function Combobox(props: ComboboxProps) {
  const { value, onChange, options, onSearch, placeholder, disabled = false, label } = props;
  const words = useUiWords();
  const attributes = useNamedFieldAttributes(label);
  const { onItemHighlighted, takeOnTab } = useTabChoice();
  return (
    <BaseCombobox.Root<SelectOption>
      items={withChosen(options, value ? [value] : [])}
      autoHighlight
      onItemHighlighted={onItemHighlighted}
      value={value}
      disabled={disabled}
      onValueChange={(next) => onChange(next)}
      onInputValueChange={(text, { reason }) => {
        if (reason !== 'item-press') onSearch?.(text);
      }}
      isItemEqualToValue={(item, chosen) => item.value === chosen.value}
      {...(onSearch ? { filter: null } : {})}
    >
      <BaseCombobox.InputGroup className="relative">
        <BaseCombobox.Input
          {...attributes}
          placeholder={placeholder}
          onKeyDown={(event) => {
            keepOnEscape(event);
            takeOnTab(event);
          }}
          className={classNames(controlStyle, 'h-9 pr-16')}
        />
        <span className="absolute inset-y-0 right-1.5 flex items-center">
          <BaseCombobox.Clear
            aria-label={words.clear}
            className="grid size-6 place-items-center rounded text-muted hover:bg-hover hover:text-text"
          >
            <X aria-hidden className="size-4" />
          </BaseCombobox.Clear>
          <BaseCombobox.Trigger
            aria-label={label ?? words.search}
            className="grid size-6 place-items-center rounded text-muted hover:text-text"
          >
            <ChevronDown aria-hidden className="size-4" />
          </BaseCombobox.Trigger>
        </span>
      </BaseCombobox.InputGroup>
      <ComboboxPopup {...props} />
    </BaseCombobox.Root>
  );
}

export interface MultiSelectProps extends ComboboxBase {
  value: readonly SelectOption[];
  onChange: (options: SelectOption[]) => void;
  /** Lets people add what they typed; called with the trimmed text on Enter. */
  onCreate?: ((text: string) => void) | undefined;
}

/** Several of many options as chips, found by typing. */
export function MultiSelect(props: MultiSelectProps) {
  const { value, onChange, options, onSearch, onCreate, placeholder, disabled = false, label } = props;
  const words = useUiWords();
  const attributes = useNamedFieldAttributes(label);
  const [text, setText] = useState('');
  const [highlighted, setHighlighted] = useState(false);
  const { onItemHighlighted, takeOnTab } = useTabChoice();

  function change(next: string) {
    setText(next);
    onSearch?.(next);
  }

  return (
    <BaseCombobox.Root<SelectOption, true>
      multiple
      items={withChosen(options, value)}
      value={[...value]}
      disabled={disabled}
      inputValue={text}
      onInputValueChange={(next) => change(next)}
      // Where a new word may be added, Enter adds what was typed.
      autoHighlight={!onCreate}
      onItemHighlighted={(item, details) => {
        setHighlighted(item !== undefined);
        onItemHighlighted(item, details);
      }}
      onValueChange={(next) => {
        onChange(next);
        change('');
      }}
      isItemEqualToValue={(item, chosen) => item.value === chosen.value}
      {...(onSearch ? { filter: null } : {})}
    >
      <BaseCombobox.InputGroup
        className={classNames(
          controlStyle,
          'min-h-9 px-1.5 py-1 focus-within:border-primary focus-within:outline-2 focus-within:outline-(--ring)',
        )}
      >
        <BaseCombobox.Chips className="flex flex-wrap items-center gap-1">
          {value.map((option) => (
            <BaseCombobox.Chip
              key={option.value}
              aria-label={option.label}
              className="flex h-6 max-w-56 items-center gap-0.5 rounded-md bg-neutral-soft pl-2 text-sm outline-none focus-within:bg-primary-soft data-highlighted:bg-primary-soft"
            >
              <span className="truncate">{option.label}</span>
              <BaseCombobox.ChipRemove
                aria-label={words.remove(option.label)}
                className="grid size-6 place-items-center rounded text-muted hover:text-text"
              >
                <X aria-hidden className="size-3.5" />
              </BaseCombobox.ChipRemove>
            </BaseCombobox.Chip>
          ))}
          <BaseCombobox.Input
            {...attributes}
            // Its text is empty although something is chosen.
            {...(value.length > 0 && { 'aria-required': undefined })}
            placeholder={value.length === 0 ? placeholder : ''}
            onKeyDown={(event) => {
              keepOnEscape(event);
              takeOnTab(event);
              const typed = text.trim();
              if (!isPlainEnter(event) || !onCreate || highlighted || typed === '') return;
              event.preventDefault();
              onCreate(typed);
              change('');
            }}
            className="h-6 min-w-20 flex-1 bg-transparent pr-1.5 outline-none! not-first:pl-1.5"
          />
        </BaseCombobox.Chips>
      </BaseCombobox.InputGroup>
      <ComboboxPopup {...props} />
    </BaseCombobox.Root>
  );
}

function ComboboxPopup({ emptyText, loading, searchedHere }: ComboboxBase) {
  const words = useUiWords();
  return (
    <BaseCombobox.Portal>
      <BaseCombobox.Positioner {...popupPlace}>
        <BaseCombobox.Popup className="popup w-(--anchor-width)" aria-busy={loading || undefined}>
          <BaseCombobox.Status className="flex items-center gap-2 px-3 text-sm text-muted">
            {loading ? (
              <span className="flex items-center gap-2 py-2">
                <LoaderCircle aria-hidden className="size-4 animate-spin" />
                {words.loading}
              </span>
            ) : null}
            {searchedHere === undefined ? null : (
              <span className="py-2 text-warning">{offlineSearchText(searchedHere)}</span>
            )}
          </BaseCombobox.Status>
          <BaseCombobox.Empty className="text-sm text-muted">
            {loading || searchedHere === 0 ? null : (
              <div className="px-3 py-2.5">{emptyText ?? words.noMatches}</div>
            )}
          </BaseCombobox.Empty>
          <BaseCombobox.List className="max-h-[min(18rem,var(--available-height))] overflow-y-auto overscroll-contain p-1 data-empty:p-0">
            {(option: SelectOption) => (
              <BaseCombobox.Item key={option.value} value={option} className={itemStyle}>
                {option.icon}
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{option.label}</span>
                  {option.hint ? (
                    <span className="block truncate text-sm text-muted">{option.hint}</span>
                  ) : null}
                </span>
                <BaseCombobox.ItemIndicator>
                  <Check aria-hidden className="size-4 text-primary-text" />
                </BaseCombobox.ItemIndicator>
              </BaseCombobox.Item>
            )}
          </BaseCombobox.List>
        </BaseCombobox.Popup>
      </BaseCombobox.Positioner>
    </BaseCombobox.Portal>
  );
}

// A chosen option must stay known to the list even when the current search does not return it.
function withChosen(options: readonly SelectOption[], chosen: readonly SelectOption[]): SelectOption[] {
  const known = new Set(options.map((option) => option.value));
  return [...options, ...chosen.filter((option) => !known.has(option.value))];
}
