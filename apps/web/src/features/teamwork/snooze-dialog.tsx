import { conversationLimits } from '@app/domain/conversations/conversation-status';
import { snoozeChoices, snoozeUntil } from '@app/domain/conversations/teamwork/snooze-presets';
import { instantToZonedTime, zonedTimeToInstant } from '@app/domain/campaigns/zoned-time';
import { useState } from 'react';
import { activeTimeZone, formatDateTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { DateTimeInput } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';

const DAY_MS = 86_400_000;

/** Asks until when to put conversations aside. */
export function SnoozeDialog({ onPick, onClose }: { onPick: (until: Date) => void; onClose: () => void }) {
  const zone = activeTimeZone();
  const [now] = useState(() => new Date());
  const [local, setLocal] = useState(() => instantToZonedTime(snoozeUntil('tomorrow', now, zone), zone));
  const until = zonedTimeToInstant(local, zone);
  const latest = now.getTime() + conversationLimits.snoozeDays * DAY_MS;
  const isReady = until !== null && until > now && until.getTime() <= latest;
  const take = (time: Date) => {
    onClose();
    onPick(time);
  };
  return (
    <FormDialog
      title={t('teamwork.snoozeTitle')}
      size="small"
      submitLabel={t('teamwork.snoozeSubmit')}
      isReady={isReady}
      whyNot={t('teamwork.snoozeNeeds')}
      onSubmit={() => {
        if (isReady) take(until);
      }}
      onClose={onClose}
      closeOnOutsidePress
    >
      <div className="flex flex-wrap gap-2">
        {snoozeChoices(now, zone).map(({ preset, until: time }) => (
          <Button key={preset} size="small" title={formatDateTime(time)} onClick={() => take(time)}>
            {t(`teamwork.snooze.${preset}`)}
          </Button>
        ))}
      </div>
      <Field label={t('teamwork.snoozeUntil')} error={isReady ? undefined : t('teamwork.snoozeNeeds')}>
        <DateTimeInput value={local} onChange={(event) => setLocal(event.currentTarget.value)} />
      </Field>
    </FormDialog>
  );
}
