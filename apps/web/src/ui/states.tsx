import { CircleAlert, CloudOff, Inbox, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { useIsOffline } from './connection.tsx';
import { useUiWords } from './ui-words.tsx';

/** Nothing here: the spec's sentence as title, what to do next as action. */
export function EmptyState({
  title,
  text,
  icon,
  action,
  className,
}: {
  title: string;
  text?: ReactNode;
  icon?: ReactNode;
  action?: ReactNode;
  className?: string | undefined;
}) {
  return (
    <div
      className={classNames('flex flex-col items-center justify-center px-6 py-14 text-center', className)}
    >
      <span
        aria-hidden
        className="mb-3 grid size-11 place-items-center rounded-full bg-sunken text-muted [&_svg]:size-5"
      >
        {icon ?? <Inbox />}
      </span>
      <p className="font-semibold">{title}</p>
      {text ? <p className="mt-1 max-w-md text-pretty text-muted">{text}</p> : null}
      {action ? <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  );
}

/** Something could not be loaded; it says why and offers another try. */
export function ErrorState({
  title,
  text,
  onRetry,
  className,
}: {
  title?: string | undefined;
  text?: ReactNode;
  onRetry?: (() => void) | undefined;
  className?: string | undefined;
}) {
  const words = useUiWords();
  return (
    <div
      role="alert"
      className={classNames('flex flex-col items-center justify-center px-6 py-14 text-center', className)}
    >
      <span
        aria-hidden
        className="mb-3 grid size-11 place-items-center rounded-full bg-danger-soft text-danger"
      >
        <CircleAlert className="size-5" />
      </span>
      <p className="font-semibold">{title ?? words.errorTitle}</p>
      {text ? <p className="mt-1 max-w-md text-pretty text-muted">{text}</p> : null}
      {onRetry ? (
        <Button className="mt-4" icon={<RotateCw aria-hidden />} onClick={onRetry}>
          {words.retry}
        </Button>
      ) : null}
    </div>
  );
}

/** A block in the shape of what is being loaded. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <span aria-hidden className={classNames('skeleton block h-4', className)} />;
}

/** In place of what was asked for and is not on this device; it comes by itself with the connection. */
export function OfflineState({ action }: { action?: ReactNode }) {
  const words = useUiWords();
  return (
    <EmptyState icon={<CloudOff />} title={words.offlineTitle} text={words.offlineText} action={action} />
  );
}

/** Skeletons for a whole region, announced once as loading; without a connection it says that nothing is on its way. */
export function SkeletonRegion({
  children,
  className,
}: {
  children: ReactNode;
  className?: string | undefined;
}) {
  const words = useUiWords();
  const isOffline = useIsOffline();
  if (isOffline) {
    return (
      <div role="status">
        <OfflineState />
      </div>
    );
  }
  return (
    <div role="status" className={className}>
      <span className="sr-only">{words.loading}</span>
      {children}
    </div>
  );
}

export function CardGridSkeleton({
  count = 6,
  hasPicture = false,
}: {
  count?: number;
  hasPicture?: boolean;
}) {
  return (
    <SkeletonRegion className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="rounded-card border border-border bg-raised p-4">
          <Skeleton className="w-2/5" />
          {hasPicture ? (
            <>
              <Skeleton className="mt-3 h-5 w-3/5" />
              <Skeleton className="mt-3 h-48 w-full" />
            </>
          ) : (
            <>
              <Skeleton className="mt-4 h-3 w-full" />
              <Skeleton className="mt-2 h-3 w-4/5" />
            </>
          )}
          <Skeleton className="mt-6 h-8 w-24" />
        </div>
      ))}
    </SkeletonRegion>
  );
}

export type BannerTone = 'info' | 'success' | 'warning' | 'danger';

const bannerTones: Record<BannerTone, string> = {
  info: 'bg-info-soft text-info',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
};

/** A sentence about the whole page or form, with what can be done at the right. */
export function Banner({
  tone = 'info',
  icon,
  action,
  children,
}: {
  tone?: BannerTone | undefined;
  icon?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={classNames(
        'flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card px-4 py-2.5',
        bannerTones[tone],
      )}
    >
      {icon ? <span className="[&_svg]:size-4">{icon}</span> : null}
      <div className="min-w-0 flex-1 basis-48 font-medium">{children}</div>
      {action}
    </div>
  );
}
