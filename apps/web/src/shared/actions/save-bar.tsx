import type { ReactNode } from 'react';
import { useBottomBar } from '../../ui/use-bottom-bar.ts';

/** The buttons of a long form stay in sight at its end, and no notification covers them. */
export function SaveBar({ children }: { children: ReactNode }) {
  const bar = useBottomBar();
  return (
    <div
      ref={bar}
      className="sticky bottom-0 flex flex-wrap items-center justify-end gap-3 border-t border-border bg-surface py-3"
    >
      {children}
    </div>
  );
}
