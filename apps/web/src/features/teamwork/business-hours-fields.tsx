import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { BusinessHours, OpenHours } from '@app/domain/conversations/teamwork/business-time';
import { inboxLimits } from '@app/domain/conversations/inbox-settings';
import { activeTimeZone, formatDay, formatWeekday } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Combobox } from '../../ui/controls/combobox.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';

const OFFICE: OpenHours = { from: '09:00', to: '17:00' };
const DAYS = 7;

/** When anybody is there to answer; null: day and night. */
export function BusinessHoursFields({
  hours,
  timeZone = activeTimeZone(),
  weekStartsOn = 1,
  onChange,
}: {
  hours: BusinessHours | null;
  /** Of hours that are set for the first time. */
  timeZone?: string | undefined;
  /** Counted from Sunday, as the days are kept. */
  weekStartsOn?: number | undefined;
  onChange: (hours: BusinessHours | null) => void;
}) {
  return (
    <>
      <Switch
        label={t('teamwork.hours')}
        hint={t('teamwork.hoursHint')}
        checked={hours !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? office(timeZone) : null)}
      />
      {hours ? <Hours hours={hours} weekStartsOn={weekStartsOn} onChange={onChange} /> : null}
    </>
  );
}

/** Why these hours cannot be saved; null when they can. */
export function businessHoursProblem(hours: BusinessHours | null): string | null {
  if (hours === null) return null;
  if (hours.days.every((day) => day === null)) return t('teamwork.needsDay');
  const isRight = hours.days.every((day) => day === null || (day.from !== '' && day.from < day.to));
  return isRight ? null : t('teamwork.needsHours');
}

function office(timeZone: string): BusinessHours {
  return {
    timeZone,
    days: Array.from({ length: 7 }, (_, day) => (day === 0 || day === 6 ? null : { ...OFFICE })),
    holidays: [],
  };
}

function Hours({
  hours,
  weekStartsOn,
  onChange,
}: {
  hours: BusinessHours;
  weekStartsOn: number;
  onChange: (hours: BusinessHours) => void;
}) {
  const week = Array.from({ length: DAYS }, (_, at) => (weekStartsOn + at) % DAYS);
  const zones = Intl.supportedValuesOf('timeZone').map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  }));
  const setDay = (at: number, open: OpenHours | null) =>
    onChange({ ...hours, days: hours.days.map((day, place) => (place === at ? open : day)) });
  return (
    <>
      <Field label={t('teamwork.timeZone')}>
        <Combobox
          value={{ value: hours.timeZone, label: hours.timeZone.replaceAll('_', ' ') }}
          onChange={(zone) => {
            if (zone) onChange({ ...hours, timeZone: zone.value });
          }}
          options={zones}
        />
      </Field>
      <div className="grid gap-2 max-sm:gap-4">
        {week.map((at) => (
          <Day
            key={at}
            name={formatWeekday(at)}
            open={hours.days[at] ?? null}
            onChange={(open) => setDay(at, open)}
          />
        ))}
      </div>
      <Holidays days={hours.holidays} onChange={(holidays) => onChange({ ...hours, holidays })} />
    </>
  );
}

function Day({
  name,
  open,
  onChange,
}: {
  name: string;
  open: OpenHours | null;
  onChange: (open: OpenHours | null) => void;
}) {
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1">
      <Switch
        className="w-36"
        label={name}
        checked={open !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? { ...OFFICE } : null)}
      />
      {open ? (
        <span className="flex items-center gap-2">
          <Input
            type="time"
            className="w-28"
            aria-label={t('teamwork.opensAt', { day: name })}
            value={open.from}
            onChange={(event) => onChange({ ...open, from: event.currentTarget.value })}
          />
          <span aria-hidden>–</span>
          <Input
            type="time"
            className="w-28"
            aria-label={t('teamwork.closesAt', { day: name })}
            // The end of the day is kept as 24:00, which no field of a browser shows.
            value={open.to === '24:00' ? '00:00' : open.to}
            onChange={(event) => {
              const to = event.currentTarget.value;
              onChange({ ...open, to: to === '00:00' ? '24:00' : to });
            }}
          />
        </span>
      ) : (
        <span className="text-sm text-muted">{t('teamwork.closed')}</span>
      )}
    </div>
  );
}

function Holidays({ days, onChange }: { days: string[]; onChange: (days: string[]) => void }) {
  const [day, setDay] = useState('');
  const mayAdd = day !== '' && !days.includes(day) && days.length < inboxLimits.holidays;
  const add = () => {
    if (!mayAdd) return;
    onChange([...days, day].toSorted());
    setDay('');
  };
  return (
    <div className="grid gap-2">
      <div className="flex items-end gap-2">
        <Field label={t('teamwork.holidays')}>
          <Input type="date" value={day} onChange={(event) => setDay(event.currentTarget.value)} />
        </Field>
        <Button icon={<Plus aria-hidden />} disabled={!mayAdd} onClick={add}>
          {t('teamwork.addHoliday')}
        </Button>
      </div>
      <ul className="flex flex-wrap gap-2">
        {days.map((one) => (
          <li key={one} className="flex h-8 items-center gap-1 rounded-full bg-neutral-soft pl-3 text-sm">
            {formatDay(one)}
            <IconButton
              size="small"
              label={t('teamwork.removeHoliday', { day: formatDay(one) })}
              onClick={() => onChange(days.filter((other) => other !== one))}
            >
              <X aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
