import { offeredTimeZones } from '@app/domain/campaigns/zoned-time';
import type { QuietHours } from '@app/domain/campaigns/quiet-hours';
import { activeTimeZone } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Switch } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';

const NIGHT = { from: '21:00', to: '09:00' };

/** Hours in which the campaign waits, and on whose clocks. */
export function QuietHoursFields({
  quietHours,
  onChange,
}: {
  quietHours: QuietHours | null;
  onChange: (quietHours: QuietHours | null) => void;
}) {
  const own = activeTimeZone();
  const zones = [...new Set([own, ...(quietHours ? [quietHours.timeZone] : []), ...offeredTimeZones])];
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label={t('campaigns.quiet.title')}
        hint={t('campaigns.quiet.hint')}
        checked={quietHours !== null}
        onChange={(event) => onChange(event.target.checked ? { ...NIGHT, timeZone: own } : null)}
      />
      {quietHours ? (
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-[8rem_8rem_1fr]">
          <Field label={t('campaigns.quiet.from')}>
            <Input
              type="time"
              required
              value={quietHours.from}
              onChange={(event) => onChange({ ...quietHours, from: event.target.value || NIGHT.from })}
            />
          </Field>
          <Field label={t('campaigns.quiet.to')}>
            <Input
              type="time"
              required
              value={quietHours.to}
              onChange={(event) => onChange({ ...quietHours, to: event.target.value || NIGHT.to })}
            />
          </Field>
          <Field label={t('campaigns.quiet.zone')} className="col-span-2 sm:col-span-1">
            <Select
              value={quietHours.timeZone}
              onChange={(timeZone) => onChange({ ...quietHours, timeZone })}
              options={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
            />
          </Field>
        </div>
      ) : null}
    </div>
  );
}
