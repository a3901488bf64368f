import { contactSorts, contactStatuses } from '@app/domain/contacts/contact';
import { recipientOutcomes, type RecipientOutcome } from '@app/domain/campaigns/recipient-outcome';
import type { QueryClient } from '@tanstack/react-query';
import type { FeatureVisit } from '../feature.ts';
import { orpc, type api } from '../api.ts';
import { readOneOf, readText } from '../url-state.ts';
import { contactKeys } from './contact-keys.ts';

export type Contact = Awaited<ReturnType<typeof api.contacts.get>>;
export type Segment = Awaited<ReturnType<typeof api.segments.get>>;
export type ContactsSearch = ReturnType<typeof readContactsSearch>;

const PAGE_SIZE = 100;
const dialogs = ['', 'new', 'edit', 'import', 'segment', 'fields', 'duplicates'] as const;

/** Search, filter and the open dialog live in the address: `?filter=tag:vip&dialog=edit&contact=…`. */
export function readContactsSearch(search: Record<string, unknown>) {
  return {
    search: readText(search, 'search'),
    /** `all`, a status, `tag:` and the tag, `language:` and its code, or `segment:` or `import:` and its id, or `campaign:` with its id, an outcome and a reason, or `report:` and people of a report. */
    filter: knownFilter(readText(search, 'filter', 'all')),
    sort: readOneOf(search, 'sort', contactSorts),
    dialog: readOneOf(search, 'dialog', dialogs),
    contact: readText(search, 'contact'),
    /** The segment in the dialog; a new one when there is none. */
    segment: readText(search, 'segment'),
  };
}

function knownFilter(filter: string): string {
  return Object.keys(readFilter(filter)).length > 0 ? filter : 'all';
}

export function readFilter(filter: string): {
  status?: 'active' | 'blocked';
  tag?: string;
  language?: string;
  segment?: string;
  importId?: string;
  campaignId?: string;
  outcome?: RecipientOutcome;
  reason?: string;
  report?: string;
} {
  const segment = segmentOf(filter);
  if (segment) return { segment };
  const importId = importOf(filter);
  if (importId) return { importId };
  const campaign = campaignOf(filter);
  if (campaign) return campaign;
  const report = reportOf(filter);
  if (report) return { report };
  const [, language] = /^language:(none|[a-z]{2,3}(?:_[A-Z]{2})?)$/.exec(filter) ?? [];
  if (language) return { language };
  if (filter.startsWith('tag:')) return { tag: filter.slice(4) };
  const status = contactStatuses.find((word) => word === filter);
  return status ? { status } : {};
}

/** The id in a `segment:` filter. */
export function segmentOf(filter: string): string | undefined {
  return filter.startsWith('segment:') ? filter.slice(8) : undefined;
}

/** The id in an `import:` filter. */
export function importOf(filter: string): string | undefined {
  return filter.startsWith('import:') ? filter.slice(7) : undefined;
}

/** The people behind a number of a report in a `report:` filter. */
export function reportOf(filter: string): string | undefined {
  return filter.startsWith('report:') ? filter.slice(7) || undefined : undefined;
}

/** The people of a campaign in a `campaign:` filter, of one outcome, and for one reason. */
export function campaignOf(
  filter: string,
): { campaignId: string; outcome?: RecipientOutcome; reason?: string } | undefined {
  if (!filter.startsWith('campaign:')) return undefined;
  const [, campaignId = '', word, ...reason] = filter.split(':');
  const outcome = recipientOutcomes.find((known) => known === word);
  if (campaignId === '' || (word && !outcome)) return undefined;
  return {
    campaignId,
    ...(outcome && { outcome }),
    ...(reason.length > 0 && { reason: reason.join(':') }),
  };
}

/** Of which country numbers without a code mostly are. */
export const homeCountryOptions = orpc.contacts.getHomeCountry.queryOptions({ input: {} });

export function listOptions({ search, filter, sort }: Pick<ContactsSearch, 'search' | 'filter' | 'sort'>) {
  return orpc.contacts.list.infiniteOptions({
    input: (cursor: string | undefined) => ({
      ...(cursor && { cursor }),
      ...(search && { search }),
      ...readFilter(filter),
      limit: PAGE_SIZE,
      sort,
    }),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}

export const summaryOptions = orpc.contacts.summarize.queryOptions({ input: {} });
export const segmentsOptions = orpc.segments.list.queryOptions({ input: {} });
export const layoutOptions = orpc.contactLayout.get.queryOptions({ input: {}, staleTime: 60_000 });
export const tagsOptions = orpc.contacts.listTags.queryOptions({ input: {} });

export function contactOptions(contactId: string) {
  return orpc.contacts.get.queryOptions({ input: { contactId } });
}

/** What the list shows first. */
export function prefetchContacts({ queryClient, search }: FeatureVisit): Promise<unknown> {
  return Promise.all([
    queryClient.prefetchQuery(summaryOptions),
    queryClient.prefetchQuery(layoutOptions),
    queryClient.prefetchInfiniteQuery(listOptions(readContactsSearch(search))),
  ]);
}

export async function prefetchContact({ queryClient, params }: FeatureVisit): Promise<void> {
  if (params.contactId) await queryClient.prefetchQuery(contactOptions(params.contactId));
}

/** After any change: the list, the counts, the tags, the segments, the custom fields and each open contact are read anew. */
export async function refreshContacts(queryClient: QueryClient): Promise<void> {
  await Promise.all(contactKeys().map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
