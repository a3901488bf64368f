import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../button.tsx';
import { useUiWords } from '../ui-words.tsx';
import { useBottomBar } from '../use-bottom-bar.ts';

/** What can be done with the selected rows; it floats above the end of the page. */
export function SelectionBar({
  count,
  onClear,
  children,
}: {
  count: number;
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
        className="pointer-events-auto flex max-w-full flex-wrap items-center gap-1.5 rounded-xl border border-border bg-raised py-1.5 pr-1.5 pl-4 shadow-raised"
      >
        <span role="status" className="mr-2 font-medium whitespace-nowrap tabular-nums">
          {words.selected(count)}
        </span>
        {children}
        <IconButton label={words.clearSelection} onClick={onClear}>
          <X aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}
