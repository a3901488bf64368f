import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { orpc, type api } from '../../../shared/api.ts';
import { whileReachable } from '../../../shared/offline/kept-rows.ts';
import { groupTemplates, type TemplateGroup } from './template-groups.ts';

export type Template = Awaited<ReturnType<typeof api.templates.get>>;

/** Approved templates by name, a page at a time. */
export function useApprovedTemplates(search: string) {
  const query = useInfiniteQuery(
    orpc.templates.list.infiniteOptions({
      input: (cursor: string | undefined) => ({
        limit: 24,
        status: 'approved' as const,
        sort: 'name' as const,
        ...(search === '' ? {} : { search }),
        ...(cursor === undefined ? {} : { cursor }),
      }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: whileReachable,
    }),
  );
  const templates = useMemo(
    () => query.data?.pages.flatMap((page) => page.items).filter((template) => template.isSendable) ?? [],
    [query.data],
  );
  return { ...query, templates };
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
  const { templates } = useApprovedTemplates(template?.name ?? '');
  if (!template) return null;
  const others = templates.filter(({ id, name }) => id !== template.id && name === template.name);
  const group = groupTemplates([template, ...others])[0] ?? [template];
  // In one order, whichever of them is chosen.
  const [first = template, ...rest] = group.toSorted((a, b) => (a.language < b.language ? -1 : 1));
  return [first, ...rest];
}
