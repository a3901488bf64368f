import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { whileReachable } from '../../shared/offline/kept-rows.ts';
import { can } from '../../shared/session.ts';

const FOUND_OF_EACH = 5;
/** A single letter stands in nearly every name. */
export const SHORTEST_SEARCH = 2;

/** Contacts, templates and campaigns that match what was typed, of those that the role may read. */
export function useFoundItems(search: string) {
  const isWanted = search.length >= SHORTEST_SEARCH;
  const input = { search, limit: FOUND_OF_EACH };
  const options = { placeholderData: whileReachable, staleTime: 10_000 } as const;
  const contacts = useQuery(
    orpc.contacts.list.queryOptions({
      input,
      ...options,
      enabled: isWanted && can('contacts:read'),
    }),
  );
  const templates = useQuery(
    orpc.templates.list.queryOptions({
      input,
      ...options,
      enabled: isWanted && can('templates:read'),
    }),
  );
  const campaigns = useQuery(
    orpc.campaigns.list.queryOptions({
      input,
      ...options,
      enabled: isWanted && can('campaigns:read'),
    }),
  );
  return {
    contacts: (isWanted && contacts.data?.items) || [],
    templates: (isWanted && templates.data?.items) || [],
    campaigns: (isWanted && campaigns.data?.items) || [],
    isSearching: isWanted && (contacts.isFetching || templates.isFetching || campaigns.isFetching),
  };
}
