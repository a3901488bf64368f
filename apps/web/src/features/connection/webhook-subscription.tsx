import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Banner, ErrorState, Skeleton } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { subscriptionOptions, webhookErrorMessage, type Connection } from './connection-queries.ts';

type Subscription = Awaited<ReturnType<typeof api.connections.getSubscription>>;

/** Whether the platform sends all that happens in this account to us, and the press that has it do so. */
export function WebhookSubscription({ connection }: { connection: Connection }) {
  const { id, webhookUrl } = connection;
  const { data, error, refetch } = useQuery(subscriptionOptions(id));
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const [isAsking, setAsking] = useState(false);
  const subscribe = useAction({
    mutationFn: () => api.connections.subscribe({ channelId: id }),
    onSuccess: (pressed) => {
      if (pressed.missing?.length === 0)
        notify.success(t('connection.webhook.subscribed', { ms: formatNumber(pressed.milliseconds) }));
    },
    onSettled: () => queryClient.invalidateQueries(subscriptionOptions(id)),
  });

  /** Asked anew: another product may have taken the account meanwhile. What cannot be asked, the press says by itself. */
  async function mayTakeOver(): Promise<boolean> {
    const now = await queryClient
      .fetchQuery({ ...subscriptionOptions(id), staleTime: 0 })
      .catch(() => undefined);
    if (now?.state !== 'elsewhere') return true;
    return confirm({
      title: t('connection.webhook.takeOverTitle'),
      text: t('connection.webhook.takeOverText', { address: now.address ?? 'empty' }),
      confirmLabel: t('connection.webhook.subscribe'),
    });
  }

  async function press() {
    if (isAsking) return;
    setAsking(true);
    const isWanted = await mayTakeOver().finally(() => setAsking(false));
    if (isWanted) subscribe.mutate();
  }

  const isWhole = data?.state === 'here' && lackedOf(data).length === 0;
  const added = subscribe.data?.added ?? [];
  return (
    <Panel title={t('connection.webhook.subscription')} purpose={t('connection.webhook.subscriptionPurpose')}>
      {error && !data ? (
        <ErrorState className="py-4" text={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <div className="flex flex-col items-start gap-3">
          {data ? <State data={data} /> : <Skeleton className="w-40" />}
          {data?.state === 'here' ? (
            <Lacked data={data} reason={subscribe.data?.reason ?? null} ours={webhookUrl} />
          ) : null}
          {added.length > 0 ? (
            <Banner tone="success">
              {t('connection.webhook.added', { n: added.length })} <Names names={added} />
            </Banner>
          ) : null}
          {subscribe.error ? <Banner tone="danger">{webhookErrorMessage(subscribe.error)}</Banner> : null}
          {can('settings:manage') ? (
            <Button
              variant={isWhole ? 'secondary' : 'primary'}
              icon={<Webhook aria-hidden />}
              loading={isAsking || subscribe.isPending}
              onClick={() => void press()}
            >
              {t(isWhole ? 'connection.webhook.again' : 'connection.webhook.subscribe')}
            </Button>
          ) : null}
        </div>
      )}
    </Panel>
  );
}

/** Without these what people write does not come at all. */
const MESSAGES = 'messages';

function lackedOf({ missing }: Subscription): readonly string[] {
  return missing ?? [];
}

function State({ data }: { data: Subscription }) {
  const lacked = lackedOf(data);
  if (data.state === 'here' && lacked.length > 0)
    return (
      <Badge tone={lacked.includes(MESSAGES) ? 'danger' : 'warning'} dot>
        {t('connection.webhook.state.hereNotAll')}
      </Badge>
    );
  return (
    <Badge
      tone={data.state === 'here' ? 'success' : 'warning'}
      dot
      className="h-auto min-h-5.5 whitespace-normal wrap-anywhere"
    >
      {t(`connection.webhook.state.${data.state}`, { address: data.address ?? 'empty' })}
    </Badge>
  );
}

/** Which kinds of news do not come, and how they are to be had. */
function Lacked({ data, reason, ours }: { data: Subscription; reason: string | null; ours: string }) {
  const lacked = lackedOf(data);
  if (data.missing === null)
    return <p className="text-sm text-muted">{t('connection.webhook.lackedUnsaid')}</p>;
  if (lacked.length === 0) return null;
  const isOfAnother = data.appAddress !== null && data.appAddress !== ours;
  return (
    <Banner tone={lacked.includes(MESSAGES) ? 'danger' : 'warning'}>
      <p>
        {t('connection.webhook.lacked', { n: lacked.length })} <Names names={lacked} />
      </p>
      <p className="mt-1 font-normal">
        {isOfAnother
          ? t('connection.webhook.lackedThere', { address: data.appAddress ?? '' })
          : t('connection.webhook.lackedPress')}
      </p>
      {reason === null || isOfAnother ? null : (
        <p className="mt-1 font-normal">{t('connection.refused', { reason })}</p>
      )}
    </Banner>
  );
}

/** As the vendor calls them, to be found in its list. */
function Names({ names }: { names: readonly string[] }) {
  return <span className="font-mono text-sm wrap-anywhere">{names.join(', ')}</span>;
}
