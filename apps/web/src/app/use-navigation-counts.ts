import { useQuery } from '@tanstack/react-query';
import { orpc } from '../shared/api.ts';
import { useLiveQuery } from '../shared/live/use-live-query.ts';
import { can } from '../shared/session.ts';

/** The live figures beside the sidebar's entries. The inbox has none until its page exists. */
export function useNavigationCounts(): { inbox: number; campaigns: number } {
  const mayRead = can('campaigns:read');
  const counts = orpc.campaigns.summarize.queryOptions({ input: {}, staleTime: 60_000, enabled: mayRead });
  const { data } = useQuery(counts);
  useLiveQuery(['campaigns'], [counts.queryKey]);
  return { inbox: 0, campaigns: data?.running ?? 0 };
}
