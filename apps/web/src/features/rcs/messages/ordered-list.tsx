import { ArrowDown, ArrowUp, GripVertical, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { t } from '../../../shared/messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';

interface OrderedListProps<Item extends { key: string }> {
  label: string;
  items: readonly Item[];
  nameOf: (index: number) => string;
  onChange: (items: Item[]) => void;
  /** So many stay. */
  least?: number;
  children: (item: Item, index: number) => ReactNode;
}

/** Parts in an order that is changed by their buttons, or by dragging them. */
export function OrderedList<Item extends { key: string }>({
  label,
  items,
  nameOf,
  onChange,
  least = 0,
  children,
}: OrderedListProps<Item>) {
  const [dragged, setDragged] = useState<string>();
  const list = useRef<HTMLOListElement>(null);
  const move = (from: number, to: number) => {
    const item = items[from];
    if (!item || to < 0 || to >= items.length || from === to) return;
    onChange(items.toSpliced(from, 1).toSpliced(to, 0, item));
  };
  useEffect(() => {
    const node = list.current;
    if (!node || dragged === undefined) return undefined;
    const over = (event: DragEvent) => {
      const key = (event.target as HTMLElement).closest<HTMLElement>('[data-key]')?.dataset['key'];
      const to = items.findIndex((item) => item.key === key);
      if (to === -1) return;
      event.preventDefault();
      move(
        items.findIndex((item) => item.key === dragged),
        to,
      );
    };
    node.addEventListener('dragover', over);
    return () => node.removeEventListener('dragover', over);
  });
  return (
    <ol ref={list} aria-label={label} className="flex flex-col gap-3">
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
            <span
              draggable
              aria-hidden
              className="cursor-grab text-muted"
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move';
                setDragged(item.key);
              }}
              onDragEnd={() => setDragged(undefined)}
            >
              <GripVertical className="size-4" />
            </span>
            <h4 className="min-w-0 flex-1 truncate text-sm font-medium">{nameOf(index)}</h4>
            <IconButton
              label={t('rcs.moveUp', { name: nameOf(index) })}
              size="small"
              disabled={index === 0}
              onClick={() => move(index, index - 1)}
            >
              <ArrowUp aria-hidden />
            </IconButton>
            <IconButton
              label={t('rcs.moveDown', { name: nameOf(index) })}
              size="small"
              disabled={index === items.length - 1}
              onClick={() => move(index, index + 1)}
            >
              <ArrowDown aria-hidden />
            </IconButton>
            <IconButton
              label={t('rcs.remove', { name: nameOf(index) })}
              size="small"
              disabled={items.length <= least}
              onClick={() => onChange(items.filter(({ key }) => key !== item.key))}
            >
              <Trash2 aria-hidden />
            </IconButton>
          </div>
          {children(item, index)}
        </li>
      ))}
    </ol>
  );
}
