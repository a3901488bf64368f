import { Bold, Code, Italic, Strikethrough } from 'lucide-react';
import type { ReactNode } from 'react';
import { editField, selectionOf } from './edit-field.ts';
import { toggleMark, type TextMark } from './text-marks.ts';

/** The marks that a message knows, with the keys that set them. */
export const markList: { mark: TextMark; icon: ReactNode; keys: string }[] = [
  { mark: 'bold', icon: <Bold aria-hidden />, keys: 'Ctrl+B' },
  { mark: 'italic', icon: <Italic aria-hidden />, keys: 'Ctrl+I' },
  { mark: 'strike', icon: <Strikethrough aria-hidden />, keys: 'Ctrl+Shift+X' },
  { mark: 'mono', icon: <Code aria-hidden />, keys: 'Ctrl+Shift+M' },
];

const markKeys: Record<string, TextMark> = { b: 'bold', i: 'italic' };
const shiftedMarkKeys: Record<string, TextMark> = { x: 'strike', m: 'mono' };

export function markField(field: HTMLTextAreaElement, mark: TextMark): void {
  editField(field, toggleMark(selectionOf(field), mark));
}

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'preventDefault'>;

/** Sets the mark whose keys were pressed in the field. */
export function markByKey(event: Press & { currentTarget: HTMLTextAreaElement }): void {
  if ((!event.ctrlKey && !event.metaKey) || event.altKey) return;
  const mark = (event.shiftKey ? shiftedMarkKeys : markKeys)[event.key.toLowerCase()];
  if (!mark) return;
  event.preventDefault();
  markField(event.currentTarget, mark);
}
