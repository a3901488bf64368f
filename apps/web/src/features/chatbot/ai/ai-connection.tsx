import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plug, Unplug } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api, orpc } from '../../../shared/api.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { formatMoney } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { useConfirm } from '../../../ui/overlays/confirm.tsx';
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx';
import { Banner, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { notify } from '../../../ui/toast.ts';
import { aiOptions, type AiState } from './ai-queries.ts';

const AiDialog = lazyDialog(async () => (await import('./ai-dialog.tsx')).AiDialog);

/** Which model answers, what it was used for, and how to connect one. */
export function AiConnection() {
  const { data, error, refetch } = useQuery(aiOptions);
  if (data) return <Connection state={data} />;
  if (error) return <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />;
  return <Skeleton className="h-16" />;
}

function Connection({ state }: { state: AiState }) {
  const [isOpen, setOpen] = useState(false);
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const disconnect = useAction({
    mutationFn: () => api.botAi.remove({}),
    onSuccess: () => notify.success(t('chatbot.ai.disconnected')),
    onError: (error) => notify.error(errorMessage(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: orpc.botAi.key() }),
  });
  async function askAndDisconnect() {
    const isSure = await confirm({
      title: t('chatbot.ai.disconnectTitle'),
      text: t('chatbot.ai.disconnectText'),
      confirmLabel: t('chatbot.ai.disconnect'),
      danger: true,
    });
    if (isSure) disconnect.mutate();
  }
  const { connection, usage } = state;
  const mayChange = can('settings:manage');
  return (
    <div className="flex flex-col gap-3">
      {connection ? (
        <>
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={connection.problem ? 'danger' : connection.isEnabled ? 'success' : 'neutral'}>
              {t(
                connection.problem
                  ? 'chatbot.ai.hasProblem'
                  : connection.isEnabled
                    ? 'chatbot.ai.connected'
                    : 'chatbot.ai.off',
              )}
            </Badge>
            <span className="font-medium">{t(`chatbot.ai.provider.${connection.provider}`)}</span>
            <code dir="ltr" className="font-mono text-sm wrap-anywhere">
              {connection.model}
            </code>
          </p>
          {connection.problem ? (
            <Banner tone="warning">{t(`chatbot.ai.problem.${connection.problem}`)}</Banner>
          ) : null}
          <p className="text-sm text-muted">
            {t('chatbot.ai.usage', { calls: usage.calls, tokens: usage.tokens })}
            {usage.cost === null ? null : (
              <> {t('chatbot.ai.cost', { cost: formatMoney(usage.cost / 1_000_000) })}</>
            )}
          </p>
        </>
      ) : (
        <p className="text-muted text-pretty">{t('chatbot.ai.none')}</p>
      )}
      {mayChange ? (
        <div className="flex flex-wrap gap-2">
          <Button icon={<Plug aria-hidden />} onClick={() => setOpen(true)}>
            {t(connection ? 'chatbot.ai.change' : 'chatbot.ai.connect')}
          </Button>
          {connection ? (
            <Button
              icon={<Unplug aria-hidden />}
              loading={disconnect.isPending}
              onClick={() => void askAndDisconnect()}
            >
              {t('chatbot.ai.disconnect')}
            </Button>
          ) : null}
        </div>
      ) : null}
      {isOpen ? (
        <Suspense>
          <AiDialog state={state} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
