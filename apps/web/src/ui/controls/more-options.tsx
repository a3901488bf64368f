import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';

/** Rarely used fields of a form, behind one press. They are open from the start when one of them is set (`isUsed`). */
export function MoreOptions({
  label,
  isUsed,
  children,
}: {
  label: string;
  isUsed: boolean;
  children: ReactNode;
}) {
  const [startsOpen] = useState(isUsed);
  return (
    <details className="group/more" open={startsOpen || undefined}>
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-4 text-muted transition-transform group-open/more:rotate-90"
        />
        {label}
      </summary>
      <div className="mt-3 grid min-w-0 gap-5">{children}</div>
    </details>
  );
}
