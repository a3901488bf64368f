import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { BusinessHours, OpenDay } from '@app/domain/conversations/teamwork/business-time';
import { inboxLimits } from '@app/domain/conversations/inbox-settings';
import { formatDay } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { OFFICE, SpanFields } from './span-fields.tsx';

type Exceptions = BusinessHours['exceptions'];

/** Days of the calendar that are closed, or have other hours than their weekday. */
export function ExceptionFields({
  exceptions,
  onChange,
}: {
  exceptions: Exceptions;
  onChange: (exceptions: Exceptions) => void;
}) {
  const [day, setDay] = useState('');
  const isThere = exceptions.some((exception) => exception.day === day);
  const mayAdd = day !== '' && !isThere && exceptions.length < inboxLimits.exceptions;
  const add = () => {
    onChange([...exceptions, { day, hours: [] }].toSorted((one, other) => (one.day < other.day ? -1 : 1)));
    setDay('');
  };
  const change = (at: string, hours: OpenDay) =>
    onChange(exceptions.map((exception) => (exception.day === at ? { day: at, hours } : exception)));
  return (
    <fieldset className="grid gap-2">
      <div className="flex items-end gap-2">
        <Field label={t('teamwork.exceptions')}>
          <Input type="date" value={day} onChange={(event) => setDay(event.currentTarget.value)} />
        </Field>
        <Button icon={<Plus aria-hidden />} disabled={!mayAdd} onClick={add}>
          {t('teamwork.addHoliday')}
        </Button>
      </div>
      <p className="text-sm text-muted">{t('teamwork.exceptionsHint')}</p>
      <ul className="grid gap-2 max-sm:gap-4">
        {exceptions.map((exception) => {
          const name = formatDay(exception.day);
          return (
            <li key={exception.day} className="flex min-h-9 flex-wrap items-start gap-x-3 gap-y-1">
              <Switch
                className="pt-1.5 max-sm:grow sm:w-36"
                label={name}
                checked={exception.hours.length > 0}
                onChange={(event) =>
                  change(exception.day, event.currentTarget.checked ? [{ ...OFFICE }] : [])
                }
              />
              <IconButton
                size="small"
                className="order-last mt-0.5"
                label={t('teamwork.removeHoliday', { day: name })}
                onClick={() => onChange(exceptions.filter((other) => other.day !== exception.day))}
              >
                <X aria-hidden />
              </IconButton>
              <SpanFields
                name={name}
                spans={exception.hours}
                onChange={(hours) => change(exception.day, hours)}
              />
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
