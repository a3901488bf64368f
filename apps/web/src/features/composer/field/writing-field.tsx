import { useId, useState, type ClipboardEvent, type KeyboardEvent, type RefObject } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { selectionOf } from '../../../shared/writing/edit-field.ts';
import { markByKey } from '../../../shared/writing/mark-list.tsx';
import { SuggestionList, type Suggestion } from './suggestion-list.tsx';
import type { MarkedSelection } from '../../../shared/writing/text-marks.ts';

/** What is offered for the word at the caret; null while nothing is looked for. */
export type Offer = {
  label: string;
  items: readonly Suggestion[];
  empty: string;
  /** Where what is offered is looked after. */
  footer?: { label: string; path: string };
  pick(index: number): void;
};

const place = 'col-start-1 row-start-1 min-w-0 px-3 py-2.5 leading-6 wrap-anywhere';
/** Where one writes: grows with the text, sends by a key, marks words by keys, and offers what fits the word at the caret. */
export function WritingField({
  fieldRef,
  value,
  label,
  placeholder,
  describedBy,
  disabled = false,
  sendsOnEnter,
  hasStyles = true,
  offer,
  onChange,
  onCaret,
  onSubmit,
  onEscape,
  onOfferClosed,
  onFiles,
}: {
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  value: string;
  label: string;
  placeholder: string;
  describedBy?: string | undefined;
  disabled?: boolean;
  sendsOnEnter: boolean;
  /** Keys mark words as bold and its like. */
  hasStyles?: boolean;
  offer: Offer | null;
  onChange: (text: string) => void;
  onCaret: (selection: MarkedSelection) => void;
  onSubmit: () => void;
  /** Answers whether there was something to leave. */
  onEscape: () => boolean;
  /** The list was closed, or the field left, without a choice. */
  onOfferClosed?: (() => void) | undefined;
  onFiles?: ((files: File[]) => void) | undefined;
}) {
  const listId = useId();
  const [active, setActive] = useState(0);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const shown = offer && closedFor !== value ? offer : null;
  const at = Math.min(active, Math.max(0, (shown?.items.length ?? 0) - 1));

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    // Enter that ends a word of an input method sends nothing.
    if (event.nativeEvent.isComposing) return;
    if (shown && moveInOffer(event, shown)) return;
    const isMod = event.ctrlKey || event.metaKey;
    if (event.key === 'Enter' && !event.shiftKey && (isMod || (sendsOnEnter && !event.altKey))) {
      event.preventDefault();
      onSubmit();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      // Out of the field, the keys of the inbox are those of the conversation again.
      if (!onEscape()) event.currentTarget.blur();
    } else if (hasStyles) markByKey(event);
  }

  function moveInOffer(event: KeyboardEvent, { items, pick }: Offer): boolean {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && items.length > 0) setActive((at + step + items.length) % items.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && items[at] && !event.shiftKey) pick(at);
    else if (event.key === 'Escape') {
      setClosedFor(value);
      onOfferClosed?.();
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  function onPaste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files];
    // Office programs put a picture of the text beside the text.
    if (files.length === 0 || !onFiles || event.clipboardData.types.includes('text/plain')) return;
    event.preventDefault();
    onFiles(files);
  }

  return (
    <div className="relative min-w-0">
      {shown ? (
        <SuggestionList
          id={listId}
          {...{ label: shown.label, items: shown.items, empty: shown.empty, footer: shown.footer }}
          active={at}
          onHover={setActive}
          onPick={shown.pick}
        />
      ) : null}
      <div className="grid">
        {/* As high as the text, which gives the field its height. */}
        <div
          aria-hidden
          className={classNames(place, 'invisible max-h-[40dvh] overflow-hidden whitespace-pre-wrap')}
        >
          {`${value} `}
        </div>
        <textarea
          ref={fieldRef}
          rows={1}
          dir="auto"
          value={value}
          disabled={disabled}
          placeholder={placeholder}
          aria-label={label}
          aria-describedby={describedBy}
          role={shown ? 'combobox' : undefined}
          aria-expanded={shown ? true : undefined}
          aria-controls={shown ? listId : undefined}
          aria-autocomplete={shown ? 'list' : undefined}
          aria-activedescendant={shown && shown.items.length > 0 ? `${listId}-${at}` : undefined}
          enterKeyHint={sendsOnEnter ? 'send' : 'enter'}
          onChange={(event) => {
            setActive(0);
            onChange(event.target.value);
          }}
          onSelect={(event) => onCaret(selectionOf(event.currentTarget))}
          onKeyDown={onKeyDown}
          onBlur={onOfferClosed}
          onPaste={onPaste}
          className={classNames(
            place,
            'size-full min-h-0 resize-none overflow-y-auto bg-transparent outline-none placeholder:truncate placeholder:text-muted disabled:cursor-not-allowed',
          )}
        />
      </div>
    </div>
  );
}
