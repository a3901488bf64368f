import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { notify } from '../../ui/toast.ts';
import { CompanyPanel } from './company-panel.tsx';
import { PasskeysPanel } from './passkeys-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { profileOptions } from './profile-queries.ts';
import type { Profile } from './profile-values.ts';
import { TwoFactorPanel } from './two-factor-panel.tsx';

/** Password, second factor and what tells of a sign-in. */
export function SecurityTab({ profile }: { profile: Profile }) {
  const { user } = useSession();
  const isForSetUp = user?.mustSetUpTwoFactor === true;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      {isForSetUp ? null : <PasswordPanel hasPassword={profile.hasPassword} />}
      <TwoFactorPanel />
      {isForSetUp ? null : <PasskeysPanel />}
      {isForSetUp ? null : <CompanyPanel />}
      {isForSetUp ? null : <LoginAlerts isOn={profile.loginAlerts} />}
    </div>
  );
}

function LoginAlerts({ isOn }: { isOn: boolean }) {
  const queryClient = useQueryClient();
  const { queryKey } = profileOptions();
  const change = useAction({
    mutationFn: (next: boolean) => api.profile.setLoginAlerts({ isOn: next }),
    onSuccess: (answer) =>
      queryClient.setQueryData(queryKey, (before) => before && { ...before, loginAlerts: answer.isOn }),
    onError: (error) => notify.error(errorMessage(error)),
  });
  return (
    <Panel title={t('profile.alerts.title')}>
      <Switch
        label={t('profile.alerts.title')}
        hint={t('profile.alerts.text')}
        checked={change.isPending ? change.variables : isOn}
        onChange={(event) => change.mutate(event.target.checked)}
      />
    </Panel>
  );
}
