import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Banner } from './states.tsx';

/** A way on with what was typed. */
export interface WayOn {
  label: string;
  onSelect: () => void;
}

/** Somebody else saved, or deleted, what is being edited: nothing is overwritten until the person has chosen a way on. */
export function ConflictBanner({
  isGone = false,
  ways,
  children,
}: {
  /** It was deleted. */
  isGone?: boolean | undefined;
  ways: readonly WayOn[];
  /** What happened, as one sentence or as paragraphs. */
  children: ReactNode;
}) {
  return (
    <Banner
      tone={isGone ? 'danger' : 'warning'}
      action={
        ways.length === 0 ? undefined : (
          <span className="flex flex-wrap gap-2">
            {ways.map(({ label, onSelect }) => (
              <Button key={label} size="small" onClick={onSelect}>
                {label}
              </Button>
            ))}
          </span>
        )
      }
    >
      {children}
    </Banner>
  );
}
