import { useQuery } from '@tanstack/react-query';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import {
  filtersOptions,
  narrowedOf,
  type AnalyticsSearch,
  type FilterName,
  type Reports,
} from './analytics-queries.ts';

export type NamedFilter = Reports['getFilters']['items'][number];

/** What is chosen, by name: filters whose answer is not there yet are missing. */
export function useNamedFilters(search: AnalyticsSearch): NamedFilter[] {
  const items = useQuery(filtersOptions(search)).data?.items ?? [];
  return items.filter(({ kind, value }) => search[kind] === value);
}

/** Whether the segment is there. The server counts for no segment that is gone, so nothing is asked before this is known. */
export function useSegmentState(search: AnalyticsSearch): 'there' | 'gone' | 'unknown' {
  const { isError } = useQuery(filtersOptions(search));
  const found = useNamedFilters(search).find(({ kind }) => kind === 'segment');
  if (narrowedOf(search).segment === '') return 'there';
  if (found) return found.isGone ? 'gone' : 'there';
  return isError ? 'there' : 'unknown';
}

const WORDS = {
  campaign: 'analytics.gone.campaign',
  template: 'analytics.gone.template',
  sender: 'analytics.gone.sender',
  tag: 'analytics.gone.tag',
  segment: 'analytics.gone.segment',
  agent: 'analytics.gone.agent',
  team: 'analytics.gone.team',
} as const;

/** One notice of all filters of the address that exist no more; its button takes them away. */
export function GoneFilters({
  search,
  onChange,
}: {
  search: AnalyticsSearch;
  onChange: (patch: Partial<Record<FilterName, ''>>) => void;
}) {
  const gone = useNamedFilters(search).flatMap(({ kind, isGone }) =>
    isGone && kind !== 'channel' && kind !== 'country' ? [kind] : [],
  );
  const [first, ...others] = gone;
  if (first === undefined) return null;
  return (
    <Banner
      tone="warning"
      action={
        <Button
          size="small"
          onClick={() => onChange(Object.fromEntries(gone.map((kind) => [kind, '' as const])))}
        >
          {t('analytics.gone.remove', { n: gone.length })}
        </Button>
      }
    >
      {others.length === 0 ? (
        t(WORDS[first])
      ) : (
        <ul>
          {gone.map((kind) => (
            <li key={kind}>{t(WORDS[kind])}</li>
          ))}
        </ul>
      )}
    </Banner>
  );
}
