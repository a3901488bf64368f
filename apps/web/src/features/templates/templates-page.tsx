import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, Clock, FileText, Layers, RefreshCw } from 'lucide-react';
import { Suspense } from 'react';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { FilterSelects } from '../../shared/lists/filter-selects.tsx';
import { useLoadAhead } from '../../shared/use-load-ahead.ts';
import { Button } from '../../ui/button.tsx';
import { PageFrame } from '../../ui/page-frame.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import { notify } from '../../ui/toast.ts';
import { Toolbar } from '../../ui/table/toolbar.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { templateErrorMessage } from './template-words.ts';
import {
  reviewerOptions,
  refreshTemplates,
  summaryOptions,
  templateFilters,
  templateSorts,
} from './templates-queries.ts';
import { CreateButton, TemplatesGrid, useTemplateList, type TemplateList } from './templates-grid.tsx';
import { useTemplateActions } from './use-template-actions.tsx';

const loadDialogs = async () => (await import('./template-dialogs.tsx')).TemplateDialogs;
const dialogs = [loadDialogs];
const TemplateDialogs = lazyDialog(loadDialogs, ({ onChange }) => onChange('', undefined));

export function TemplatesPage() {
  const templates = useTemplateList();
  const { url, setUrl } = templates;
  const connection = useQuery(reviewerOptions).data ?? 'none';
  const actionsOn = useTemplateActions(connection, (patch) => setUrl(patch, { push: true }));
  useLoadAhead(dialogs);

  return (
    <PageFrame
      title={t('templates.title')}
      purpose={t('templates.purpose')}
      actions={
        <>
          {connection !== 'none' && can('templates:update') ? <SyncButton /> : null}
          {can('templates:create') ? <CreateButton templates={templates} /> : null}
        </>
      }
      summary={<TemplatesSummary />}
      toolbar={<TemplatesToolbar templates={templates} />}
    >
      <TemplatesGrid templates={templates} actionsOn={actionsOn} />
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
  return (
    <SummaryCards low="two-lines">
      <SummaryCard label={t('templates.total')} value={data?.total} icon={<Layers />} />
      <SummaryCard label={t('templates.approved')} value={data?.approved} icon={<CircleCheck />} />
      <SummaryCard label={t('templates.pending')} value={data?.pending} icon={<Clock />} />
      <SummaryCard label={t('templates.draft')} value={data?.draft} icon={<FileText />} />
      <SummaryCard label={t('templates.rejected')} value={data?.rejected} icon={<CircleX />} />
    </SummaryCards>
  );
}

function TemplatesToolbar({
  templates: { searchField, choice, activeFilters },
}: {
  templates: TemplateList;
}) {
  return (
    <Toolbar
      search={<SearchInput {...searchField} placeholder={t('templates.search')} />}
      active={activeFilters}
      sort={
        <FilterSelect
          {...choice('sort')}
          label={t('templates.filterSort')}
          options={templateSorts.map((value) => ({ value, label: t(`templates.sort.${value}`) }))}
        />
      }
    >
      <FilterSelects filters={templateFilters} choice={choice} />
    </Toolbar>
  );
}

function SyncButton() {
  const queryClient = useQueryClient();
  const sync = useAction(
    orpc.templates.sync.mutationOptions({
      onSuccess: ({ changed, submitted }) => {
        notify.success(t('templates.synced', { n: changed + submitted }));
        return refreshTemplates(queryClient);
      },
      onError: (error) => notify.error(templateErrorMessage(error)),
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
