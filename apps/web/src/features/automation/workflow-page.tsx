import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ArrowLeft, Rocket, Workflow as WorkflowIcon } from 'lucide-react';
import { Suspense } from 'react';
import { orpc, readFailure } from '../../shared/api.ts';
import { ButtonLink } from '../../shared/links.tsx';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can, useSession } from '../../shared/session.ts';
import { readOneOf, readText, useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { lazyDetail } from '../../ui/load-file.ts';
import { PageFrame } from '../../ui/page-frame.tsx';
import { Banner, EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { notify } from '../../ui/toast.ts';
import { FlowParts, FlowViewSwitch, useFlowView, useStepFigures } from './editor/flow-view.tsx';
import { DraftBanner, DraftBar } from './editor/draft-bar.tsx';
import { showNextProblem } from './show-problem.ts';
import { useDraft, type Draft } from './editor/use-draft.ts';
import { RunActions } from './runs/run-actions.tsx';
import { mayChangeFlow } from './flow-rights.ts';
import { reasonText } from './flow-words.ts';
import { useWorkflowActions } from './use-workflow-actions.ts';
import { useWindowRisks, windowWarnings } from './window-warnings.ts';
import { WorkflowMenu, WorkflowStats, WorkflowStatusBadge, WorkflowSwitch } from './workflow-card.tsx';
import { workflowErrorMessage, workflowKeys, type WorkflowDetails } from './workflows-queries.ts';

const READ_EVERY_MS = 10_000;

const workflowTabs = ['steps', 'settings', 'runs', 'what-if'] as const;

const WorkflowRuns = lazyDetail(async () => (await import('./runs/workflow-runs.tsx')).WorkflowRuns);
const WorkflowSettings = lazyDetail(
  async () => (await import('./editor/workflow-settings.tsx')).WorkflowSettings,
);
const WorkflowSimulation = lazyDetail(
  async () => (await import('./simulation/workflow-simulation.tsx')).WorkflowSimulation,
);

function readPageSearch(search: Record<string, unknown>) {
  return { tab: readOneOf(search, 'tab', workflowTabs), run: readText(search, 'run') };
}

/** The open run and the filters of the log belong to its tab. */
const noLogFilters = {
  ...{ run: undefined, search: undefined, status: undefined, started: undefined },
  ...{ from: undefined, to: undefined },
};

/** One workflow: its steps to edit and publish, and the log of its runs. */
export function WorkflowPage() {
  const { workflowId = '' } = useParams({ strict: false });
  useSession();
  useLiveQuery(['workflows'], workflowKeys());
  const found = useQuery(
    orpc.workflows.get.queryOptions({
      input: { workflowId },
      // The figures move by themselves.
      refetchInterval: ({ state }) => (state.data?.status === 'active' ? READ_EVERY_MS : false),
    }),
  );
  if (found.data) return <FoundWorkflow key={workflowId} workflow={found.data} />;
  const isMissing =
    found.isError && ['workflow_not_found', 'invalid_input'].includes(readFailure(found.error).code);
  return (
    <PageFrame title={t('automation.workflow')} back={<BackLink />}>
      {isMissing ? (
        <EmptyState icon={<WorkflowIcon />} title={t('automation.error.gone')} />
      ) : found.isError ? (
        <ErrorState text={workflowErrorMessage(found.error)} onRetry={() => void found.refetch()} />
      ) : (
        <SkeletonRegion className="grid gap-4">
          <Skeleton className="h-40" />
          <Skeleton className="h-96" />
        </SkeletonRegion>
      )}
    </PageFrame>
  );
}

function FoundWorkflow({ workflow }: { workflow: WorkflowDetails }) {
  const [{ tab }, setUrl] = useUrlState(readPageSearch);
  const navigate = useNavigate();
  const actions = useWorkflowActions();
  const draft = useDraft(workflow);
  const shownAs = useFlowView();
  const figures = useStepFigures(workflow.id);
  const mayPublish = can('campaigns:update');
  const isReadOnly = !mayChangeFlow('update', workflow);
  const mayReadRuns = can('contacts:read');
  const shown = (tab === 'runs' || tab === 'what-if') && !mayReadRuns ? 'steps' : tab;
  const { flow, problems } = draft;
  function showProblem() {
    const isInSettings = flow.name.trim() === '' || problems.every(({ place }) => place === 'goal');
    setUrl({ ...noLogFilters, tab: isInSettings ? 'settings' : undefined });
    showNextProblem();
  }
  return (
    <PageFrame
      title={flow.name.trim() === '' ? workflow.name : flow.name}
      purpose={flow.description === '' ? undefined : flow.description}
      back={<BackLink />}
      actions={
        <>
          <WorkflowStatusBadge status={workflow.status} />
          <WorkflowSwitch workflow={workflow} actions={actions} />
          <WorkflowMenu
            size="medium"
            workflow={workflow}
            actions={actions}
            onDeleted={() => void navigate({ to: paths.automation })}
          />
          <RunActions workflow={workflow} draft={draft} />
          {!mayPublish ? null : <PublishButton workflow={workflow} draft={draft} />}
        </>
      }
      summary={<WorkflowStats workflow={workflow} />}
    >
      <div className="mb-4 grid gap-3 empty:hidden">
        {workflow.pausedFor ? (
          <Banner tone="warning">
            {t('automation.pausedFor', { reason: reasonText(workflow.pausedFor.code) })}
          </Banner>
        ) : null}
        {isReadOnly ? <Banner tone="info">{t('automation.readOnly')}</Banner> : null}
        {!isReadOnly && !mayPublish ? <Banner tone="info">{t('automation.draftOnly')}</Banner> : null}
        <DraftBanner draft={draft} onShow={showProblem} />
      </div>
      <Tabs
        label={t('automation.parts')}
        value={shown}
        onChange={(next) => setUrl({ ...noLogFilters, tab: next === 'steps' ? undefined : next })}
        tabs={[
          { value: 'steps', label: t('automation.steps') },
          { value: 'settings', label: t('automation.settings') },
          ...(mayReadRuns
            ? [
                { value: 'runs' as const, label: t('automation.runs') },
                { value: 'what-if' as const, label: t('workflowRuns.whatIf') },
              ]
            : []),
        ]}
      >
        {shown === 'runs' || shown === 'what-if' ? null : (
          <div className="mb-3 flex flex-wrap items-center gap-2">
            {shown === 'steps' ? <FlowViewSwitch {...shownAs} /> : null}
            {isReadOnly ? null : <DraftBar draft={draft} workflow={workflow} />}
          </div>
        )}
        <Suspense fallback={<PartSkeleton />}>
          {shown === 'runs' ? <WorkflowRuns workflow={workflow} /> : null}
          {shown === 'what-if' ? <WorkflowSimulation workflow={workflow} draft={draft} /> : null}
          {shown === 'settings' ? (
            <WorkflowSettings
              {...{ workflowId: workflow.id, flow, problems, isReadOnly }}
              onChange={draft.change}
            />
          ) : null}
          {shown === 'steps' ? (
            <FlowParts
              {...{ view: shownAs.view, workflowId: workflow.id, flow, problems, isReadOnly }}
              {...figures}
              onChange={draft.change}
            />
          ) : null}
        </Suspense>
      </Tabs>
    </PageFrame>
  );
}

function PartSkeleton() {
  return (
    <SkeletonRegion className="grid gap-4">
      <Skeleton className="h-24" />
      <Skeleton className="h-64" />
    </SkeletonRegion>
  );
}

/** Publishes what is shown, after it is saved. It says first what becomes of runs in progress, and which texts may not be delivered. */
function PublishButton({ workflow, draft }: { workflow: WorkflowDetails; draft: Draft }) {
  const confirm = useConfirm();
  const risks = useWindowRisks(draft.flow);
  async function publish() {
    const details = await draft.check();
    if (!details) return;
    const { running } = details.stats;
    let runs: 'finish' | 'move' = 'finish';
    const warnings = windowWarnings(draft.flow, risks);
    if (running > 0 || warnings.length > 0) {
      const isMeant = await confirm({
        title: t('automation.publishQuestion'),
        warnings,
        ...(running > 0 && {
          text: t('automation.publishText', { n: running }),
          option: {
            label: t('automation.publishMove'),
            onChange: (isOn: boolean) => (runs = isOn ? 'move' : 'finish'),
          },
        }),
        confirmLabel: t('automation.publish'),
        danger: false,
      });
      if (!isMeant) return;
    }
    if (await draft.publish(details, runs)) notify.success(t('automation.done.publish'));
  }
  const isPublished = draft.state === 'saved' && !workflow.hasChanges && workflow.status !== 'draft';
  return (
    <Button
      variant="primary"
      icon={<Rocket aria-hidden />}
      loading={draft.isPublishing}
      disabled={isPublished || draft.conflict !== null}
      onClick={() => void publish()}
    >
      {t('automation.publish')}
    </Button>
  );
}

function BackLink() {
  return (
    <ButtonLink
      to={paths.automation}
      variant="ghost"
      size="small"
      className="-ml-2.5 text-muted"
      icon={<ArrowLeft aria-hidden />}
    >
      {t('automation.back')}
    </ButtonLink>
  );
}
