import { describeDevice } from '@app/domain/users/describe-device';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { BellRing, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc, type api } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatDate, formatRelativeTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { leaveBrowserHere } from '../../shared/notifications/leave-browser-here.ts';
import { addBrowserHere, readPushState } from '../../shared/notifications/push-here.ts';
import { useSession } from '../../shared/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Banner, ErrorState, Skeleton } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';

const browsersOptions = () => orpc.notifications.listBrowsers.queryOptions({ input: {} });
type Browsers = Awaited<ReturnType<typeof api.notifications.listBrowsers>>;

/** The browsers in which the person is told; each press counts at once, without saving. */
export function PushPanel() {
  const { data, error, refetch } = useQuery(browsersOptions());
  return (
    <Panel title={t('notifications.push.title')} purpose={t('notifications.push.purpose')}>
      {error && !data ? <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton className="h-9" /> : null}
      {data ? (
        <div className="flex flex-col gap-4">
          {data.items.length === 0 ? <p className="text-muted">{t('notifications.push.none')}</p> : null}
          <ul className="flex flex-col gap-4 empty:hidden">
            {data.items.map((browser) => (
              <BrowserEntry key={browser.id} browser={browser} />
            ))}
          </ul>
          {data.items.some(({ isThis }) => isThis) ? null : <AddBrowser publicKey={data.publicKey} />}
        </div>
      ) : null}
    </Panel>
  );
}

function AddBrowser({ publicKey }: { publicKey: string }) {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const [state, setState] = useState(readPushState);
  const [hasFailed, setFailed] = useState(false);
  const [isAsking, setAsking] = useState(false);
  if (state !== 'ready') return <Banner tone="info">{t(`notifications.push.${state}`)}</Banner>;

  async function add() {
    setAsking(true);
    setFailed(false);
    try {
      const kept = await addBrowserHere(publicKey, user?.id ?? '');
      setState(readPushState());
      if (!kept) return;
      queryClient.setQueryData(browsersOptions().queryKey, kept);
      notify.success(t('notifications.push.added'));
    } catch {
      // The browser does not say why; what the server refuses is no other for the person.
      setFailed(true);
    } finally {
      setAsking(false);
    }
  }

  return (
    <>
      {hasFailed ? <Banner tone="danger">{t('notifications.push.failed')}</Banner> : null}
      <Button
        className="self-start"
        icon={<BellRing aria-hidden />}
        loading={isAsking}
        onClick={() => void add()}
      >
        {t('notifications.push.add')}
      </Button>
    </>
  );
}

function BrowserEntry({
  browser: { id, userAgent, isThis, showsText, createdAt, sentAt },
}: {
  browser: Browsers['items'][number];
}) {
  const queryClient = useQueryClient();
  const onError = (error: unknown) => notify.error(errorMessage(error));
  const onSuccess = (kept: Browsers) => queryClient.setQueryData(browsersOptions().queryKey, kept);
  const change = useAction(orpc.notifications.changeBrowser.mutationOptions({ onSuccess, onError }));
  const remove = useAction(
    orpc.notifications.removeBrowser.mutationOptions({
      onSuccess: async (kept) => {
        onSuccess(kept);
        if (isThis) await leaveBrowserHere();
      },
      onError,
    }),
  );
  const test = useAction(
    orpc.notifications.testBrowser.mutationOptions({
      onSuccess: () => notify.success(t('notifications.push.testSent')),
      onError,
    }),
  );
  const { browser, os } = describeDevice(userAgent);
  const name = [browser, os].filter(Boolean).join(' · ');
  return (
    <li className="flex flex-col gap-3 border-b border-border pb-4 last:border-b-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-3">
        <span className="min-w-40 flex-1">
          <span className="flex flex-wrap items-center gap-2 font-medium">
            {name} {isThis ? <Badge tone="success">{t('notifications.push.this')}</Badge> : null}
          </span>
          <span className="block text-sm text-muted">
            {t('notifications.push.since', { date: formatDate(createdAt) })}
            {sentAt ? ` · ${t('notifications.push.lastSent', { date: formatRelativeTime(sentAt) })}` : null}
          </span>
        </span>
        <Button loading={test.isPending} onClick={() => test.mutate({ browserId: id })}>
          {t('notifications.push.test')}
        </Button>
        <IconButton
          label={`${t('notifications.push.remove')}: ${name}`}
          onClick={() => remove.mutate({ browserId: id })}
        >
          <Trash2 aria-hidden />
        </IconButton>
      </div>
      <Switch
        label={t('notifications.push.showsText')}
        checked={showsText}
        disabled={change.isPending}
        onChange={(event) => change.mutate({ browserId: id, showsText: event.target.checked })}
      />
    </li>
  );
}
