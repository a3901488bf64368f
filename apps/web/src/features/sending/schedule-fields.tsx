import { useState } from 'react';
import { instantToZonedTime, zonedTimeToInstant } from '@app/domain/campaigns/zoned-time';
import { timeZones } from '@app/domain/profile/time-zones';
import { Field } from '../../ui/field.tsx';
import { DateTimeInput } from '../../ui/input.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { activeTimeZone, formatDateTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';

/** A wall clock time and the zone whose clocks it means. */
export interface Schedule {
  /** `2026-11-21T09:30`; empty while nothing is chosen. */
  local: string;
  timeZone: string;
}

export function emptySchedule(): Schedule {
  return { local: '', timeZone: activeTimeZone() };
}

/** A schedule that shows an instant on the clocks of the user. */
export function scheduleOf(instant: string | null): Schedule {
  const timeZone = activeTimeZone();
  return { local: instant === null ? '' : instantToZonedTime(new Date(instant), timeZone), timeZone };
}

export function scheduledInstant({ local, timeZone }: Schedule): Date | null {
  return zonedTimeToInstant(local, timeZone);
}

export type ScheduleProblem = 'missing' | 'past';

export function findScheduleProblem(schedule: Schedule, now: number): ScheduleProblem | null {
  const instant = scheduledInstant(schedule);
  if (instant === null) return 'missing';
  return instant.getTime() <= now ? 'past' : null;
}

export function scheduleProblemText(problem: ScheduleProblem): string {
  return t(`sending.schedule.${problem}`);
}

/** Date and time; with these the time zone is asked, and the hint says what that is on the user's own clocks. */
export function ScheduleFields({
  schedule,
  onChange,
  label,
  error,
}: {
  schedule: Schedule;
  onChange: (schedule: Schedule) => void;
  label?: string | undefined;
  error?: string | undefined;
}) {
  const own = activeTimeZone();
  const [openedAt] = useState(() => new Date());
  const instant = scheduledInstant(schedule);
  const elsewhere =
    instant !== null && schedule.timeZone !== own
      ? t('sending.schedule.elsewhere', { time: formatDateTime(instant), zone: zoneLabel(own) })
      : undefined;
  const zones = [...new Set([own, schedule.timeZone, ...timeZones])];
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      <Field label={label ?? t('sending.schedule.time')} error={error} hint={elsewhere}>
        <DateTimeInput
          value={schedule.local}
          min={instantToZonedTime(openedAt, schedule.timeZone)}
          onChange={(event) => onChange({ ...schedule, local: event.target.value })}
        />
      </Field>
      {schedule.local === '' ? null : (
        <Field label={t('sending.schedule.zone')}>
          <Select
            value={schedule.timeZone}
            onChange={(timeZone) => onChange({ ...schedule, timeZone })}
            options={zones.map((value) => ({ value, label: zoneLabel(value) }))}
          />
        </Field>
      )}
    </div>
  );
}

function zoneLabel(zone: string): string {
  return zone.replaceAll('_', ' ');
}
