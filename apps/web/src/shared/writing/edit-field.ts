import type { MarkedSelection } from './text-marks.ts';

export function selectionOf(field: HTMLTextAreaElement): MarkedSelection {
  return { text: field.value, start: field.selectionStart, end: field.selectionEnd };
}

/** Writes as if it were typed, so that the browser can undo it and the field tells of it. */
export function editField(field: HTMLTextAreaElement, next: MarkedSelection): void {
  const before = field.value;
  if (before !== next.text) {
    const most = Math.min(before.length, next.text.length);
    let from = 0;
    while (from < most && before[from] === next.text[from]) from += 1;
    let kept = 0;
    while (kept < most - from && before.at(-1 - kept) === next.text.at(-1 - kept)) kept += 1;
    const added = next.text.slice(from, next.text.length - kept);
    field.focus();
    field.setSelectionRange(from, before.length - kept);
    if (!typeInto(added)) {
      field.setRangeText(added);
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
  }
  field.focus();
  field.setSelectionRange(next.start, next.end);
}

/** There is no other way that keeps what Ctrl+Z goes back to. */
function typeInto(added: string): boolean {
  try {
    return added === '' ? document.execCommand('delete') : document.execCommand('insertText', false, added);
  } catch {
    return false;
  }
}
