import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck, ShieldOff } from 'lucide-react';
import { Suspense, useState } from 'react';
import { api, orpc } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { errorMessage, errorMessageOf } from '../../shared/error-message.ts';
import { formatDate } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can, readSessionAnew } from '../../shared/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { twoFactorOptions } from './profile-queries.ts';

const SetUpDialog = lazyDialog(async () => (await import('./set-up-dialog.tsx')).SetUpDialog);
const CodesDialog = lazyDialog(async () => (await import('./codes-dialog.tsx')).CodesDialog);

/** Whether sign-in asks for a code, and all that can be done about it. */
export function TwoFactorPanel() {
  const { data, error, refetch } = useQuery(twoFactorOptions());
  const { readAnew, disable, makeCodes } = useTwoFactorActions();
  const [isSettingUp, setSettingUp] = useState(false);
  const confirm = useConfirm();
  const [codes, setCodes] = useState<readonly string[]>();

  async function switchOff() {
    const isSure = await confirm({
      title: t('profile.twoFactor.disableQuestion'),
      text: t('profile.twoFactor.disableText'),
      confirmLabel: t('profile.twoFactor.disable'),
    });
    if (isSure) disable.mutate();
  }

  if (!data)
    return (
      <Panel title={t('profile.twoFactor.title')}>
        {error ? (
          <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />
        ) : (
          <Skeleton className="h-9" />
        )}
      </Panel>
    );
  return (
    <Panel
      title={t('profile.twoFactor.title')}
      purpose={t('profile.twoFactor.text')}
      actions={
        <Badge tone={data.isEnabled ? 'success' : 'neutral'} dot>
          {data.enabledAt
            ? t('profile.twoFactor.on', { date: formatDate(data.enabledAt) })
            : t('profile.twoFactor.off')}
        </Badge>
      }
    >
      <div className="flex flex-col gap-4">
        {data.isEnabled ? (
          <>
            <p className={data.recoveryCodesLeft < 3 ? 'text-warning' : 'text-muted'}>
              {t('profile.twoFactor.codesLeft', { n: data.recoveryCodesLeft })}
            </p>
            <div className="flex flex-wrap gap-2">
              <Button
                loading={makeCodes.isPending}
                onClick={() =>
                  makeCodes.mutate(undefined, { onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes) })
                }
              >
                {t('profile.twoFactor.newCodes')}
              </Button>
              <Button
                variant="danger-ghost"
                icon={<ShieldOff aria-hidden />}
                loading={disable.isPending}
                onClick={() => void switchOff()}
              >
                {t('profile.twoFactor.disable')}
              </Button>
            </div>
          </>
        ) : (
          <Button
            variant="primary"
            className="self-start"
            icon={<ShieldCheck aria-hidden />}
            onClick={() => setSettingUp(true)}
          >
            {t('profile.twoFactor.enable')}
          </Button>
        )}
        {can('users:manage') ? <Requirement isRequired={data.isRequired} /> : null}
      </div>
      <Suspense>
        {isSettingUp ? (
          <SetUpDialog
            onClose={() => setSettingUp(false)}
            onEnabled={(recoveryCodes) => {
              setSettingUp(false);
              setCodes(recoveryCodes);
            }}
          />
        ) : null}
        {codes ? (
          <CodesDialog
            codes={codes}
            onClose={() => {
              setCodes(undefined);
              void readAnew();
            }}
          />
        ) : null}
      </Suspense>
    </Panel>
  );
}

function useTwoFactorActions() {
  const queryClient = useQueryClient();
  async function readAnew() {
    await Promise.all([queryClient.invalidateQueries({ queryKey: orpc.twoFactor.key() }), readSessionAnew()]);
  }
  const disable = useAction({
    mutationFn: () => api.twoFactor.disable({}),
    onSuccess: async () => {
      await readAnew();
      notify.success(t('profile.twoFactor.disabled'));
    },
    onError: (error) => notify.error(errorMessage(error)),
  });
  const makeCodes = useAction({
    mutationFn: () => api.twoFactor.makeRecoveryCodes({}),
    onError: (error) => notify.error(errorMessage(error)),
  });
  return { readAnew, disable, makeCodes };
}

const requireFailure = errorMessageOf({ two_factor_off: 'profile.twoFactor.requireFirst' });

function Requirement({ isRequired }: { isRequired: boolean }) {
  const queryClient = useQueryClient();
  const { queryKey } = twoFactorOptions();
  const change = useAction({
    mutationFn: (next: boolean) => api.twoFactor.require({ isRequired: next }),
    onSuccess: (answer) =>
      queryClient.setQueryData(queryKey, (before) => before && { ...before, isRequired: answer.isRequired }),
    onError: (error) => notify.error(requireFailure(error)),
  });
  return (
    <Switch
      className="border-t border-border pt-4"
      label={t('profile.twoFactor.require')}
      hint={t('profile.twoFactor.requireHint')}
      checked={change.isPending ? change.variables : isRequired}
      onChange={(event) => change.mutate(event.target.checked)}
    />
  );
}
