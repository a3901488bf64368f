import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { formatDate } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { useUserActions } from './use-user-actions.tsx';
import { nameOf, type UserDetails } from './users-queries.ts';
import { usersErrorMessage } from './users-words.ts';

/** For somebody who lost their telephone: what they prove themself with, and what of it goes. */
export function FactorsDialog({ user, onClose }: { user: UserDetails; onClose: () => void }) {
  const userId = user.id;
  const { data, error, refetch } = useQuery(orpc.factors.get.queryOptions({ input: { userId } }));
  const [removesPasskeys, setRemovesPasskeys] = useState(false);
  const reset = useAction(orpc.factors.reset.mutationOptions());
  const { run } = useUserActions();
  const name = nameOf(user);
  const passkeys = data?.passkeys ?? [];
  const hasNothing = data?.hasSecondFactor === false && passkeys.length === 0;
  const isReady = data?.hasSecondFactor === true || (removesPasskeys && passkeys.length > 0);

  const submit = () =>
    run(async () => {
      await reset.mutateAsync({ userId, removesPasskeys });
      onClose();
      return t('users.factors.done', { name });
    });

  return (
    <FormDialog
      title={t('users.factors.title', { name })}
      size="small"
      submitLabel={t('users.factors.reset')}
      isReady={isReady}
      onSubmit={() => void submit()}
      onClose={onClose}
      buttons={
        <Button variant="danger" disabled={!isReady} loading={reset.isPending} onClick={() => void submit()}>
          {t('users.factors.reset')}
        </Button>
      }
    >
      <p>{t(hasNothing ? 'users.error.factors_missing' : 'users.factors.text')}</p>
      {error ? <ErrorState text={usersErrorMessage(error)} onRetry={() => void refetch()} /> : null}
      {!data && !error ? (
        <SkeletonRegion>
          <Skeleton className="h-6" />
        </SkeletonRegion>
      ) : null}
      {data && !hasNothing ? (
        <p>{t(data.hasSecondFactor ? 'users.factors.on' : 'users.factors.off')}</p>
      ) : null}
      {passkeys.length > 0 ? (
        <>
          <ul aria-label={t('users.factors.passkeys')} className="grid gap-2">
            {passkeys.map((passkey) => (
              <li key={passkey.id} className="rounded-card bg-sunken px-3 py-2 wrap-anywhere">
                <bdi className="font-medium">{passkey.name}</bdi>{' '}
                <span className="text-sm text-muted">
                  {passkey.lastUsedAt
                    ? t('users.factors.used', { date: formatDate(passkey.lastUsedAt) })
                    : t('users.factors.unused')}
                </span>
              </li>
            ))}
          </ul>
          <Checkbox
            label={t('users.factors.removePasskeys')}
            checked={removesPasskeys}
            onChange={(event) => setRemovesPasskeys(event.target.checked)}
          />
        </>
      ) : null}
    </FormDialog>
  );
}
