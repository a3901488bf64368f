import { useEffect, useRef, type ReactNode } from 'react';
import { isKeyTaken } from '../../shared/actions/page-shortcuts.ts';
import { useMediaQuery } from '../../ui/use-media-query.ts';

/** Beside the chat where there is room; else over a part of it, and it goes with Escape or a press beside it. */
export function SidePanel({
  label,
  onClose,
  children,
}: {
  label: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const isOver = useMediaQuery('(max-width: 1279.98px)');
  const panel = useRef<HTMLElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    if (!isOver) return undefined;
    const before = document.activeElement;
    const shown = panel.current;
    shown?.focus();
    return () => {
      const focused = document.activeElement;
      const isOurs = focused === document.body || shown?.contains(focused);
      if (isOurs && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [isOver]);
  useEffect(() => {
    if (!isOver) return undefined;
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Escape' || isKeyTaken(event)) return;
      // The keys of the inbox would leave the chat as well.
      event.preventDefault();
      close.current();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOver]);
  return (
    <>
      {isOver ? (
        <div
          aria-hidden
          data-beside=""
          className="absolute inset-0 bg-overlay max-md:hidden"
          // The focus stays where it is given back from.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onClose()}
        />
      ) : null}
      <aside
        ref={panel}
        aria-label={label}
        tabIndex={-1}
        className="flex w-full flex-col overflow-y-auto border-l border-border bg-raised outline-none max-xl:absolute max-xl:inset-y-0 max-xl:right-0 md:w-80 md:max-w-[85%] md:max-xl:shadow-raised xl:w-72 xl:shrink-0 2xl:w-80"
      >
        {children}
      </aside>
    </>
  );
}
