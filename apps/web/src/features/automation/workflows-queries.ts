import { flowStatuses, type FlowStatus } from '@app/domain/automation/workflow-status';
import { orpc, type api } from '../../shared/api.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { chosenFilters, fitsFilters, readFilters, type ListFilter } from '../../shared/lists/list-filters.ts';
import { t } from '../../shared/messages.ts';
import { holdsText } from '../../shared/offline/kept-rows.ts';
import { readOneOf, readText } from '../../shared/url-state.ts';

export type Workflow = Awaited<ReturnType<typeof api.workflows.list>>['items'][number];
export type WorkflowDetails = Awaited<ReturnType<typeof api.workflows.get>>;
export type WorkflowRun = Awaited<ReturnType<typeof api.workflowRuns.list>>['items'][number];
export type WorkflowRunDetails = Awaited<ReturnType<typeof api.workflowRuns.get>>;

export type Simulation = NonNullable<Awaited<ReturnType<typeof api.workflowSimulations.get>>['simulation']>;

export const workflowFilters = {
  status: {
    label: 'automation.filter.status',
    all: 'automation.filter.all',
    values: flowStatuses,
    say: (status: FlowStatus) => t(`automation.status.${status}`),
    of: (workflow: Workflow) => workflow.status,
  },
} satisfies Record<string, ListFilter<Workflow>>;

type Filter = Pick<ReturnType<typeof readWorkflowsSearch>, 'search' | 'status'>;

/** Search, filter and the open form live in the address: `?status=active&form=new`. */
export function readWorkflowsSearch(search: Record<string, unknown>) {
  return {
    search: readText(search, 'search'),
    ...readFilters(workflowFilters, search),
    form: readOneOf(search, 'form', ['', 'new']),
  };
}

export function workflowsOptions({ search, ...choices }: Filter) {
  return orpc.workflows.list.infiniteOptions({
    input: (cursor: string | undefined) => ({
      limit: 48,
      ...(search === '' ? {} : { search }),
      ...chosenFilters(workflowFilters, choices),
      ...(cursor === undefined ? {} : { cursor }),
    }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

/** What the server would find among these workflows. */
export function findKeptWorkflows(workflows: readonly Workflow[], { search, ...choices }: Filter) {
  return workflows
    .filter((workflow) => fitsFilters(workflowFilters, choices, workflow))
    .filter(({ name, description }) => holdsText([name, description], search));
}

/** What is read anew after events of the topic `workflows`. */
export const workflowKeys = () => [
  orpc.workflows.list.key(),
  orpc.workflows.get.key(),
  orpc.workflowRuns.key(),
];

export const workflowErrorMessage = errorMessageOf({
  workflow_not_found: 'automation.error.gone',
  workflow_changed: 'automation.error.changed',
  workflow_invalid: 'automation.error.invalid',
  workflow_not_published: 'automation.error.notPublished',
  workflow_limit: 'automation.error.limit',
  workflow_not_active: 'automation.error.notActive',
  workflow_run_not_found: 'automation.error.runGone',
  workflow_run_in_progress: 'automation.error.runInProgress',
  workflow_step_not_found: 'automation.reason.step_gone',
});
