import { useQuery, useQueryClient } from '@tanstack/react-query';
import { orpc } from '../shared/api.ts';
import { useLiveEvent } from '../shared/live/live-events.ts';
import { can } from '../shared/session.ts';

/** The live figures beside the sidebar's entries. The inbox has none until its page exists. */
export function useNavigationCounts(): { inbox: number; campaigns: number } {
  const mayRead = can('campaigns:read');
  const queryClient = useQueryClient();
  const counts = orpc.campaigns.summarize.queryOptions({ input: {}, staleTime: 60_000, enabled: mayRead });
  const { data } = useQuery(counts);
  const read = () => void queryClient.invalidateQueries({ queryKey: counts.queryKey });
  useLiveEvent('campaigns', read);
  useLiveEvent('resync', read);
  return { inbox: 0, campaigns: data?.running ?? 0 };
}
