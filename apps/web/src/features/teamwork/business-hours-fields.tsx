import {
  isInOrder,
  type BusinessHours,
  type OpenDay,
} from '@app/domain/conversations/teamwork/business-time';
import { activeTimeZone, formatWeekday } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Combobox } from '../../ui/controls/combobox.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { ExceptionFields } from './exception-fields.tsx';
import { OFFICE, SpanFields } from './span-fields.tsx';

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
  if (hours.days.every((day) => day.length === 0)) return t('teamwork.needsDay');
  const each = [...hours.days, ...hours.exceptions.map((exception) => exception.hours)];
  if (each.every(isInOrder)) return null;
  const isSpanWrong = each.flat().some(({ from, to }) => from === '' || from >= to);
  return t(isSpanWrong ? 'teamwork.needsHours' : 'teamwork.needsBreaks');
}

function office(timeZone: string): BusinessHours {
  return {
    timeZone,
    days: Array.from({ length: DAYS }, (_, day) => (day === 0 || day === 6 ? [] : [{ ...OFFICE }])),
    exceptions: [],
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
  const setDay = (at: number, open: OpenDay) =>
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
            open={hours.days[at] ?? []}
            onChange={(open) => setDay(at, open)}
          />
        ))}
      </div>
      <ExceptionFields
        exceptions={hours.exceptions}
        onChange={(exceptions) => onChange({ ...hours, exceptions })}
      />
    </>
  );
}

function Day({ name, open, onChange }: { name: string; open: OpenDay; onChange: (open: OpenDay) => void }) {
  return (
    <div className="flex min-h-9 flex-wrap items-start gap-x-3 gap-y-1">
      <Switch
        className="w-36 pt-1.5"
        label={name}
        checked={open.length > 0}
        onChange={(event) => onChange(event.currentTarget.checked ? [{ ...OFFICE }] : [])}
      />
      <SpanFields name={name} spans={open} onChange={onChange} />
    </div>
  );
}
