import { MessageCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../shared/messages.ts';
import { PageFrame } from '../ui/page-frame.tsx';
import { Skeleton } from '../ui/states.tsx';

/**
 * The dashboard around a page before any script has run: the same places as `dashboard-frame.tsx` and `sidebar.tsx`, with
 * nothing in them that depends on who is signed in.
 */
export function PageShell({
  title,
  purpose,
  summary,
}: {
  title: string;
  purpose: string;
  summary?: ReactNode;
}) {
  return (
    <div className="flex h-dvh overflow-hidden">
      <div className="hidden w-64 shrink-0 flex-col border-r border-border bg-raised lg:flex">
        <Brand />
        <Lines />
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex h-13 shrink-0 items-center border-b border-border bg-raised pr-2 pl-13 lg:hidden">
          <span className="font-semibold">{t('common.brand')}</span>
        </div>
        <main aria-busy className="min-h-0 flex-1 overflow-hidden">
          <p role="status" className="sr-only">
            {t('common.loading')}
          </p>
          <PageFrame title={title} purpose={purpose} summary={summary}>
            <div className="flex h-96 flex-col gap-7 overflow-hidden rounded-card border border-border bg-raised p-5">
              {Array.from({ length: 7 }, (_, index) => (
                <Skeleton key={index} className={index % 2 ? 'w-3/5' : 'w-4/5'} />
              ))}
            </div>
          </PageFrame>
        </main>
      </div>
    </div>
  );
}

function Brand() {
  return (
    <div className="flex items-center gap-3 px-4 pt-4 pb-3">
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center rounded-card bg-primary text-on-primary"
      >
        <MessageCircle className="size-5" />
      </span>
      <span className="min-w-0">
        <span className="block leading-5 font-semibold">{t('common.brand')}</span>
        <span className="block text-sm text-muted">{t('common.brandSubtitle')}</span>
      </span>
    </div>
  );
}

/** Where the workspace, the search and the entries of the menu will stand. */
function Lines() {
  return (
    <div className="flex flex-col px-3">
      <span className="mb-2 flex h-9 items-center px-3">
        <Skeleton className="h-3 w-32" />
      </span>
      <span className="mb-2 h-9 rounded-card border border-border bg-surface" />
      {Array.from({ length: 10 }, (_, index) => (
        <span key={index} className="flex h-8 items-center gap-3 px-3">
          <Skeleton className="size-4" />
          <Skeleton className={index % 2 ? 'h-3 w-24' : 'h-3 w-32'} />
        </span>
      ))}
    </div>
  );
}
