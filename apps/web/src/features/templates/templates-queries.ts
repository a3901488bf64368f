import type { ConnectionKind, SendObstacle } from '@app/domain/templates/platform-status';
import { templateCategories, templateStatuses } from '@app/domain/templates/template';
import type { QueryClient } from '@tanstack/react-query';
import { orpc, type api } from '../../shared/api.ts';
import type { FeatureVisit } from '../../shared/feature.ts';
import { chosenFilters, fitsFilters, readFilters, type ListFilter } from '../../shared/lists/list-filters.ts';
import { holdsText } from '../../shared/offline/kept-rows.ts';
import { readOneOf, readText } from '../../shared/url-state.ts';
import { categoryLabel, statusLabel } from './template-words.ts';

export type Template = Awaited<ReturnType<typeof api.templates.get>>;
type Channels = Awaited<ReturnType<typeof api.channels.list>>;
export type TemplatesSearch = ReturnType<typeof readTemplatesSearch>;
type Wanted = Omit<TemplatesSearch, 'dialog' | 'template'>;

const PAGE_SIZE = 24;
export const templateSorts = ['newest', 'oldest', 'name'] as const;
const dialogs = ['', 'new', 'edit', 'preview', 'duplicate', 'translate'] as const;

/** What the list can be narrowed to. */
export const templateFilters = {
  category: {
    label: 'templates.filterCategory',
    all: 'templates.all',
    values: templateCategories,
    say: categoryLabel,
    of: (template: Template) => template.category,
  },
  status: {
    label: 'templates.filterStatus',
    all: 'templates.all',
    values: templateStatuses,
    say: statusLabel,
    of: (template: Template) => template.standing,
  },
} satisfies Record<string, ListFilter<Template>>;

/** Filters and the open dialog live in the address: `?dialog=edit&template=…`. */
export function readTemplatesSearch(search: Record<string, unknown>) {
  return {
    search: readText(search, 'search'),
    ...readFilters(templateFilters, search),
    sort: readOneOf(search, 'sort', templateSorts),
    dialog: readOneOf(search, 'dialog', dialogs),
    template: readText(search, 'template'),
  };
}

export function listOptions({ search, sort, ...choices }: Wanted) {
  return orpc.templates.list.infiniteOptions({
    input: (cursor: string | undefined) => ({
      ...(cursor && { cursor }),
      ...(search && { search }),
      ...chosenFilters(templateFilters, choices),
      ...{ limit: PAGE_SIZE, sort, together: 'yes' },
    }),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}

/** What the server would find among these templates. */
export function findKeptTemplates(
  templates: readonly Template[],
  { search, sort, ...choices }: Wanted,
): Template[] {
  const found = templates
    .filter((template) => fitsFilters(templateFilters, choices, template))
    .filter(({ name, content }) => holdsText([name, content], search));
  if (sort === 'name') return found.toSorted((a, b) => a.name.localeCompare(b.name));
  return sort === 'oldest' ? found.toReversed() : found;
}

/** What its card says of it. */
export function shownOf({ whyNotSendable }: Template): SendObstacle | 'approved' {
  return whyNotSendable ?? 'approved';
}

/** On the platform what it does not have yet; in the sandbox, where people choose the status, what waits for nobody. */
export function isSubmittable(template: Template, connection: ConnectionKind): boolean {
  if (connection === 'none') return false;
  if (shownOf(template) === 'not_submitted') return true;
  const { status } = template;
  return connection === 'platform' && (status === 'draft' || status === 'rejected');
}

export const summaryOptions = orpc.templates.summarize.queryOptions({ input: {} });
export const reviewerOptions = orpc.channels.list.queryOptions({
  ...{ input: {}, staleTime: 60_000 },
  select: reviewerOf,
});

/** Who has the last word about a template's status: nobody, where messages leave through a channel that reviews none. */
export function reviewerOf({ items }: Channels): ConnectionKind {
  const sender = items.find(({ isSender }) => isSender);
  return sender?.capabilities.templates === 'reviewed' ? sender.connection : 'none';
}

export function templateOptions(templateId: string) {
  return orpc.templates.get.queryOptions({ input: { templateId } });
}

/** What the list shows first. */
export function prefetchTemplates({ queryClient, search }: FeatureVisit): Promise<unknown> {
  return Promise.all([
    queryClient.prefetchQuery(summaryOptions),
    queryClient.prefetchInfiniteQuery(listOptions(readTemplatesSearch(search))),
  ]);
}

/** After any change: the list, the counts and each open template are read anew. */
export function refreshTemplates(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: orpc.templates.key() });
}
