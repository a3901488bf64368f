import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useChannelNames } from '../../shared/conversations/channel-names.ts';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { t } from '../../shared/messages.ts';
import { useEndReached } from '../../ui/table/use-table-scroll.ts';
import { ConversationRow, rowHeight, type RowElsewhere } from './conversation-row.tsx';

const heightAt = (rows: readonly Conversation[], index: number) => {
  const row = rows[index];
  return row ? rowHeight(row) : 0;
};

/** The rows that are in sight, and a few beyond. */
export function ConversationRows({
  rows,
  openId,
  selected,
  onSelect,
  onEndReached,
  elsewhere,
}: {
  rows: readonly Conversation[];
  openId: string | undefined;
  selected: ReadonlySet<string>;
  onSelect: ((id: string, on: boolean, range: boolean) => void) | undefined;
  onEndReached: (() => void) | undefined;
  elsewhere?: RowElsewhere | undefined;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const channels = useChannelNames();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightAt(rows, index),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 6,
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEndReached(last, rows.length, 'ready', onEndReached);
  const openIndex = rows.findIndex(({ id }) => id === openId);
  // The one that is open stays in sight when keys lead to it.
  useEffect(() => {
    if (openIndex >= 0) virtual.scrollToIndex(openIndex, { align: 'auto' });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- not when rows move above it
  }, [openId]);

  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain" tabIndex={-1}>
      <ul aria-label={t('inbox.list')} className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ key, index, start, size }) => {
          const conversation = rows[index];
          if (!conversation) return null;
          return (
            <li
              key={key}
              aria-posinset={index + 1}
              aria-setsize={onEndReached ? -1 : rows.length}
              className="absolute inset-x-0"
              style={{ height: size, transform: `translateY(${start}px)` }}
            >
              <ConversationRow
                conversation={conversation}
                channel={channels?.get(conversation.channelId)?.short}
                isOpen={conversation.id === openId}
                isSelected={selected.has(conversation.id)}
                onSelect={onSelect}
                elsewhere={elsewhere}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
