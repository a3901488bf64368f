import { t } from '../../shared/messages.ts';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { daysOf, type periods, type AnalyticsSearch } from './analytics-queries.ts';

const LABELS = {
  '7days': 'analytics.period7days',
  '30days': 'analytics.period30days',
  '90days': 'analytics.period90days',
  '1year': 'analytics.period1year',
  custom: 'analytics.periodCustom',
} as const;
const ORDER = [
  '7days',
  '30days',
  '90days',
  '1year',
  'custom',
] as const satisfies readonly (typeof periods)[number][];

type Fields = { search: AnalyticsSearch; onChange: (patch: Partial<AnalyticsSearch>) => void };

export function PeriodField({ search, onChange }: Fields) {
  const days = daysOf(search);
  return (
    <FilterSelect
      label={t('analytics.period')}
      value={search.period}
      onChange={(period) =>
        onChange({ period, ...(period === 'custom' && days ? days : { from: '', to: '' }) })
      }
      options={ORDER.map((value) => ({ value, label: t(LABELS[value]) }))}
    />
  );
}

/** The first and the last day of a period that the user chooses. */
export function OwnDays({ search, onChange }: Fields) {
  const days = daysOf(search);
  if (search.period !== 'custom') return null;
  return (
    <div className="flex flex-wrap items-start gap-3">
      {(['from', 'to'] as const).map((name) => (
        <div key={name} className="w-44 max-sm:w-full">
          <Field
            label={t(`analytics.${name}`)}
            error={name === 'to' && days === null ? t('analytics.wrongPeriod') : undefined}
          >
            <Input
              type="date"
              value={search[name] || (days?.[name] ?? '')}
              onChange={({ target }) => onChange({ [name]: target.value })}
            />
          </Field>
        </div>
      ))}
    </div>
  );
}
