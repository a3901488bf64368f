import { useNavigate } from '@tanstack/react-router';
import { Plus, Workflow as WorkflowIcon } from 'lucide-react';
import { Suspense } from 'react';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { FilterSelects } from '../../shared/lists/filter-selects.tsx';
import { namesOf } from '../../shared/lists/list-filters.ts';
import { NoRows } from '../../shared/lists/no-rows.tsx';
import { useListPage } from '../../shared/lists/use-list-page.ts';
import { t } from '../../shared/messages.ts';
import { OfflineSearchNote } from '../../shared/offline/offline-search-note.tsx';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { CardList } from '../../ui/table/card-list.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { Toolbar } from '../../ui/table/toolbar.tsx';
import { useWorkflowActions } from './use-workflow-actions.ts';
import { WorkflowCard } from './workflow-card.tsx';
import {
  findKeptWorkflows,
  readWorkflowsSearch,
  workflowErrorMessage,
  workflowFilters,
  workflowKeys,
  workflowsOptions,
} from './workflows-queries.ts';

const CreateWorkflowDialog = lazyDialog(
  async () => (await import('./create-workflow-dialog.tsx')).CreateWorkflowDialog,
);

/** Every workflow as a card. */
export function WorkflowsTab() {
  useLiveQuery(['workflows'], workflowKeys());
  const navigate = useNavigate();
  const actions = useWorkflowActions();
  const workflows = useListPage({
    read: readWorkflowsSearch,
    filters: namesOf(workflowFilters),
    options: workflowsOptions,
    find: findKeptWorkflows,
    errorMessage: workflowErrorMessage,
  });
  const { url, setUrl } = workflows;
  const createButton = can('campaigns:create') ? (
    <Button
      variant="primary"
      icon={<Plus aria-hidden />}
      onClick={() => setUrl({ form: 'new' }, { push: true })}
    >
      {t('automation.create')}
    </Button>
  ) : undefined;
  return (
    <div className="flex flex-col gap-4">
      <Toolbar
        search={<SearchInput {...workflows.searchField} placeholder={t('automation.search')} />}
        active={workflows.activeFilters}
        end={createButton}
      >
        <FilterSelects filters={workflowFilters} choice={workflows.choice} />
      </Toolbar>
      <OfflineSearchNote searched={workflows.searched} />
      <CardList
        {...workflows.shown}
        label={t('automation.tab.workflows')}
        moreLabel={t('automation.more')}
        empty={
          <NoRows
            list={workflows}
            title={t('automation.none')}
            noMatch={t('automation.noneMatching')}
            clearLabel={t('automation.clearFilters')}
            text={t('automation.noneYet')}
            icon={<WorkflowIcon />}
            action={createButton}
          />
        }
      >
        {(workflow) => (
          <WorkflowCard
            key={workflow.id}
            workflow={workflow}
            actions={actions}
            onEdit={() => void navigate({ to: paths.workflow(workflow.id) })}
          />
        )}
      </CardList>
      {url.form === '' ? null : (
        <Suspense>
          <CreateWorkflowDialog onClose={() => setUrl({ form: undefined })} />
        </Suspense>
      )}
    </div>
  );
}
