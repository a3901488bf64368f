import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

/** A row of a list of what happened: one line, and behind it, by one press, the rest. */
export function OpeningRow({ line, children }: { line: ReactNode; children: ReactNode }) {
  return (
    <li className="py-2">
      <details>
        <summary className="flex cursor-pointer items-start gap-1.5 text-sm">
          <ChevronRight
            aria-hidden
            className="mt-0.5 size-4 shrink-0 transition-transform in-open:rotate-90"
          />
          <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">{line}</span>
        </summary>
        <div className="grid gap-2 py-2 pl-6 text-sm">{children}</div>
      </details>
    </li>
  );
}
