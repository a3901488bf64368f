import {
  notificationWays,
  type NotificationChoices,
  type NotificationWay,
} from '@app/domain/notifications/notification-choices';
import { notificationOptions } from '@app/domain/notifications/notification-kinds';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormState } from '../../shared/actions/form-state.tsx';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { can, readSessionAnew, useSession } from '../../shared/session.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Banner } from '../../ui/states.tsx';
import { SaveBar } from '../../shared/actions/save-bar.tsx';
import { SETTINGS_TOAST_MS } from '../../shared/actions/settings-toast.ts';
import { notify } from '../../ui/toast.ts';
import { PushPanel } from './push-panel.tsx';
import { ChoiceTable } from './choice-table.tsx';
import { DefaultsDialog } from './defaults-dialog.tsx';

const choicesOptions = () => orpc.profile.getNotificationChoices.queryOptions({ input: {} });

/** What somebody is told of, and how: of themself, so that everybody may change it; in the settings and in the profile. */
export function NotificationsTab() {
  const { data, error, refetch } = useQuery(choicesOptions());
  const hasWords = useMessages('notifications');
  if (data && hasWords)
    return (
      <div className="flex min-w-0 flex-col gap-4">
        <ChoicesForm saved={data} />
        <PushPanel />
      </div>
    );
  return <FormState error={error} onRetry={() => void refetch()} />;
}

function ChoicesForm({ saved }: { saved: NotificationChoices }) {
  const queryClient = useQueryClient();
  const [opened, setOpened] = useState(saved);
  const [chosen, setChosen] = useState(saved);
  const isChanged = JSON.stringify(chosen) !== JSON.stringify(opened);
  // Whoever changed nothing sees what was saved elsewhere.
  if (!isChanged && JSON.stringify(saved) !== JSON.stringify(opened)) {
    setOpened(saved);
    setChosen(saved);
  }
  useUnsavedWarning(isChanged, 'tab');
  const save = useAction({
    mutationFn: (values: NotificationChoices) => api.profile.updateNotificationChoices(values),
    onSuccess: async (kept) => {
      setOpened(kept);
      setChosen(kept);
      queryClient.setQueryData(choicesOptions().queryKey, kept);
      notify.success(t('notifications.choices.saved'), { duration: SETTINGS_TOAST_MS });
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: orpc.profile.get.key() }),
        readSessionAnew(),
      ]);
    },
  });
  return (
    <form
      noValidate
      className="flex min-w-0 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) save.mutate(chosen);
      }}
    >
      <Panel title={t('notifications.ways.title')} purpose={t('notifications.ways.purpose')}>
        <div className="flex flex-col gap-4">
          {notificationWays.map((way) => (
            <WaySwitch
              key={way}
              way={way}
              isOn={chosen.ways[way]}
              onChange={(isOn) => setChosen({ ...chosen, ways: { ...chosen.ways, [way]: isOn } })}
            />
          ))}
        </div>
      </Panel>
      <Panel
        title={t('notifications.choices.title')}
        actions={can('settings:manage') ? <DefaultsButton /> : undefined}
      >
        <ChoiceTable
          ways={chosen.ways}
          options={notificationOptions.flatMap((option) => {
            const choice = chosen.options[option];
            return choice ? [{ option, choice }] : [];
          })}
          onChange={(option, choice) =>
            setChosen({ ...chosen, options: { ...chosen.options, [option]: choice } })
          }
        />
      </Panel>
      {save.error ? <Banner tone="danger">{errorMessage(save.error)}</Banner> : null}
      <SaveBar>
        {isChanged ? (
          <p className="mr-auto text-sm text-muted">{t('notifications.choices.unsaved')}</p>
        ) : null}
        <Button type="submit" variant="primary" loading={save.isPending} disabled={!isChanged}>
          {t('notifications.choices.save')}
        </Button>
      </SaveBar>
    </form>
  );
}

function DefaultsButton() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        {t('notifications.defaults.title')}
      </Button>
      {isOpen ? <DefaultsDialog onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function WaySwitch({
  way,
  isOn,
  onChange,
}: {
  way: NotificationWay;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  const { user } = useSession();
  return (
    <Switch
      label={t(`notifications.way.${way}`)}
      hint={t(`notifications.wayHint.${way}`, { address: user?.email ?? '' })}
      checked={isOn}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
