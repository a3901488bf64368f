import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { t } from '../../shared/messages.ts';

/** Stands in for a page that cannot be shown: what happened, in the spec's words, and the way on. */
export function PageMessage({
  icon,
  title,
  text,
  children,
  actions,
  isAlert = false,
}: {
  icon: ReactNode;
  title: string;
  text: string;
  children?: ReactNode;
  actions: ReactNode;
  isAlert?: boolean;
}) {
  useEffect(() => {
    document.title = `${title} · ${t('common.brand')} ${t('common.brandSubtitle')}`;
  }, [title]);
  return (
    <div
      role={isAlert ? 'alert' : undefined}
      className="grid min-h-[60dvh] place-items-center p-6 text-center"
    >
      <div className="max-w-xl min-w-0">
        <span
          aria-hidden
          className="mx-auto mb-3 grid size-12 place-items-center rounded-full bg-sunken text-muted [&_svg]:size-5"
        >
          {icon}
        </span>
        <h1 className="text-xl font-semibold">{title}</h1>
        <p className="mt-1 text-pretty text-muted">{text}</p>
        {children}
        <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>
      </div>
    </div>
  );
}
