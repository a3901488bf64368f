import { timeZones } from '@app/domain/profile/time-zones';
import { quietUntil, type QuietHours } from '@app/domain/campaigns/quiet-hours';
import { activeTimeZone, formatDateTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Switch } from '../../ui/controls/switch.tsx';

const NIGHT = { from: '21:00', to: '09:00' };

/** Hours in which nothing is sent, and on whose clocks. */
export function QuietHoursFields({
  quietHours,
  sendsAt,
  onChange,
}: {
  quietHours: QuietHours | null;
  /** When sending would begin, as far as that is known: people are told if that is a quiet hour. */
  sendsAt?: Date | null | undefined;
  onChange: (quietHours: QuietHours | null) => void;
}) {
  const own = activeTimeZone();
  const waitsUntil = quietHours && sendsAt ? quietUntil(quietHours, sendsAt) : null;
  const zones = [...new Set([own, ...(quietHours ? [quietHours.timeZone] : []), ...timeZones])];
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label={t('sending.quiet.title')}
        hint={t('sending.quiet.hint')}
        checked={quietHours !== null}
        onChange={(event) => onChange(event.target.checked ? { ...NIGHT, timeZone: own } : null)}
      />
      {quietHours ? (
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-[8rem_8rem_1fr]">
          <Field label={t('sending.quiet.from')}>
            <Input
              type="time"
              required
              value={quietHours.from}
              onChange={(event) => onChange({ ...quietHours, from: event.target.value || NIGHT.from })}
            />
          </Field>
          <Field label={t('sending.quiet.to')}>
            <Input
              type="time"
              required
              value={quietHours.to}
              onChange={(event) => onChange({ ...quietHours, to: event.target.value || NIGHT.to })}
            />
          </Field>
          <Field label={t('sending.quiet.zone')} className="col-span-2 sm:col-span-1">
            <Select
              value={quietHours.timeZone}
              onChange={(timeZone) => onChange({ ...quietHours, timeZone })}
              options={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
            />
          </Field>
        </div>
      ) : null}
      {waitsUntil ? (
        <p role="status" className="text-sm text-muted">
          {t('sending.quiet.waits', { time: formatDateTime(waitsUntil) })}
        </p>
      ) : null}
    </div>
  );
}
