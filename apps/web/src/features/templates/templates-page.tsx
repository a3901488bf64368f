import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, Clock, FileText, Layers, Plus, RefreshCw } from 'lucide-react';
import { Suspense, useDeferredValue } from 'react';
import type { ConnectionKind } from '@app/domain/templates/platform-status';
import { templateCategories, templateStatuses } from '@app/domain/templates/template';
import { orpc } from '../../shared/api.ts';
import { formatNumber } from '../../shared/formats.ts';
import { useKeptRows, whileReachable } from '../../shared/kept-rows.ts';
import { useLiveEvent } from '../../shared/live-events.ts';
import { t } from '../../shared/messages.ts';
import { OfflineSearchNote } from '../../shared/offline-search-note.tsx';
import { can } from '../../shared/session.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { useAct } from '../../shared/use-act.ts';
import { useLoadAhead } from '../../shared/use-load-ahead.ts';
import { Button } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { CardGrid, PageFrame, Panel } from '../../ui/page-frame.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { CardGridSkeleton, EmptyState, ErrorState } from '../../ui/states.tsx';
import { SummaryCard, SummaryCards } from '../../ui/summary-cards.tsx';
import { notify } from '../../ui/toast.tsx';
import { Toolbar } from '../../ui/toolbar.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { TemplateCard, type TemplateAct } from './template-card.tsx';
import { categoryLabel, statusLabel, templateFailureText } from './template-words.ts';
import {
  channelOptions,
  findKeptTemplates,
  isSubmittable,
  listOptions,
  plainListOptions,
  readTemplatesSearch,
  refreshTemplates,
  summaryOptions,
  type Template,
  type TemplatesSearch,
} from './templates-queries.ts';

const loadDialogs = async () => (await import('./template-dialogs.tsx')).TemplateDialogs;
const dialogs = [loadDialogs];
const TemplateDialogs = lazyPart(loadDialogs);

export function TemplatesPage() {
  const [url, setUrl] = useUrlState(readTemplatesSearch);
  const queryClient = useQueryClient();
  const acts = useTemplateActs((patch) => setUrl(patch, { push: true }));
  const connection = useQuery(channelOptions).data?.connection ?? 'none';
  useLoadAhead(dialogs);
  const refresh = () => void refreshTemplates(queryClient);
  useLiveEvent('templates', refresh);
  useLiveEvent('resync', refresh);

  return (
    <PageFrame
      title={t('templates.title')}
      purpose={t('templates.purpose')}
      actions={
        <>
          {connection !== 'none' && can('templates:update') ? <SyncButton /> : null}
          {can('templates:create') ? (
            <Button
              variant="primary"
              icon={<Plus aria-hidden />}
              onClick={() => setUrl({ dialog: 'new' }, { push: true })}
            >
              {t('templates.create')}
            </Button>
          ) : null}
        </>
      }
      summary={<TemplatesSummary />}
      toolbar={<TemplatesToolbar url={url} setUrl={setUrl} />}
    >
      <TemplatesGrid
        url={url}
        connection={connection}
        onAct={acts}
        onClear={() => setUrl({ search: undefined, category: undefined, status: undefined })}
        onCreate={() => setUrl({ dialog: 'new' }, { push: true })}
      />
      {url.dialog === '' ? null : (
        <Suspense>
          <TemplateDialogs
            dialog={url.dialog}
            templateId={url.template}
            onChange={(dialog, template) => setUrl({ dialog: dialog || undefined, template })}
          />
        </Suspense>
      )}
    </PageFrame>
  );
}

function TemplatesSummary() {
  const { data } = useQuery(summaryOptions);
  const figure = (value: number | undefined) => (value === undefined ? undefined : formatNumber(value));
  return (
    <SummaryCards>
      <SummaryCard label={t('templates.total')} value={figure(data?.total)} icon={<Layers />} />
      <SummaryCard label={t('templates.approved')} value={figure(data?.approved)} icon={<CircleCheck />} />
      <SummaryCard label={t('templates.pending')} value={figure(data?.pending)} icon={<Clock />} />
      <SummaryCard label={t('templates.draft')} value={figure(data?.draft)} icon={<FileText />} />
      <SummaryCard label={t('templates.rejected')} value={figure(data?.rejected)} icon={<CircleX />} />
    </SummaryCards>
  );
}

type SetUrl = ReturnType<typeof useUrlState<TemplatesSearch>>[1];

function TemplatesToolbar({ url, setUrl }: { url: TemplatesSearch; setUrl: SetUrl }) {
  return (
    <Toolbar
      search={
        <SearchInput
          value={url.search}
          onChange={(search) => setUrl({ search: search || undefined })}
          placeholder={t('templates.search')}
        />
      }
      active={[url.category, url.status].filter((choice) => choice !== 'all').length}
      sort={
        <FilterSelect
          label={t('templates.filterSort')}
          value={url.sort}
          onChange={(sort) => setUrl({ sort: sort === 'newest' ? undefined : sort })}
          options={(['newest', 'oldest', 'name'] as const).map((value) => ({
            value,
            label: t(`templates.sort.${value}`),
          }))}
        />
      }
    >
      <FilterSelect
        label={t('templates.filterCategory')}
        value={url.category}
        onChange={(category) => setUrl({ category: category === 'all' ? undefined : category })}
        options={[
          { value: 'all', label: t('templates.all') },
          ...templateCategories.map((value) => ({ value, label: categoryLabel(value) })),
        ]}
      />
      <FilterSelect
        label={t('templates.filterStatus')}
        value={url.status}
        onChange={(status) => setUrl({ status: status === 'all' ? undefined : status })}
        options={[
          { value: 'all', label: t('templates.all') },
          ...templateStatuses.map((value) => ({ value, label: statusLabel(value) })),
        ]}
      />
    </Toolbar>
  );
}

function TemplatesGrid({
  url,
  connection,
  onAct,
  onClear,
  onCreate,
}: {
  url: TemplatesSearch;
  connection: ConnectionKind;
  onAct: (act: TemplateAct, template: Template) => void;
  onClear: () => void;
  onCreate: () => void;
}) {
  const { category, status, sort } = url;
  // The keys stay ahead of the list: typing never waits for it.
  const search = useDeferredValue(url.search);
  const list = useInfiniteQuery({
    ...listOptions({ search, category, status, sort }),
    placeholderData: whileReachable,
  });
  const isFiltered = search !== '' || category !== 'all' || status !== 'all';
  const kept = useKeptRows<Template>(list, plainListOptions.queryKey);
  if (list.isPending && !kept) return <CardGridSkeleton hasPicture />;
  if (list.isError && !list.data)
    return (
      <Panel>
        <ErrorState text={templateFailureText(list.error)} onRetry={() => void list.refetch()} />
      </Panel>
    );
  const templates = kept
    ? findKeptTemplates(kept, { search, category, status, sort })
    : (list.data?.pages.flatMap((page) => page.items) ?? []);
  const note = kept ? <OfflineSearchNote searched={kept.length} /> : null;
  if (templates.length === 0) {
    return (
      <>
        {note}
        <Panel>
          <NoTemplates isFiltered={isFiltered} onClear={onClear} onCreate={onCreate} />
        </Panel>
      </>
    );
  }
  return (
    <>
      {note}
      <CardGrid label={t('templates.list')}>
        {templates.map((template) => (
          <TemplateCard
            key={template.id}
            template={template}
            canSubmit={isSubmittable(template, connection)}
            onAct={onAct}
          />
        ))}
      </CardGrid>
      {list.hasNextPage ? (
        <LoadMore
          label={t('templates.loadMore')}
          loading={list.isFetchingNextPage}
          onReached={() => void list.fetchNextPage()}
        />
      ) : null}
    </>
  );
}

function NoTemplates({
  isFiltered,
  onClear,
  onCreate,
}: {
  isFiltered: boolean;
  onClear: () => void;
  onCreate: () => void;
}) {
  if (isFiltered)
    return (
      <EmptyState
        title={t('templates.empty')}
        text={t('templates.noMatch')}
        action={<Button onClick={onClear}>{t('templates.clearFilters')}</Button>}
      />
    );
  return can('templates:create') ? (
    <EmptyState
      title={t('templates.empty')}
      text={t('templates.emptyText')}
      icon={<FileText />}
      action={
        <Button variant="primary" icon={<Plus aria-hidden />} onClick={onCreate}>
          {t('templates.create')}
        </Button>
      }
    />
  ) : (
    <EmptyState title={t('templates.empty')} text={t('templates.emptyReadOnly')} icon={<FileText />} />
  );
}

function SyncButton() {
  const queryClient = useQueryClient();
  const sync = useAct(
    orpc.templates.sync.mutationOptions({
      onSuccess: ({ changed, submitted }) => {
        notify.success(t('templates.synced', { n: changed + submitted }));
        return refreshTemplates(queryClient);
      },
      onError: (error) => notify.error(templateFailureText(error)),
    }),
  );
  return (
    <Button
      title={t('templates.syncHint')}
      iconOnSmall
      icon={<RefreshCw aria-hidden />}
      loading={sync.isPending}
      onClick={() => sync.mutate({})}
    >
      {t('templates.sync')}
    </Button>
  );
}

type OpenDialog = (patch: { dialog: TemplatesSearch['dialog']; template: string }) => void;

/** What the buttons of a card do. */
function useTemplateActs(open: OpenDialog): (act: TemplateAct, template: Template) => void {
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const remove = useAct(orpc.templates.remove.mutationOptions());
  const submit = useAct(orpc.templates.submit.mutationOptions());

  async function askToDelete({ id, name, platform }: Template) {
    await confirm({
      title: t('templates.deleteQuestion'),
      text: platform === null ? name : t('templates.deleteText', { name }),
      confirmLabel: t('common.delete'),
      work: async () => {
        try {
          await remove.mutateAsync({ templateId: id });
          notify.success(t('templates.deleted'));
        } catch (error) {
          notify.error(templateFailureText(error));
        }
        await refreshTemplates(queryClient);
      },
    });
  }

  async function submitForApproval({ id, version }: Template) {
    try {
      await submit.mutateAsync({ templateId: id, version });
      notify.success(t('templates.submitted'));
    } catch (error) {
      notify.error(templateFailureText(error));
    }
    await refreshTemplates(queryClient);
  }

  return (act, template) => {
    if (act === 'copy') void copyContent(template);
    else if (act === 'delete') void askToDelete(template);
    else if (act === 'submit') void submitForApproval(template);
    else open({ dialog: act, template: template.id });
  };
}

async function copyContent({ content }: Template): Promise<void> {
  try {
    await navigator.clipboard.writeText(content);
    notify.success(t('templates.copied'), { duration: 2000 });
  } catch {
    // Some browsers refuse without https: the text can then be copied from here by hand.
    notify.info(content, { duration: 15_000 });
  }
}
