import { useQueryClient } from '@tanstack/react-query';
import { KeyRound, Pencil, Trash2 } from 'lucide-react';
import { api } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { formatDate, formatRelativeTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import { refreshKeys, type ApiKey } from './api-keys-queries.ts';
import { keyErrorMessage, scopeLines } from './key-words.ts';

/** One's own with `onRename`, else somebody else's, whose name stands with it. */
export function KeyRow({ apiKey, onRename }: { apiKey: ApiKey; onRename?: () => void }) {
  const { name, prefix, owner, scopes, allowedAddresses, expiresAt, isExpired } = apiKey;
  const { createdAt, lastUsedAt, lastUsedAddress } = apiKey;
  const askToRevoke = useRevoke(apiKey);
  const use = lastUsedAt
    ? t('apiKeys.used', { age: formatRelativeTime(lastUsedAt), address: lastUsedAddress ?? '–' })
    : t('apiKeys.neverUsed');
  const end = expiresAt ? t('apiKeys.expires', { date: formatDate(expiresAt) }) : t('apiKeys.expiresNever');
  return (
    <li className="flex items-start gap-x-4 gap-y-2 border-t border-border px-5 py-3">
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken text-muted max-sm:hidden [&_svg]:size-4.5"
      >
        <KeyRound />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          <bdi>{name}</bdi>
          {isExpired ? <Badge tone="danger">{t('apiKeys.expired')}</Badge> : null}
        </p>
        <p className="text-sm text-muted">
          <code>{prefix}…</code>
          {onRename ? null : ` · ${owner.name}`}
        </p>
        <p className="text-sm wrap-anywhere text-muted">{scopeLines(scopes).join(' · ')}</p>
        {allowedAddresses.length > 0 ? (
          <p className="text-sm wrap-anywhere text-muted">
            {t('apiKeys.onlyFrom', { addresses: allowedAddresses.join(', ') })}
          </p>
        ) : null}
        <p className="text-sm text-muted">
          {[t('apiKeys.made', { date: formatDate(createdAt) }), use, end].join(' · ')}
        </p>
      </div>
      {onRename ? (
        <IconButton label={t('apiKeys.renameNamed', { name })} onClick={onRename}>
          <Pencil aria-hidden />
        </IconButton>
      ) : null}
      {onRename || can('settings:update') ? (
        <IconButton label={t('apiKeys.revokeNamed', { name })} onClick={() => void askToRevoke()}>
          <Trash2 aria-hidden />
        </IconButton>
      ) : null}
    </li>
  );
}

function useRevoke({ id, name }: ApiKey): () => Promise<void> {
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const revoke = useAction({
    mutationFn: () => api.apiKeys.revoke({ keyId: id }),
    onSuccess: async () => {
      await refreshKeys(queryClient);
      notify.success(t('apiKeys.revoked', { name }));
    },
    onError: async (error) => {
      notify.error(keyErrorMessage(error));
      await refreshKeys(queryClient);
    },
  });
  return async () => {
    const isSure = await confirm({
      title: t('apiKeys.revokeQuestion', { name }),
      text: t('apiKeys.revokeText'),
      confirmLabel: t('apiKeys.revoke'),
    });
    if (isSure) revoke.mutate();
  };
}
