import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc } from '../../shared/api.ts';
import { formatDateTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { webhookErrorMessage, webhookKeys, type WebhookEndpoint } from './webhook-queries.ts';

/** The secret that signs, to be copied, and a new one in its place. */
export function WebhookSecretDialog({
  endpoint: { id: endpointId },
  onClose,
}: {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}) {
  const { data, error, refetch } = useQuery({
    ...orpc.webhookEndpoints.getSecret.queryOptions({ input: { endpointId } }),
    // It stays nowhere once the dialog is closed.
    gcTime: 0,
  });
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const rotate = useAction({
    mutationFn: () => api.webhookEndpoints.rotateSecret({ endpointId }),
    onSuccess: async () => {
      notify.success(t('webhookEndpoints.rotated'));
      for (const queryKey of webhookKeys()) await queryClient.invalidateQueries({ queryKey });
    },
    onError: (failure) => notify.error(webhookErrorMessage(failure)),
  });
  async function askToRotate() {
    const isSure = await confirm({
      title: t('webhookEndpoints.rotateQuestion'),
      text: t('webhookEndpoints.rotateText'),
      confirmLabel: t('webhookEndpoints.rotate'),
    });
    if (isSure) rotate.mutate();
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('webhookEndpoints.secret')}
      description={t('webhookEndpoints.secretText')}
      footer={
        <>
          <Button loading={rotate.isPending} onClick={() => void askToRotate()}>
            {t('webhookEndpoints.rotate')}
          </Button>
          {data ? <CopyButton text={data.secret} label={t('webhookEndpoints.copySecret')} /> : null}
        </>
      }
    >
      {error && !data ? (
        <ErrorState text={webhookErrorMessage(error)} onRetry={() => void refetch()} />
      ) : null}
      {!data && !error ? <Skeleton className="h-12" /> : null}
      {data ? (
        <div className="grid gap-4">
          <code dir="ltr" className="rounded-card bg-sunken px-3.5 py-2.5 wrap-anywhere select-all">
            {data.secret}
          </code>
          {data.previousSecret && data.previousSecretUntil ? (
            <div className="grid gap-1">
              <p className="text-sm text-muted">
                {t('webhookEndpoints.previousSecret', { time: formatDateTime(data.previousSecretUntil) })}
              </p>
              <code dir="ltr" className="rounded-card bg-sunken px-3.5 py-2.5 wrap-anywhere select-all">
                {data.previousSecret}
              </code>
            </div>
          ) : null}
        </div>
      ) : null}
    </Dialog>
  );
}
