import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal, X } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { activeTimeZone, formatCountry, formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { FilterSelect, type FilterOption } from '../../ui/table/filter-select.tsx';
import {
  choicesOptions,
  filterNames,
  filtersOfSection,
  reportOptions,
  type AnalyticsSearch,
  type FilterName,
  type Reports,
} from './analytics-queries.ts';
import { useNamedFilters } from './gone-filters.tsx';
import { nameOf } from './report-tables.ts';

type Options = Record<FilterName, FilterOption[]>;
const OF_CONTACTS = ['tag', 'segment'] as const;
/** Sections that count messages. */
const FROM_MESSAGES = ['overview', 'results', 'failures'] as const;
const NONE = Object.fromEntries([...filterNames, 'zone'].map((name) => [name, '']));

/** What can be chosen; `choices` are read when the user opens them, or where one is chosen already. */
export function useFilterOptions(search: AnalyticsSearch, isOpen: boolean): Options {
  // Campaigns and templates are those of the period, whatever else is chosen.
  const all = reportOptions({ ...search, ...NONE });
  const isAsked = isOpen || filterNames.some((name) => search[name] !== '');
  const campaigns = useQuery({ ...all.campaigns, enabled: isAsked && all.campaigns.enabled }).data?.items;
  const templates = useQuery({ ...all.templates, enabled: isAsked && all.templates.enabled }).data?.items;
  const choices = useQuery({ ...choicesOptions, enabled: isAsked }).data;
  const named = (items: readonly { id: string; name: string }[] = []) =>
    items.map(({ id, name }) => ({ value: id, label: name }));
  const ofReport = (items: Reports['getCampaigns']['items'] = []) =>
    items.map((one) => ({ value: one.id, label: nameOf(one) }));
  const chosen = useNamedFilters(search);
  const listed: Options = {
    campaign: ofReport(campaigns),
    template: ofReport(templates),
    // Nothing is narrowed by the only kind that there is.
    channel: choices && choices.channels.length > 1 ? named(choices.channels) : [],
    sender: named(choices?.senders),
    tag: (choices?.tags ?? []).map((tag) => ({ value: tag, label: tag })),
    segment: named(choices?.segments),
    country: (choices?.countries ?? [])
      .map((code) => ({ value: code, label: formatCountry(code) }))
      .toSorted((one, other) => one.label.localeCompare(other.label)),
    agent: named(choices?.agents),
    team: named(choices?.teams),
  };
  // What is chosen has its name also where it is not among the choices: it sent nothing in the period, or is gone.
  for (const { kind, value, name, isGone } of chosen)
    if (kind !== 'country' && !listed[kind].some((one) => one.value === value))
      listed[kind].push({ value, label: nameOf({ name, isDeleted: isGone && kind !== 'tag' }) });
  return listed;
}

export function activeFilters(search: AnalyticsSearch): (FilterName | 'zone')[] {
  return [...filtersOfSection[search.section], 'zone' as const].filter((name) => search[name] !== '');
}

/** One button for all that figures can be narrowed to; what is chosen stays in sight, and goes with one press. */
export function ReportFilters({
  search,
  onChange,
  period,
  children,
}: {
  search: AnalyticsSearch;
  onChange: (patch: Partial<AnalyticsSearch>) => void;
  /** Stands before the button. */
  period: ReactNode;
  /** What stands behind it. */
  children?: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  const options = useFilterOptions(search, isOpen);
  const active = activeFilters(search);
  const label = (name: FilterName | 'zone') => filterText(name, search[name], options);
  return (
    <div className="flex flex-col gap-3">
      {active.length > 0 ? (
        <p className="print-only">{active.map((name) => label(name)).join(' · ')}</p>
      ) : null}
      <div data-no-print className="flex flex-wrap items-center gap-2">
        {period}
        <Button
          icon={<SlidersHorizontal aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={panel}
          onClick={() => setOpen(!isOpen)}
        >
          {active.length > 0
            ? t('analytics.filtersOn', { count: formatNumber(active.length) })
            : t('analytics.filters')}
        </Button>
        {children}
      </div>
      <div
        id={panel}
        data-no-print
        hidden={!isOpen}
        className="flex flex-wrap gap-2 rounded-card border border-border bg-raised p-3 [&[hidden]]:hidden"
      >
        {filtersOfSection[search.section].map((name) =>
          options[name].length > 0 || search[name] !== '' ? (
            <FilterSelect
              key={name}
              label={t(`analytics.${name}`)}
              value={search[name]}
              onChange={(value) => onChange({ [name]: value })}
              options={[
                { value: '', label: t('analytics.all') },
                ...withChosen(options[name], search[name], unlistedText(name, search[name])),
              ]}
            />
          ) : null,
        )}
        <FilterSelect
          label={t('analytics.zone')}
          value={search.zone}
          onChange={(zone) => onChange({ zone })}
          options={[
            { value: '', label: zoneName(activeTimeZone()) },
            ...withChosen(isOpen ? zones() : [], search.zone, unlistedText('zone', search.zone)),
          ]}
        />
      </div>
      {active.length > 0 ? (
        <ul data-no-print className="flex flex-wrap items-center gap-2">
          {active.map((name) => (
            <li key={name}>
              <button
                type="button"
                aria-label={t('analytics.removeFilter', { filter: label(name) })}
                onClick={() => onChange({ [name]: '' })}
                className="flex min-h-7 max-w-full items-center gap-1.5 rounded-full border border-border bg-raised py-0.5 pr-2 pl-3 text-sm hover:bg-hover"
              >
                <bdi className="min-w-0 truncate">{label(name)}</bdi>
                <X aria-hidden className="size-3.5 shrink-0 text-muted" />
              </button>
            </li>
          ))}
          {active.length > 1 ? (
            <li>
              <Button variant="ghost" size="small" onClick={() => onChange(NONE)}>
                {t('analytics.clearFilters')}
              </Button>
            </li>
          ) : null}
        </ul>
      ) : null}
      {!FROM_MESSAGES.some((section) => section === search.section) ? null : search.agent || search.team ? (
        <p className="text-sm text-muted">{t('analytics.fromMembers')}</p>
      ) : OF_CONTACTS.some((name) => search[name] !== '') ||
        (search.section !== 'overview' && search.country !== '') ? (
        <p className="text-sm text-muted">{t('analytics.fromMessages')}</p>
      ) : null}
    </div>
  );
}

/** A filter in words: its name and what is chosen. */
export function filterText(name: FilterName | 'zone', value: string, options: Options): string {
  const found = name === 'zone' ? undefined : options[name].find((one) => one.value === value)?.label;
  return t('analytics.filterShown', {
    name: t(`analytics.${name}`),
    value: found ?? unlistedText(name, value),
  });
}

/** The one that is chosen stays in the list where it is not among those that can be. */
function withChosen(options: readonly FilterOption[], chosen: string, label: string) {
  const isThere = chosen === '' || options.some(({ value }) => value === chosen);
  return isThere ? options : [...options, { value: chosen, label }];
}

/** What is not among the choices is its own name, or is not known yet. */
function unlistedText(name: FilterName | 'zone', value: string): string {
  if (name === 'zone') return zoneName(value);
  if (name === 'tag' || name === 'channel') return value;
  return name === 'country' && value !== '' ? formatCountry(value) : '…';
}

function zoneName(zone: string): string {
  return zone.replaceAll('_', ' ');
}

function zones(): FilterOption[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({
    value: zone,
    label: zoneName(zone),
  }));
}
