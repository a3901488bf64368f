import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { orpc } from '../../../shared/api.ts';
import { useAction } from '../../../shared/actions/use-action.ts';
import { queryOf } from '../../../shared/conversations/conversations-queries.ts';
import { useLiveQuery } from '../../../shared/live/use-live-query.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { useConfirm } from '../../../ui/overlays/confirm.tsx';
import { notify } from '../../../ui/toast.ts';
import { withoutFilters, type FilteredList } from '../inbox-search.ts';
import { viewErrorMessage, viewsOptions } from './views-queries.ts';
import { filtersOf, showsView, type SavedView } from './view-query.ts';

/** Which form is open: of a new view, or of one that there is. */
export type ViewForm = 'new' | SavedView | null;

/** The views of the list, which one of them it shows, and what is done with them. */
export function useViews(list: FilteredList) {
  const { url, setUrl } = list;
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const [form, setForm] = useState<ViewForm>(null);
  const update = useAction(orpc.conversationViews.update.mutationOptions());
  const remove = useAction(orpc.conversationViews.remove.mutationOptions());
  const views = useQuery(viewsOptions).data?.items ?? [];
  // What they name comes and goes too.
  useLiveQuery(['inbox-settings', 'users', 'teams'], [viewsOptions.queryKey]);
  const current = views.find(({ id }) => id === url.view);
  const refresh = () => queryClient.invalidateQueries({ queryKey: viewsOptions.queryKey });

  async function saveChanges({ id, version, name, isShared }: SavedView) {
    try {
      await update.mutateAsync({ viewId: id, version, name, isShared, query: queryOf(url) });
      notify.success(t('inbox.view.saved'));
    } catch (error) {
      notify.error(viewErrorMessage(error));
    }
    await refresh();
  }

  async function askToDelete({ id, name, isShared }: SavedView) {
    const isSure = await confirm({
      title: t('inbox.view.deleteQuestion', { name }),
      text: t(isShared ? 'inbox.view.deleteTextShared' : 'inbox.view.deleteText'),
      confirmLabel: t('common.delete'),
    });
    if (!isSure) return;
    try {
      await remove.mutateAsync({ viewId: id });
      notify.success(t('inbox.view.deleted'));
      setUrl({ view: undefined });
    } catch (error) {
      notify.error(viewErrorMessage(error));
    }
    await refresh();
  }

  return {
    own: views.filter(({ isShared }) => !isShared),
    shared: views.filter(({ isShared }) => isShared),
    current,
    isChanged: current !== undefined && !showsView(url, current),
    isSaving: update.isPending,
    mayEdit: (view: SavedView) => !view.isShared || can('messages:manage'),
    form,
    setForm,
    show: (view: SavedView) =>
      setUrl({ ...shortened(filtersOf(view.query)), search: undefined, view: view.id }),
    leave: () => setUrl({ ...withoutFilters, tab: undefined }),
    saveChanges: (view: SavedView) => void saveChanges(view),
    askToDelete: (view: SavedView) => void askToDelete(view),
  };
}

export type Views = ReturnType<typeof useViews>;

/** What is as ever leaves the address. */
function shortened(filters: ReturnType<typeof filtersOf>) {
  return { ...filters, tab: filters.tab === 'all' ? undefined : filters.tab };
}
