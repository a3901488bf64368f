import { zonedTimeToInstant } from '@app/domain/campaigns/zoned-time';
import { activeTimeZone } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { readOneOf, readText } from '../../../shared/url-state.ts';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { FilterSelect } from '../../../ui/table/filter-select.tsx';
import { optionName } from '../flow-words.ts';
import type { WorkflowRun } from '../workflows-queries.ts';

/** As the contract has them. */
const runStatuses = [
  'running',
  'completed',
  'failed',
  'cancelled',
] as const satisfies readonly WorkflowRun['status'][];
const periods = ['day', 'week', 'month'] as const;
const HOUR_MS = 3_600_000;
const periodHours: Record<(typeof periods)[number], number> = { day: 24, week: 24 * 7, month: 24 * 30 };
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The open run and the filters of the log live in the address. */
export function readRunsSearch(search: Record<string, unknown>) {
  const day = (name: string) => {
    const text = readText(search, name);
    return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';
  };
  return {
    run: readText(search, 'run'),
    search: readText(search, 'search'),
    status: readOneOf(search, 'status', ['', ...runStatuses]),
    started: readOneOf(search, 'started', ['', ...periods, 'own']),
    from: day('from'),
    to: day('to'),
  };
}

export type RunsSearch = ReturnType<typeof readRunsSearch>;

/** What takes all filters out of the address. */
export const noRunFilters = {
  ...{ search: undefined, status: undefined, started: undefined, from: undefined, to: undefined },
} as const;

export function isFiltered({ search, status, started }: RunsSearch): boolean {
  return search !== '' || status !== '' || started !== '';
}

/** How many filters leave something out, besides the search. */
export function countFilters({ status, started }: RunsSearch): number {
  return [status, started].filter((value) => value !== '').length;
}

export function isWrongWay({ started, from, to }: RunsSearch): boolean {
  return started === 'own' && from !== '' && to !== '' && to < from;
}

/**
 * The filters as the server is asked. Days are those of the user's own time zone, and the last one counts as well. A fixed period ends
 * at `now`, in milliseconds.
 */
export function runsWanted(url: RunsSearch, now: number) {
  const { status, started, from, to } = url;
  const own = started === 'own' && !isWrongWay(url);
  const since =
    started !== '' && started !== 'own'
      ? new Date(now - periodHours[started] * HOUR_MS).toISOString()
      : own && from !== ''
        ? beginOf(from)
        : undefined;
  const until = own && to !== '' ? beginOf(nextDay(to)) : undefined;
  return {
    ...(status !== '' && { status }),
    ...(since !== undefined && { from: since }),
    ...(until !== undefined && { to: until }),
  };
}

function beginOf(day: string): string | undefined {
  return zonedTimeToInstant(`${day}T00:00`, activeTimeZone())?.toISOString();
}

function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 24 * HOUR_MS).toISOString().slice(0, 10);
}

type Change = (patch: { [Key in keyof RunsSearch]?: RunsSearch[Key] | undefined }) => void;

export function RunFilters({ url, onChange }: { url: RunsSearch; onChange: Change }) {
  return (
    <>
      <FilterSelect
        label={t('automation.filter.status')}
        value={url.status}
        onChange={(status) => onChange({ status })}
        options={[
          { value: '', label: t('automation.filter.all') },
          ...runStatuses.map((value) => ({ value, label: optionName(`run_${value}`) })),
        ]}
      />
      <FilterSelect
        label={t('automation.filter.started')}
        value={url.started}
        onChange={(started) =>
          onChange({ started, ...(started !== 'own' && { from: undefined, to: undefined }) })
        }
        options={[
          { value: '', label: t('automation.filter.anyTime') },
          ...periods.map((value) => ({ value, label: optionName(`last_${value}`) })),
          { value: 'own', label: t('automation.filter.ownPeriod') },
        ]}
      />
    </>
  );
}

/** The first and the last day of a period that the user chooses; either may be left open. */
export function RunDays({ url, onChange }: { url: RunsSearch; onChange: Change }) {
  if (url.started !== 'own') return null;
  return (
    <div className="flex flex-wrap items-start gap-3">
      {(['from', 'to'] as const).map((name) => (
        <div key={name} className="w-44 max-sm:w-full">
          <Field
            label={t(`automation.filter.${name}`)}
            error={name === 'to' && isWrongWay(url) ? t('automation.filter.wrongPeriod') : undefined}
          >
            <Input
              type="date"
              value={url[name]}
              onChange={({ target }) => onChange({ [name]: target.value || undefined })}
            />
          </Field>
        </div>
      ))}
    </div>
  );
}
