import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { classNames } from '../../../ui/class-names.ts';

export type Suggestion = { id: string; content: ReactNode };

/** What fits the word that is being typed. The text field keeps the focus and says which one is active. */
export function SuggestionList({
  id,
  label,
  items,
  active,
  onHover,
  onPick,
  empty,
  footer,
}: {
  id: string;
  label: string;
  items: readonly Suggestion[];
  active: number;
  onHover: (index: number) => void;
  onPick: (index: number) => void;
  empty: string;
  footer?: { label: string; path: string } | undefined;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div className="popup absolute inset-x-2 bottom-full layer-popup mb-1 flex max-h-[min(20rem,50dvh)] flex-col p-1">
      <div ref={list} role="listbox" id={id} aria-label={label} className="min-h-0 overflow-y-auto">
        {items.map(({ id: itemId, content }, index) => (
          <div
            key={itemId}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => onHover(index)}
            onClick={() => onPick(index)}
            className={classNames(
              'flex min-w-0 cursor-pointer items-start gap-3 rounded-md px-2.5 py-1.5',
              index === active && 'bg-hover',
            )}
          >
            {content}
          </div>
        ))}
      </div>
      {items.length === 0 ? (
        <p role="status" className="px-2.5 py-2 text-sm text-muted">
          {empty}
        </p>
      ) : null}
      {footer ? (
        <Link
          to={footer.path}
          onMouseDown={(event) => event.preventDefault()}
          className="mt-1 border-t border-border px-2.5 pt-2 pb-1 text-sm text-primary-text hover:underline"
        >
          {footer.label}
        </Link>
      ) : null}
    </div>
  );
}
