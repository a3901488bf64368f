import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, Clock, FileText, Layers, Plus, RefreshCw } from 'lucide-react';
import { Suspense } from 'react';
import { templateCategories, templateStatuses } from '@app/domain/templates/template';
import { orpc } from '../../shared/api.ts';
import { formatNumber } from '../../shared/formats.ts';
import { useLiveEvent } from '../../shared/live/live-events.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { useAct } from '../../shared/acts/use-act.ts';
import { useLoadAhead } from '../../shared/use-load-ahead.ts';
import { Button } from '../../ui/button.tsx';
import { PageFrame } from '../../ui/page-frame.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import { notify } from '../../ui/toast.ts';
import { Toolbar } from '../../ui/table/toolbar.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { categoryLabel, statusLabel, templateFailureText } from './template-words.ts';
import {
  channelOptions,
  readTemplatesSearch,
  refreshTemplates,
  summaryOptions,
  type TemplatesSearch,
} from './templates-queries.ts';
import { TemplatesGrid } from './templates-grid.tsx';
import { useTemplateActs } from './use-template-acts.ts';

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
