import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { findsPerson } from '../../shared/offline/find-person.ts';
import { useFoundRows } from '../../shared/offline/found-rows.ts';
import { holdsText, whileReachable } from '../../shared/offline/kept-rows.ts';
import { segmentsOptions } from '../../shared/contacts/contacts-queries.ts';
import { can } from '../../shared/session.ts';

const FOUND_OF_EACH = 5;
/** A single letter stands in nearly every name. */
export const SHORTEST_SEARCH = 2;

const kinds = {
  contacts: orpc.contacts.list.key(),
  templates: orpc.templates.list.key(),
  campaigns: orpc.campaigns.list.key(),
};

/** Contacts, segments, templates and campaigns that match what was typed, of those that the role may read. */
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
  // There are few: all of them are read, and searched here.
  const segments = useQuery({
    ...segmentsOptions,
    staleTime: 10_000,
    enabled: isWanted && can('contacts:read'),
  });
  const found = {
    contacts: useFoundRows(contacts, kinds.contacts, (kept) =>
      kept.filter((person) => findsPerson(person, search)).slice(0, FOUND_OF_EACH),
    ),
    templates: useFoundRows(templates, kinds.templates, (kept) =>
      kept.filter(({ name }) => holdsText([name], search)).slice(0, FOUND_OF_EACH),
    ),
    campaigns: useFoundRows(campaigns, kinds.campaigns, (kept) =>
      kept.filter(({ name }) => holdsText([name], search)).slice(0, FOUND_OF_EACH),
    ),
  };
  const searched = Object.values(found).flatMap(({ searched: n }) => n ?? []);
  return {
    contacts: isWanted ? found.contacts.rows : [],
    templates: isWanted ? found.templates.rows : [],
    campaigns: isWanted ? found.campaigns.rows : [],
    segments: isWanted
      ? (segments.data?.items ?? []).filter(({ name }) => holdsText([name], search)).slice(0, FOUND_OF_EACH)
      : [],
    /** How many were searched on this device; undefined while the server answers. */
    searched: isWanted && searched.length > 0 ? searched.reduce((sum, n) => sum + n, 0) : undefined,
    isSearching: isWanted && [contacts, templates, campaigns, segments].some((query) => query.isFetching),
  };
}
