import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../button.tsx';
import { useUiWords } from '../ui-words.tsx';
import { useBottomBar } from '../use-bottom-bar.ts';

/** What can be done with the selected rows; it floats above the end of the page. */
export function SelectionBar({
  count,
  onClear,
  all,
  children,
}: {
  count: number;
  /** The way from these to all. */
  all?: ReactNode;
  onClear: () => void;
  children: ReactNode;
}) {
  const words = useUiWords();
  const bar = useBottomBar();
  if (count === 0) return null;
  return (
    <div ref={bar} className="pointer-events-none sticky bottom-4 layer-bar mt-4 flex justify-center">
      <div
        role="toolbar"
        aria-label={words.selected(count)}
        className="pointer-events-auto flex max-w-full flex-wrap items-center gap-1.5 rounded-xl border border-border bg-raised py-1.5 pr-1.5 pl-4 shadow-raised max-sm:w-full max-sm:pb-2.5"
      >
        <span
          role="status"
          className="mr-2 font-medium whitespace-nowrap tabular-nums max-sm:order-first max-sm:mr-0"
        >
          {words.selected(count)}
        </span>
        {/* On small screens the way out stands beside the number, and the acts begin a line of their own. */}
        {all ? <span className="max-sm:-order-2">{all}</span> : null}
        <span aria-hidden className="order-none hidden basis-full max-sm:block" />
        {children}
        <IconButton label={words.clearSelection} onClick={onClear} className="max-sm:-order-1 max-sm:ml-auto">
          <X aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}
