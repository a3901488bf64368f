import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { orpc, type api } from '../../../shared/api.ts';
import { useFoundRows } from '../../../shared/offline/found-rows.ts';
import { holdsText, whileReachable } from '../../../shared/offline/kept-rows.ts';
import { groupTemplates, type TemplateGroup } from './template-groups.ts';

export type Template = Awaited<ReturnType<typeof api.templates.get>>;

const kind = orpc.templates.list.key();

/** Approved templates by name, a page at a time; without a connection those of them that are on this device. */
export function useApprovedTemplates(search: string) {
  const query = useInfiniteQuery(
    orpc.templates.list.infiniteOptions({
      input: (cursor: string | undefined) => ({
        limit: 24,
        status: 'approved' as const,
        sort: 'name' as const,
        together: 'yes' as const,
        ...(search === '' ? {} : { search }),
        ...(cursor === undefined ? {} : { cursor }),
      }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: whileReachable,
    }),
  );
  const { rows, searched } = useFoundRows(query, kind, (kept) =>
    kept
      .filter(({ status, name }) => status === 'approved' && holdsText([name], search))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  );
  const templates = rows.filter((template) => template.isSendable);
  return { ...query, templates, searched };
}

/** The chosen template, wherever it stands in the list; undefined while none is chosen or it is not known yet. */
export function useTemplate(templateId: string | null): { template: Template | undefined; isGone: boolean } {
  const { data, isError } = useQuery(
    orpc.templates.get.queryOptions({
      input: { templateId: templateId ?? '' },
      enabled: templateId !== null,
    }),
  );
  return { template: templateId === null ? undefined : data, isGone: templateId !== null && isError };
}

/** A template in all languages that it is approved in; null while it is not known. */
export function useLanguagesOf(template: Template | undefined): TemplateGroup<Template> | null {
  const { data } = useQuery(
    orpc.templates.list.queryOptions({
      // More than the platform has languages: they are all there at once.
      input: { name: template?.name ?? '', status: 'approved', limit: 100 },
      enabled: template !== undefined,
    }),
  );
  if (!template) return null;
  const others = (data?.items ?? []).filter(({ id, isSendable }) => id !== template.id && isSendable);
  const group = groupTemplates([template, ...others])[0] ?? [template];
  // In one order, whichever of them is chosen.
  const [first = template, ...rest] = group.toSorted((a, b) => (a.language < b.language ? -1 : 1));
  return [first, ...rest];
}
