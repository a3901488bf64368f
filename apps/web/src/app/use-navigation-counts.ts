import { useQuery } from '@tanstack/react-query';
import { orpc } from '../shared/api.ts';
import { useLiveQuery } from '../shared/live/use-live-query.ts';
import { can } from '../shared/session.ts';

/** The live figures beside the sidebar's entries. */
export function useNavigationCounts(): { inbox: number; campaigns: number } {
  const mayRead = can('campaigns:read');
  const counts = orpc.campaigns.summarize.queryOptions({ input: {}, staleTime: 60_000, enabled: mayRead });
  const { data } = useQuery(counts);
  useLiveQuery(['campaigns'], [counts.queryKey]);
  const mayReadInbox = can('messages:read') && can('contacts:read');
  const unread = orpc.conversations.count.queryOptions({
    input: {},
    staleTime: 60_000,
    enabled: mayReadInbox,
  });
  const inbox = useQuery(unread);
  useLiveQuery(['messages'], mayReadInbox ? [unread.queryKey] : []);
  return { inbox: inbox.data?.mine ?? 0, campaigns: data?.running ?? 0 };
}
