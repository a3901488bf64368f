import { Autocomplete } from '@base-ui/react/autocomplete';
import { useState, type KeyboardEvent } from 'react';
import { useNamedFieldAttributes } from '../field.tsx';
import { itemStyle, popupPlace } from '../overlays/popup-props.ts';
import { controlStyle } from './control-style.ts';
import { keepOnEscape } from './keep-on-escape.ts';
import { classNames } from '../class-names.ts';

export interface Suggestion {
  value: string;
  /** At its right, such as how many have it. */
  hint?: string | undefined;
}

export interface SuggestInputProps {
  value: string;
  onChange: (text: string) => void;
  suggestions: readonly Suggestion[];
  /** One of the suggestions was chosen; else it becomes the text. */
  onPick?: ((value: string) => void) | undefined;
  placeholder?: string | undefined;
  maxLength?: number | undefined;
  onBlur?: (() => void) | undefined;
  /** Not heard while one of the suggestions is marked. */
  onKeyDown?: ((event: KeyboardEvent<HTMLInputElement>) => void) | undefined;
  /** Needed outside a `Field`. */
  label?: string | undefined;
}

/** A text that may be any, with what is there already to choose from while it is typed. */
export function SuggestInput({
  value,
  onChange,
  suggestions,
  onPick,
  onKeyDown,
  onBlur,
  label,
  ...input
}: SuggestInputProps) {
  const attributes = useNamedFieldAttributes(label);
  const [isWanted, setWanted] = useState(false);
  const typed = value.trim().toLowerCase();
  const matches = suggestions.filter((suggestion) => suggestion.value.toLowerCase().includes(typed));
  // An open list hides the page from screen readers: one that says nothing new is not opened.
  const isNews = matches.some((suggestion) => suggestion.value.toLowerCase() !== typed);
  return (
    <Autocomplete.Root
      items={matches}
      filter={null}
      value={value}
      open={isWanted && isNews}
      onOpenChange={(open) => setWanted(open)}
      openOnInputClick
      itemToStringValue={(suggestion: Suggestion) => suggestion.value}
      onValueChange={(text, { reason }) =>
        reason === 'item-press' && onPick ? onPick(text) : onChange(text)
      }
    >
      <Autocomplete.Input
        {...attributes}
        onKeyDown={(event) => {
          keepOnEscape(event);
          if (event.currentTarget.getAttribute('aria-activedescendant')) return;
          if (event.key === 'Enter') setWanted(false);
          onKeyDown?.(event);
        }}
        {...input}
        // Who leaves the field empties it, and an empty text would open the list with everything in it.
        onBlur={() => {
          setWanted(false);
          onBlur?.();
        }}
        className={classNames(controlStyle, 'h-9')}
      />
      <Autocomplete.Portal>
        <Autocomplete.Positioner {...popupPlace}>
          <Autocomplete.Popup className="popup w-(--anchor-width) data-empty:hidden">
            <Autocomplete.List className="max-h-[min(18rem,var(--available-height))] overflow-y-auto overscroll-contain p-1">
              {(suggestion: Suggestion) => (
                <Autocomplete.Item key={suggestion.value} value={suggestion} className={itemStyle}>
                  <span dir="auto" className="min-w-0 flex-1 truncate">
                    {suggestion.value}
                  </span>
                  {suggestion.hint ? <span className="text-sm text-muted">{suggestion.hint}</span> : null}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}
