import { ChevronDown } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';

/** Sections of one theme, below each other in one card. */
export function SettingsSections({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="min-w-0">
      <header className="mb-1 flex min-h-8 items-center justify-between gap-2 px-1">
        <h2 className="text-sm font-semibold text-muted">{title}</h2>
        {action}
      </header>
      <div className="divide-y divide-border rounded-card border border-border bg-raised">{children}</div>
    </section>
  );
}

export interface SettingsSectionProps {
  /** Its name in the address. */
  name: string;
  icon: ReactNode;
  title: string;
  /** What is set, in a line. */
  summary: string;
  purpose?: string | undefined;
  /** Not saved yet. */
  isChanged: boolean;
  /** It keeps the form from being saved. */
  isWrong: boolean;
  isOpen: boolean;
  /** How often somebody asked to be led here; its address does, too. */
  sought: number;
  onToggle: (isOpen: boolean) => void;
  children: ReactNode;
}

/** One theme of settings: closed it says what is set, and whether something of it is not saved or wrong. The browser's own search finds and opens what is closed. */
export function SettingsSection(props: SettingsSectionProps) {
  const { name, icon, title, summary, purpose, isChanged, isWrong, isOpen, sought, onToggle } = props;
  const head = useRef<HTMLElement>(null);
  useEffect(() => {
    if (sought === 0) return;
    head.current?.scrollIntoView({ block: 'start' });
    // A page that is opened leaves the focus where it begins.
    if (sought > 1) head.current?.focus({ preventScroll: true });
  }, [sought]);
  return (
    <details
      id={`section-${name}`}
      className="group min-w-0 scroll-mt-4"
      open={isOpen}
      // By the browser's own search; a press is heard below.
      onToggle={(event) => {
        if (event.currentTarget.open && !isOpen) onToggle(true);
      }}
    >
      <summary
        ref={head}
        onClick={(event) => {
          event.preventDefault();
          onToggle(!isOpen);
        }}
        className="flex min-h-15 cursor-pointer list-none items-center gap-3 rounded-card px-4 py-3 transition-colors hover:bg-hover focus-visible:-outline-offset-2 sm:px-5 [&::-webkit-details-marker]:hidden [&>svg]:size-4.5 [&>svg]:shrink-0"
      >
        <span aria-hidden className="shrink-0 text-muted [&_svg]:size-4.5">
          {icon}
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 font-semibold">
            {title}
            {isWrong ? (
              <Badge tone="danger">{t('settings.section.wrong')}</Badge>
            ) : isChanged ? (
              <Badge tone="warning">{t('settings.section.changed')}</Badge>
            ) : null}
          </span>
          <span dir="auto" className="line-clamp-2 text-sm wrap-anywhere text-muted sm:line-clamp-1">
            {summary}
          </span>
        </span>
        <ChevronDown
          aria-hidden
          className="text-muted transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <div className="px-4 pt-1 pb-5 sm:pr-5 sm:pl-12.5">
        {purpose ? <p className="mb-4 text-sm text-muted">{purpose}</p> : null}
        {props.children}
      </div>
    </details>
  );
}
