import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface PageFrameProps {
  title: string;
  /** One line that says what the page is for. */
  purpose?: ReactNode;
  /** The way back to the list that the page belongs to, above the title. */
  back?: ReactNode;
  /** At the right of the title; on small screens below it, where the primary one takes the room that is left. */
  actions?: ReactNode;
  summary?: ReactNode;
  toolbar?: ReactNode;
  children: ReactNode;
}

/** The frame of every page: title, purpose and actions, summary cards, toolbar, content. */
export function PageFrame({ title, purpose, back, actions, summary, toolbar, children }: PageFrameProps) {
  useEffect(() => {
    document.title = `${title} · WhatsApp Marketing Pro`;
  }, [title]);
  return (
    <div className="mx-auto flex w-full max-w-[88rem] flex-col gap-5 px-4 py-5 sm:px-6 lg:px-8 lg:py-7">
      {/* On small screens a menu alone stands beside the title; what else can be done has a line of its own. */}
      <header className="group/head flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 max-sm:basis-full max-sm:group-has-[[data-actions]>[aria-haspopup]:only-child]/head:flex-1 max-sm:group-has-[[data-actions]>[aria-haspopup]:only-child]/head:basis-0">
          {back ? <div className="mb-1">{back}</div> : null}
          <h1 className="text-xl leading-8 font-semibold tracking-tight wrap-anywhere outline-none">
            <bdi>{title}</bdi>
          </h1>
          {purpose ? <p className="text-pretty text-muted">{purpose}</p> : null}
        </div>
        {actions ? (
          <div
            data-actions
            className="flex flex-wrap items-center gap-2 empty:hidden max-sm:not-has-[>[aria-haspopup]:only-child]:w-full max-sm:*:data-[variant=primary]:flex-1"
          >
            {actions}
          </div>
        ) : null}
      </header>
      {summary}
      {toolbar}
      <div className="min-w-0">{children}</div>
    </div>
  );
}

/** A raised panel with an optional heading: the piece that pages are made of. */
export function Panel({
  title,
  purpose,
  actions,
  className,
  flush = false,
  children,
}: {
  title?: ReactNode;
  purpose?: ReactNode;
  actions?: ReactNode;
  className?: string | undefined;
  /** No padding around the content: for lists and tables. */
  flush?: boolean | undefined;
  children: ReactNode;
}) {
  return (
    <section
      className={classNames('flex min-w-0 flex-col rounded-card border border-border bg-raised', className)}
    >
      {title ? (
        <header className="flex flex-wrap items-start justify-between gap-2 px-5 pt-4 pb-1">
          <div className="min-w-0 flex-1 basis-40">
            <h2 className="font-semibold">{title}</h2>
            {purpose ? <p className="text-sm text-muted">{purpose}</p> : null}
          </div>
          {actions ? <div className="flex flex-wrap items-center gap-1">{actions}</div> : null}
        </header>
      ) : null}
      <div className={classNames('min-w-0 flex-1', flush ? 'pb-1' : 'px-5 py-4')}>{children}</div>
    </section>
  );
}

/** Cards side by side, as many as fit. */
export function CardGrid({ children, label }: { children: ReactNode; label?: string | undefined }) {
  return (
    <ul
      aria-label={label}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4 [&>li]:flex [&>li]:min-w-0 [&>li]:flex-col"
    >
      {children}
    </ul>
  );
}

/** One card of a `CardGrid`. */
export function Card({
  title,
  badges,
  menu,
  footer,
  className,
  children,
}: {
  title: ReactNode;
  badges?: ReactNode;
  menu?: ReactNode;
  footer?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <li
      className={classNames(
        'rounded-card border border-border bg-raised transition-colors focus-within:border-control hover:border-control',
        className,
      )}
    >
      <div className="flex items-start gap-2 px-4 pt-3.5">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold wrap-anywhere">{title}</h2>
          {badges ? <div className="mt-1.5 flex flex-wrap gap-1.5">{badges}</div> : null}
        </div>
        {menu ? <div className="-mt-1 -mr-1.5 shrink-0">{menu}</div> : null}
      </div>
      <div className="min-w-0 flex-1 px-4 pt-3 pb-4">{children}</div>
      {footer ? (
        <div className="flex flex-wrap items-center justify-between gap-2 border-t border-border px-4 py-2.5 text-sm text-muted">
          {footer}
        </div>
      ) : null}
    </li>
  );
}
