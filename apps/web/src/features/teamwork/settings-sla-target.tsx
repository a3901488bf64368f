import { useState } from 'react';
import { t } from '../../shared/messages.ts';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { readCount } from './settings-values.ts';

const HOUR = 60;

/** Within how many minutes or hours; empty: there is no such target. */
export function Target({
  label,
  minutes,
  onChange,
}: {
  label: string;
  minutes: number | null;
  onChange: (minutes: number | null) => void;
}) {
  const [unit, setUnit] = useState<'minutes' | 'hours'>(
    minutes !== null && minutes % HOUR === 0 ? 'hours' : 'minutes',
  );
  const size = unit === 'hours' ? HOUR : 1;
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <Field label={label}>
          <Input
            type="number"
            inputMode="numeric"
            min={1}
            placeholder={t('teamwork.noTarget')}
            value={minutes === null ? '' : minutes / size}
            onChange={(event) => {
              const count = readCount(event.currentTarget.value);
              onChange(count === null ? null : count * size);
            }}
          />
        </Field>
      </div>
      <div className="w-32 shrink-0">
        <Select
          label={t('teamwork.unit')}
          value={unit}
          onChange={(next) => {
            setUnit(next);
            if (minutes !== null) onChange((minutes / size) * (next === 'hours' ? HOUR : 1));
          }}
          options={[
            { value: 'minutes', label: t('teamwork.minutes') },
            { value: 'hours', label: t('teamwork.hoursUnit') },
          ]}
        />
      </div>
    </div>
  );
}
