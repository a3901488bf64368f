import { alertChoices, type AlertChoice } from '@app/domain/conversations/alert-rules';
import { useState } from 'react';
import { Select } from '../../ui/controls/select.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { t } from '../messages.ts';
import { useMessages } from '../use-messages.ts';
import { chooseAlerts, useAlertSettings } from './alert-choice.ts';
import { playPing } from './play-ping.ts';

/** What this browser says aloud of the inbox; chosen at once, without saving. */
export function AlertSettings() {
  const { sound, isDesktop } = useAlertSettings();
  const [isRefused, setRefused] = useState(false);
  if (!useMessages('contact-panel')) return null;
  const askBrowser = async (isWanted: boolean) => {
    const answer = isWanted && 'Notification' in window ? await Notification.requestPermission() : 'default';
    setRefused(isWanted && answer !== 'granted');
    chooseAlerts({ isDesktop: isWanted && answer === 'granted' });
  };
  return (
    <div className="flex flex-col gap-3 border-t border-border pt-4">
      <Field label={t('alerts.sound')} hint={t('alerts.hint')}>
        <Select<AlertChoice>
          value={sound}
          onChange={(choice) => {
            chooseAlerts({ sound: choice });
            if (choice !== 'off') playPing();
          }}
          options={alertChoices.map((value) => ({ value, label: t(`alerts.sound.${value}`) }))}
        />
      </Field>
      <Switch
        label={t('alerts.desktop')}
        hint={isRefused ? t('alerts.refused') : undefined}
        checked={isDesktop}
        onChange={(event) => void askBrowser(event.target.checked)}
      />
    </div>
  );
}
