import { ArrowDown, ArrowUp, GripVertical, Trash2 } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { t } from '../../../shared/messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { useDrag } from './use-drag.ts';

interface OrderedListProps<Item extends { key: string }> {
  label: string;
  items: readonly Item[];
  nameOf: (index: number) => string;
  /** What it says: while one is dragged, names alone would be those of places. */
  wordsOf?: (item: Item) => string;
  onChange: (items: Item[]) => void;
  /** So many stay. */
  least?: number;
  children: (item: Item, index: number) => ReactNode;
}

/** Parts in an order that is changed by their buttons, or by dragging them with a mouse or a finger. */
export function OrderedList<Item extends { key: string }>({
  label,
  items,
  nameOf,
  wordsOf,
  onChange,
  least = 0,
  children,
}: OrderedListProps<Item>) {
  const list = useRef<HTMLOListElement>(null);
  const move = (from: number, to: number) => {
    const item = items[from];
    if (!item || to < 0 || to >= items.length || from === to) return;
    onChange(items.toSpliced(from, 1).toSpliced(to, 0, item));
  };
  // The focus stays with what was moved, and goes to the neighbour of what was removed: a button that is off would lose it.
  const focusAfter = useRef<{ key: string; wanted: readonly string[] }>(undefined);
  useEffect(() => {
    const after = focusAfter.current;
    focusAfter.current = undefined;
    if (!after) return;
    const part = list.current?.querySelector(`:scope > [data-key="${after.key}"]`);
    const found = after.wanted.flatMap((press) => [
      ...(part?.querySelectorAll<HTMLButtonElement>(`:scope > div > [data-press="${press}"]:enabled`) ?? []),
    ]);
    found[0]?.focus();
  });
  const step = (index: number, by: 1 | -1) => {
    const wanted = by === 1 ? ['down', 'up'] : ['up', 'down'];
    focusAfter.current = { key: items[index]?.key ?? '', wanted };
    move(index, index + by);
  };
  const remove = (index: number) => {
    const next = items[index + 1] ?? items[index - 1];
    if (next) focusAfter.current = { key: next.key, wanted: ['remove', 'down', 'up'] };
    onChange(items.toSpliced(index, 1));
  };
  const { dragged, minHeight, grip } = useDrag(list, {
    keys: items.map(({ key }) => key),
    onMove: move,
  });
  return (
    <ol ref={list} aria-label={label} className="flex flex-col gap-3" style={{ minHeight }}>
      {items.map((item, index) => (
        <li
          key={item.key}
          data-key={item.key}
          className={classNames(
            'rounded-card border border-border p-3',
            dragged === item.key && 'opacity-60',
          )}
        >
          <div className="mb-2 flex items-center gap-1">
            {/* A finger on it drags and does not scroll. */}
            <span
              aria-hidden
              data-grip
              className="cursor-grab touch-none p-1 text-muted select-none"
              onPointerDown={(event) => grip(event, item.key)}
            >
              <GripVertical className="size-4" />
            </span>
            <h4 className="min-w-0 flex-1 truncate text-sm font-medium">
              {nameOf(index)}
              {dragged !== undefined && wordsOf?.(item) ? (
                <bdi className="ml-2 font-normal text-muted">{wordsOf(item)}</bdi>
              ) : null}
            </h4>
            <IconButton
              label={t('rcs.moveUp', { name: nameOf(index) })}
              size="small"
              disabled={index === 0}
              data-press="up"
              onClick={() => step(index, -1)}
            >
              <ArrowUp aria-hidden />
            </IconButton>
            <IconButton
              label={t('rcs.moveDown', { name: nameOf(index) })}
              size="small"
              disabled={index === items.length - 1}
              data-press="down"
              onClick={() => step(index, 1)}
            >
              <ArrowDown aria-hidden />
            </IconButton>
            <IconButton
              label={t('rcs.remove', { name: nameOf(index) })}
              size="small"
              disabled={items.length <= least}
              data-press="remove"
              onClick={() => remove(index)}
            >
              <Trash2 aria-hidden />
            </IconButton>
          </div>
          {/* Cards are higher than the window: while one is dragged, all of them are in sight. */}
          <div hidden={dragged !== undefined}>{children(item, index)}</div>
        </li>
      ))}
    </ol>
  );
}
