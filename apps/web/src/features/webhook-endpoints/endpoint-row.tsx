import { useQueryClient } from '@tanstack/react-query';
import { KeyRound, MoreVertical, Pause, Pencil, Play, RotateCcw, Send, Trash2 } from 'lucide-react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api } from '../../shared/api.ts';
import { formatDateTime, formatRelativeTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { notify } from '../../ui/toast.ts';
import { webhookErrorMessage, webhookKeys, type WebhookEndpoint } from './webhook-queries.ts';

type Props = {
  endpoint: WebhookEndpoint;
  onOpen: (dialog: 'edit' | 'secret' | 'resume' | 'resend') => void;
};

export function EndpointRow({ endpoint, onOpen }: Props) {
  const { url, description, eventTypes, status, pauseReason, failingSince, heldUntil } = endpoint;
  const isFailing = status === 'active' && failingSince !== null;
  const events =
    eventTypes.length === 0
      ? t('webhookEndpoints.allEvents')
      : t('webhookEndpoints.someEvents', { n: eventTypes.length });
  const last = endpoint.lastDeliveredAt
    ? t('webhookEndpoints.lastDelivered', { time: formatRelativeTime(endpoint.lastDeliveredAt) })
    : t('webhookEndpoints.neverDelivered');
  const waiting = endpoint.waiting > 0 ? [t('webhookEndpoints.waiting', { n: endpoint.waiting })] : [];
  return (
    <li className="flex items-start gap-x-4 border-t border-border px-5 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <code dir="ltr" className="font-medium wrap-anywhere">
            {url}
          </code>
          {isFailing ? (
            <Badge tone="danger">{t('webhookEndpoints.status.failing')}</Badge>
          ) : (
            <Badge tone={status === 'active' ? 'success' : 'warning'}>
              {t(`webhookEndpoints.status.${status}`)}
            </Badge>
          )}
        </p>
        {description ? <p className="text-sm wrap-anywhere">{description}</p> : null}
        <p className="text-sm text-muted">{[events, last, ...waiting].join(' · ')}</p>
        {pauseReason ? (
          <p className="text-sm text-muted">{t(`webhookEndpoints.pauseReason.${pauseReason}`)}</p>
        ) : null}
        {isFailing ? (
          <p className="text-sm text-danger">
            {heldUntil === null
              ? t('webhookEndpoints.failingNow', { time: formatDateTime(failingSince) })
              : t('webhookEndpoints.failingSince', {
                  time: formatDateTime(failingSince),
                  next: formatDateTime(heldUntil),
                })}
          </p>
        ) : null}
      </div>
      {can('settings:manage') ? <EndpointMenu endpoint={endpoint} onOpen={onOpen} /> : null}
    </li>
  );
}

function EndpointMenu({ endpoint, onOpen }: Props) {
  const { id: endpointId, url, status } = endpoint;
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const readAnew = async () => {
    for (const queryKey of webhookKeys()) await queryClient.invalidateQueries({ queryKey });
  };
  const onError = async (error: unknown) => {
    notify.error(webhookErrorMessage(error));
    await readAnew();
  };
  const sendTest = useAction({
    mutationFn: () => api.webhookDeliveries.sendTest({ endpointId }),
    onSuccess: async () => {
      notify.success(t('webhookEndpoints.testSent'));
      await readAnew();
    },
    onError,
  });
  const pause = useAction({
    mutationFn: () => api.webhookEndpoints.setPaused({ endpointId, isPaused: true }),
    onSuccess: async () => {
      notify.success(t('webhookEndpoints.paused'));
      await readAnew();
    },
    onError,
  });
  const remove = useAction({
    mutationFn: () => api.webhookEndpoints.remove({ endpointId }),
    onSuccess: async () => {
      notify.success(t('webhookEndpoints.deleted'));
      await readAnew();
    },
    onError,
  });
  async function askToRemove() {
    const isSure = await confirm({
      title: t('webhookEndpoints.deleteQuestion', { url }),
      text: t('webhookEndpoints.deleteText'),
      confirmLabel: t('webhookEndpoints.delete'),
    });
    if (isSure) remove.mutate();
  }
  return (
    <Menu
      trigger={
        <IconButton label={t('webhookEndpoints.actions', { url })}>
          <MoreVertical aria-hidden />
        </IconButton>
      }
      entries={[
        { label: t('webhookEndpoints.sendTest'), icon: <Send />, onSelect: () => sendTest.mutate() },
        { label: t('webhookEndpoints.edit'), icon: <Pencil />, onSelect: () => onOpen('edit') },
        { label: t('webhookEndpoints.secret'), icon: <KeyRound />, onSelect: () => onOpen('secret') },
        { label: t('webhookEndpoints.resendMany'), icon: <RotateCcw />, onSelect: () => onOpen('resend') },
        status === 'active'
          ? { label: t('webhookEndpoints.pause'), icon: <Pause />, onSelect: () => pause.mutate() }
          : { label: t('webhookEndpoints.resume'), icon: <Play />, onSelect: () => onOpen('resume') },
        'separator',
        {
          ...{ label: t('webhookEndpoints.delete'), icon: <Trash2 />, danger: true },
          onSelect: () => void askToRemove(),
        },
      ]}
    />
  );
}
