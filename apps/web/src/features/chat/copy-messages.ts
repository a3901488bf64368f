import { lineText } from '../../shared/conversations/message-line.tsx';
import { formatDateTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { authorName } from '../../shared/conversations/message-author.ts';
import type { TimelineItem } from './timeline-window.ts';

/** Several messages at once are copied with who said them and when; a part of one as it is marked. */
export function copyMessages(
  event: ClipboardEvent,
  items: readonly TimelineItem[],
  contactName: string,
): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !event.clipboardData) return;
  const marked = new Set(
    [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[data-message]')]
      .filter((row) => selection.containsNode(row, true))
      .map((row) => row.dataset.item),
  );
  if (marked.size < 2) return;
  const lines = items.filter(({ id }) => marked.has(id)).map((item) => lineOf(item, contactName));
  event.clipboardData.setData('text/plain', lines.join('\n'));
  event.preventDefault();
}

function lineOf(item: TimelineItem, contactName: string): string {
  const at = `[${formatDateTime(item.at)}]`;
  if (item.kind === 'note') return `${at} ${t('chat.note')}, ${item.author.name}: ${item.body}`;
  if (item.kind !== 'message') return at;
  const who = item.direction === 'in' ? contactName : authorName(item) || t('chat.you');
  return `${at} ${who}: ${item.isRevoked ? t('chat.deleted') : item.type === 'text' ? (item.text ?? '') : lineText(item)}`;
}
