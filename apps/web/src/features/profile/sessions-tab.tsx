import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { LogOut, Monitor, Smartphone, Tablet } from 'lucide-react';
import { useState } from 'react';
import { api, orpc } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatCountry, formatDateTime, formatRelativeTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Banner, EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';

type Session = Awaited<ReturnType<typeof api.profile.listSessions>>['items'][number];

const icons = { desktop: Monitor, mobile: Smartphone, tablet: Tablet };

/** Where the account is open; what one does not know can be ended. */
export function SessionsTab() {
  const [showsInactive, setShowsInactive] = useState(false);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    orpc.profile.listSessions.infiniteOptions({
      input: (cursor: string | undefined) => ({ state: showsInactive ? 'all' : 'active', cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    }),
  );
  const sessions = data?.pages.flatMap(({ items }) => items);
  const { end, endOthers } = useSessionActions();
  const confirm = useConfirm();
  const others = sessions?.filter(({ isActive, isCurrent }) => isActive && !isCurrent).length ?? 0;

  async function askToEndOthers() {
    const isSure = await confirm({
      title: t('profile.sessions.endOthersQuestion'),
      confirmLabel: t('profile.sessions.endOthers'),
    });
    if (isSure) endOthers.mutate();
  }

  return (
    <div className="flex flex-col gap-4">
      <Banner>{t('profile.sessions.notice')}</Banner>
      <Panel
        title={t('profile.sessions.title')}
        purpose={t('profile.sessions.text')}
        flush
        actions={
          others > 0 ? (
            <Button
              variant="danger-ghost"
              loading={endOthers.isPending}
              onClick={() => void askToEndOthers()}
            >
              {t('profile.sessions.endOthers')}
            </Button>
          ) : undefined
        }
      >
        <div className="px-5 py-3">
          <Switch
            label={t('profile.sessions.showInactive')}
            checked={showsInactive}
            onChange={(event) => setShowsInactive(event.target.checked)}
          />
        </div>
        {error && !sessions ? <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} /> : null}
        {!sessions && !error ? <Skeleton className="mx-5 mb-4 h-12" /> : null}
        {sessions?.length === 0 ? <EmptyState title={t('profile.sessions.empty')} /> : null}
        <ul aria-label={t('profile.sessions.title')}>
          {sessions?.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isEnding={end.isPending && end.variables === session.id}
              onEnd={() => end.mutate(session.id)}
            />
          ))}
        </ul>
        {hasNextPage ? (
          <div className="flex justify-center border-t border-border py-3">
            <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t('profile.sessions.more')}
            </Button>
          </div>
        ) : null}
      </Panel>
    </div>
  );
}

function SessionRow({
  session,
  isEnding,
  onEnd,
}: {
  session: Session;
  isEnding: boolean;
  onEnd: () => void;
}) {
  const { device, ipAddress, place, isActive, isCurrent, lastActivityAt, createdAt } = session;
  const Icon = icons[device.kind];
  const name = nameOf(device);
  const where = [ipAddress, place?.city, place?.country && formatCountry(place.country)].filter(Boolean);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-border px-5 py-3">
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken text-muted [&_svg]:size-4.5"
      >
        <Icon />
      </span>
      <div className="min-w-0 flex-1 basis-44">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {isCurrent ? <Badge tone="success">{t('profile.sessions.current')}</Badge> : null}
          {isActive ? null : <Badge>{t('profile.sessions.over')}</Badge>}
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {[t(`profile.sessions.device.${device.kind}`), ...where].join(' · ')}
        </p>
        <p className="text-sm text-muted">
          {t('profile.sessions.lastActive', { age: formatRelativeTime(lastActivityAt) })} ·{' '}
          {t('profile.sessions.signedIn', { date: formatDateTime(createdAt) })}
        </p>
      </div>
      {isActive && !isCurrent ? (
        <Button
          icon={<LogOut aria-hidden />}
          loading={isEnding}
          aria-label={t('profile.sessions.endNamed', { name })}
          onClick={onEnd}
        >
          {t('profile.sessions.end')}
        </Button>
      ) : null}
    </li>
  );
}

function nameOf({ browser, os }: Session['device']): string {
  if (browser && os) return t('profile.sessions.onSystem', { browser, os });
  return browser ?? os ?? t('profile.sessions.unknown');
}

function useSessionActions() {
  const queryClient = useQueryClient();
  const options = {
    onSuccess: async ({ ended }: { ended: number }) => {
      await queryClient.invalidateQueries({ queryKey: orpc.profile.listSessions.key() });
      notify.success(t('profile.sessions.ended', { n: ended }));
    },
    onError: (error: Error) => notify.error(errorMessage(error)),
  };
  const end = useAction({
    mutationFn: (sessionId: string) => api.profile.endSession({ sessionId }),
    ...options,
  });
  const endOthers = useAction({ mutationFn: () => api.profile.endOtherSessions({}), ...options });
  return { end, endOthers };
}
