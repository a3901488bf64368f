import { t } from '../../shared/messages.ts';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { daysOf, type periods, type AnalyticsSearch, type Reports } from './analytics-queries.ts';
import { nameOf } from './report-tables.ts';

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

type Named = { id: string; name: string | null; isDeleted: boolean };

/** The period, its own days where somebody chooses them, and what the figures are narrowed to. */
export function PeriodFields({
  search,
  onChange,
  campaigns,
  templates,
  senders,
}: {
  search: AnalyticsSearch;
  onChange: (patch: Partial<AnalyticsSearch>) => void;
  campaigns: Reports['getCampaigns']['items'];
  templates: Reports['getTemplates']['items'];
  senders: readonly { id: string; name: string }[];
}) {
  const days = daysOf(search);
  const narrowed = [
    { name: 'campaign', options: optionsOf(campaigns, search.campaign) },
    { name: 'template', options: optionsOf(templates, search.template) },
    { name: 'sender', options: senders.map(({ id, name }) => ({ value: id, label: name })) },
  ] as const;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <FilterSelect
          label={t('analytics.period')}
          value={search.period}
          onChange={(period) =>
            onChange({ period, ...(period === 'custom' && days ? days : { from: '', to: '' }) })
          }
          options={ORDER.map((value) => ({ value, label: t(LABELS[value]) }))}
        />
        {narrowed.map(({ name, options }) =>
          options.length > 1 || search[name] !== '' ? (
            <FilterSelect
              key={name}
              label={t(`analytics.${name}`)}
              value={search[name]}
              onChange={(value) => onChange({ [name]: value })}
              options={[{ value: '', label: t('analytics.all') }, ...options]}
            />
          ) : null,
        )}
      </div>
      {search.period === 'custom' ? (
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
      ) : null}
    </div>
  );
}

/** Those of the period; the one that is chosen stays in the list where it has none of it. */
function optionsOf(items: readonly Named[], chosen: string): { value: string; label: string }[] {
  const options = items.map((one) => ({ value: one.id, label: nameOf(one) }));
  const isThere = chosen === '' || options.some(({ value }) => value === chosen);
  return isThere ? options : [...options, { value: chosen, label: t('analytics.unnamed') }];
}
