import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';

/** One part of the message in the editor, with a button that takes it out again. */
export function FormPart({
  title,
  removeLabel,
  onRemove,
  children,
}: {
  title: string;
  removeLabel?: string;
  onRemove?: () => void;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="rounded-card border border-border">
      <header className="flex min-h-10 items-center justify-between border-b border-border bg-surface py-1 pr-1.5 pl-4">
        <h3 className="font-medium">{title}</h3>
        {onRemove && removeLabel !== undefined ? (
          <IconButton label={removeLabel} size="small" onClick={onRemove}>
            <X aria-hidden />
          </IconButton>
        ) : null}
      </header>
      <div className="flex flex-col gap-4 p-4">{children}</div>
    </section>
  );
}
