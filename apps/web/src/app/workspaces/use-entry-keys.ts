import { useRef, type KeyboardEvent, type RefObject } from 'react';

/** Letters that follow within this time are one word. */
const WORD_MS = 700;

/**
 * Keys of a short list of links and buttons (`data-entry`, with the name that is typed for): arrows, Home and End move, letters go to the entry
 * that begins with them. In a field letters are the field's own.
 */
export function useEntryKeys(place: RefObject<HTMLElement | null>): (event: KeyboardEvent) => void {
  const word = useRef({ text: '', at: 0 });
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const entries = [...(place.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])];
    const at = entries.findIndex((entry) => entry === document.activeElement);
    const isInField = event.target instanceof HTMLInputElement;
    const next = findNext({ key: event.key, entries, at, isInField, word: word.current });
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
}

type Pressed = {
  key: string;
  entries: readonly HTMLElement[];
  at: number;
  isInField: boolean;
  word: { text: string; at: number };
};

function findNext({ key, entries, at, isInField, word }: Pressed): HTMLElement | undefined {
  if (key === 'ArrowDown') return entries[(at + 1) % entries.length];
  if (key === 'ArrowUp') return entries.at(at <= 0 ? -1 : at - 1);
  if (isInField) return undefined;
  if (key === 'Home') return entries[0];
  if (key === 'End') return entries.at(-1);
  if (key.length !== 1 || (key === ' ' && word.text === '')) return undefined;
  const now = Date.now();
  word.text = (now - word.at < WORD_MS ? word.text : '') + key.toLocaleLowerCase();
  word.at = now;
  return entries.find((entry) => entry.dataset['entry']?.toLocaleLowerCase().startsWith(word.text));
}
