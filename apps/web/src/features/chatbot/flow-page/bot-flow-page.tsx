import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ArrowLeft, Bot, Download, Rocket, Smartphone } from 'lucide-react';
import { Suspense, useState } from 'react';
import { orpc, readFailure } from '../../../shared/api.ts';
import { ButtonLink } from '../../../shared/links.tsx';
import { t } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import { can, useSession } from '../../../shared/session.ts';
import { readOneOf, useUrlState } from '../../../shared/url-state.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { lazyPart } from '../../../ui/load-file.ts';
import { PageFrame } from '../../../ui/page-frame.tsx';
import { Banner, EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { notify } from '../../../ui/toast.ts';
import { DraftBanner, DraftBar } from '../../automation/editor/draft-bar.tsx';
import { showNextProblem } from '../../automation/show-problem.ts';
import {
  FlowParts,
  FlowViewSwitch,
  useFlowView,
  useStepFigures,
} from '../../automation/editor/flow-view.tsx';
import { useDraft, type Draft } from '../../automation/editor/use-draft.ts';
import { mayChangeFlow } from '../../automation/flow-rights.ts';
import { reasonText } from '../../automation/flow-words.ts';
import type { WorkflowDetails } from '../../automation/workflows-queries.ts';
import { chatbotError, flowsOptions } from '../chatbot-queries.ts';
import { FlowStateBadge, FlowSwitch } from '../flow-switch.tsx';
import { exportFlow } from '../create/flow-files.ts';
import { FlowDetails } from './flow-details.tsx';

const TestPhone = lazyPart(async () => (await import('../test-phone/test-phone.tsx')).TestPhone);

const flowTabs = ['steps', 'details'] as const;

function readPageSearch(search: Record<string, unknown>) {
  return { tab: readOneOf(search, 'tab', flowTabs) };
}

/** One flow of the bot: its triggers and steps to edit, try and publish. */
export function BotFlowPage() {
  const { botFlowId = '' } = useParams({ strict: false });
  useSession();
  const found = useQuery(orpc.workflows.get.queryOptions({ input: { workflowId: botFlowId } }));
  if (found.data?.flow.kind === 'bot') return <FoundFlow key={botFlowId} details={found.data} />;
  const isMissing =
    found.data !== undefined ||
    (found.isError && ['workflow_not_found', 'invalid_input'].includes(readFailure(found.error).code));
  return (
    <PageFrame title={t('botFlows.title')} back={<BackLink />}>
      {isMissing ? (
        <EmptyState icon={<Bot />} title={t('chatbot.error.gone')} />
      ) : found.isError ? (
        <ErrorState text={chatbotError(found.error)} onRetry={() => void found.refetch()} />
      ) : (
        <SkeletonRegion className="grid gap-4">
          <Skeleton className="h-40" />
          <Skeleton className="h-96" />
        </SkeletonRegion>
      )}
    </PageFrame>
  );
}

function FoundFlow({ details }: { details: WorkflowDetails }) {
  const [{ tab }, setUrl] = useUrlState(readPageSearch);
  const flows = useQuery(flowsOptions);
  const draft = useDraft(details);
  const shownAs = useFlowView();
  const figures = useStepFigures(details.id);
  const mayPublish = can('campaigns:update');
  const isReadOnly = !mayChangeFlow('update', details);
  const { flow, problems } = draft;
  const [isTesting, setTesting] = useState(false);
  const listed = flows.data?.items.find(({ id }) => id === details.id);
  return (
    <PageFrame
      title={flow.name.trim() === '' ? details.name : flow.name}
      purpose={flow.description === '' ? undefined : flow.description}
      back={<BackLink />}
      actions={
        <>
          {listed ? <FlowStateBadge flow={listed} /> : null}
          {listed?.isPublished ? <FlowSwitch flow={listed} /> : null}
          <IconButton
            label={t('chatbot.export')}
            disabled={draft.state !== 'saved'}
            onClick={() =>
              void exportFlow(details.id).catch((error: unknown) => notify.error(chatbotError(error)))
            }
          >
            <Download aria-hidden />
          </IconButton>
          <Button
            icon={<Smartphone aria-hidden />}
            aria-pressed={isTesting}
            onClick={() => setTesting(!isTesting)}
          >
            {t('botFlows.test')}
          </Button>
          {!mayPublish ? null : <PublishButton details={details} draft={draft} />}
        </>
      }
    >
      <div className="mb-4 grid gap-3 empty:hidden">
        {details.pausedFor ? (
          <Banner tone="warning">
            {t('automation.pausedFor', { reason: reasonText(details.pausedFor.code) })}
          </Banner>
        ) : null}
        {isReadOnly ? <Banner tone="info">{t('botFlows.readOnly')}</Banner> : null}
        {!isReadOnly && !mayPublish ? <Banner tone="info">{t('automation.draftOnly')}</Banner> : null}
        {listed?.isPublished && !listed.isActive && !details.pausedFor ? (
          <Banner tone="info">{t('botFlows.notActive')}</Banner>
        ) : null}
        <DraftBanner draft={draft} onShow={showNextProblem} />
      </div>
      <div className={isTesting ? 'grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]' : undefined}>
        <div className="min-w-0">
          <Tabs
            label={t('automation.parts')}
            value={tab}
            onChange={(next) => setUrl({ tab: next === 'steps' ? undefined : next })}
            tabs={[
              { value: 'steps', label: t('automation.steps') },
              { value: 'details', label: t('botFlows.details') },
            ]}
          >
            <div className="mb-3 flex flex-wrap items-center gap-2">
              {tab === 'steps' ? <FlowViewSwitch {...shownAs} /> : null}
              {isReadOnly ? null : <DraftBar draft={draft} workflow={details} />}
            </div>
            {tab === 'details' ? (
              <FlowDetails flow={flow} isReadOnly={isReadOnly} onChange={draft.change} />
            ) : (
              <FlowParts
                {...{ view: shownAs.view, workflowId: details.id, flow, problems, isReadOnly }}
                {...figures}
                onChange={draft.change}
              />
            )}
          </Tabs>
        </div>
        {isTesting ? (
          <div className="max-lg:order-first lg:sticky lg:top-4">
            <Suspense fallback={<Skeleton className="h-96" />}>
              <TestPhone flow={flow} onClose={() => setTesting(false)} />
            </Suspense>
          </div>
        ) : null}
      </div>
    </PageFrame>
  );
}

/** Publishes what is shown, after it is saved. Whether it answers is another press. */
function PublishButton({ details, draft }: { details: WorkflowDetails; draft: Draft }) {
  async function publish() {
    const saved = await draft.check();
    if (saved && (await draft.publish(saved, 'finish'))) notify.success(t('botFlows.published'));
  }
  return (
    <Button
      variant="primary"
      icon={<Rocket aria-hidden />}
      loading={draft.isPublishing}
      disabled={(draft.state === 'saved' && !details.hasChanges) || draft.conflict !== null}
      onClick={() => void publish()}
    >
      {t('botFlows.publish')}
    </Button>
  );
}

function BackLink() {
  return (
    <ButtonLink
      to={paths.chatbot}
      search={{ tab: 'flows' }}
      variant="ghost"
      size="small"
      className="-ml-2.5 text-muted"
      icon={<ArrowLeft aria-hidden />}
    >
      {t('botFlows.back')}
    </ButtonLink>
  );
}
