import { describeDevice } from '@app/domain/users/describe-device';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fingerprint, Trash2 } from 'lucide-react';
import { api, orpc } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { errorMessage, errorMessageOf } from '../../shared/error-message.ts';
import { formatDate, formatRelativeTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';

const addFailure = errorMessageOf({
  passkey_refused: 'profile.passkeys.refused',
  passkey_known: 'profile.passkeys.refused',
  internal: 'profile.passkeys.refused',
});

/** What signs in in place of the password. */
export function PasskeysPanel() {
  const { data, error, refetch } = useQuery(orpc.passkeys.list.queryOptions({ input: {} }));
  const { add, remove } = usePasskeyActions();
  const confirm = useConfirm();

  async function askToRemove(passkeyId: string, name: string) {
    const isSure = await confirm({
      title: t('profile.passkeys.removeQuestion', { name }),
      confirmLabel: t('profile.passkeys.removeConfirm'),
    });
    if (isSure) remove.mutate(passkeyId);
  }

  return (
    <Panel title={t('profile.passkeys.title')} purpose={t('profile.passkeys.text')}>
      {error && !data ? <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton className="h-9" /> : null}
      {data?.items.length === 0 ? (
        <p className="mb-4 text-muted">{t('profile.passkeys.none')}</p>
      ) : (
        <ul className="mb-4 flex flex-col gap-3">
          {data?.items.map(({ id, name, createdAt, lastUsedAt }) => (
            <li key={id} className="flex items-center gap-3">
              <span className="min-w-0 flex-1">
                <span className="block font-medium wrap-anywhere">{name}</span>
                <span className="block text-sm text-muted">
                  {t('profile.passkeys.added', { date: formatDate(createdAt) })}
                  {lastUsedAt
                    ? ` · ${t('profile.passkeys.used', { age: formatRelativeTime(lastUsedAt) })}`
                    : null}
                </span>
              </span>
              <IconButton
                label={t('profile.passkeys.remove', { name })}
                onClick={() => void askToRemove(id, name)}
              >
                <Trash2 aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <Button icon={<Fingerprint aria-hidden />} loading={add.isPending} onClick={() => add.mutate()}>
        {t('profile.passkeys.add')}
      </Button>
    </Panel>
  );
}

function usePasskeyActions() {
  const queryClient = useQueryClient();
  const readAnew = () => queryClient.invalidateQueries({ queryKey: orpc.passkeys.key() });
  const add = useAction({
    mutationFn: makePasskey,
    onSuccess: async (isAdded) => {
      if (!isAdded) return;
      await readAnew();
      notify.success(t('profile.passkeys.saved'));
    },
    onError: (error) => notify.error(addFailure(error)),
  });
  const remove = useAction({
    mutationFn: (passkeyId: string) => api.passkeys.remove({ passkeyId }),
    onSuccess: readAnew,
    onError: (error) => notify.error(errorMessage(error)),
  });
  return { add, remove };
}

/** False when the person gave it up in the browser's own dialog. */
async function makePasskey(): Promise<boolean> {
  // What the server says is what the browser takes.
  const options = (await api.passkeys.beginAdding({})) as unknown as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'NotAllowedError') return null;
    throw error;
  });
  if (!(credential instanceof PublicKeyCredential)) return false;
  const { os } = describeDevice(navigator.userAgent);
  const response = credential.toJSON() as { id: string; rawId: string };
  await api.passkeys.add({ name: t('profile.passkeys.device', { os: os ?? '–' }), response });
  return true;
}
