import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../../shared/actions/use-action.ts';
import { api } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import { integrationErrorMessage, integrationKeys, type Integration } from './integrations-queries.ts';

/** What people do with a connection, from its card and its dialog. */
export function useIntegrationActions({ kind, title }: Pick<Integration, 'kind' | 'title'>) {
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const readAnew = async () => {
    for (const queryKey of integrationKeys()) await queryClient.invalidateQueries({ queryKey });
  };
  const onError = async (error: unknown) => {
    notify.error(integrationErrorMessage(error));
    await readAnew();
  };
  const shared = { onSuccess: readAnew, onError };
  const sync = useAction({ mutationFn: () => api.integrations.sync({ kind }), ...shared });
  const preview = useAction({ mutationFn: () => api.integrations.beginPreview({ kind }), ...shared });
  const cancel = useAction({ mutationFn: () => api.integrations.cancel({ kind }), ...shared });
  const retry = useAction({ mutationFn: () => api.integrations.retry({ kind }), ...shared });
  const check = useAction({ mutationFn: () => api.integrations.check({ kind }), ...shared });
  const remove = useAction({
    mutationFn: () => api.integrations.disconnect({ kind }),
    onSuccess: async () => {
      notify.success(t('integrations.disconnected', { name: title }));
      await readAnew();
    },
    onError,
  });
  return {
    sync: () => sync.mutate(),
    preview: () => preview.mutate(),
    cancel: () => cancel.mutate(),
    retry: () => retry.mutate(),
    check: () => check.mutate(),
    async disconnect() {
      const isSure = await confirm({
        title: t('integrations.disconnectQuestion'),
        text: t('integrations.disconnectText'),
        confirmLabel: t('integrations.disconnect'),
      });
      if (isSure) remove.mutate();
      return isSure;
    },
    isBusy: [sync, preview, cancel, retry, check, remove].some(({ isPending }) => isPending),
  };
}
