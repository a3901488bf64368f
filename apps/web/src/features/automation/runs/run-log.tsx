import type { FlowFile } from '@app/domain/flows/flow-file';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, CircleDot, Clock, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { orpc } from '../../../shared/api.ts';
import { formatDateTime, formatDuration, formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import { can } from '../../../shared/session.ts';
import { readText, useUrlState } from '../../../shared/url-state.ts';
import { beginningOf } from '../../../shared/automation/message-origin.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { useConfirm } from '../../../ui/overlays/confirm.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { notify } from '../../../ui/toast.ts';
import { stepSummary, triggerSummary, useReferenceNames } from '../editor/flow-summary.ts';
import { exitName, fieldName, optionName, reasonText, stepName } from '../flow-words.ts';
import { workflowErrorMessage, workflowKeys, type WorkflowRunDetails } from '../workflows-queries.ts';
import { RunBadge } from './run-badge.tsx';

/** Everything that happened in one run, as it happened: why it began, each step with what it was set to and what came of it. */
export function RunLog({ run }: { run: WorkflowRunDetails }) {
  // Versions never change: what a step was set to is read from the one that the run is on.
  const version = useQuery(
    orpc.workflows.getVersion.queryOptions({
      input: { workflowId: run.workflowId, number: run.version },
      staleTime: Infinity,
    }),
  );
  const flow = version.data?.flow;
  const { at } = run;
  return (
    <div className="grid gap-5">
      <div className="grid gap-1.5 text-sm">
        <p className="flex flex-wrap items-center gap-2">
          <RunBadge status={run.status} />
          {run.isTest ? (
            <Badge>{t('workflowRuns.testRun')}</Badge>
          ) : (
            <span className="text-muted">{t('automation.run.version', { n: run.version })}</span>
          )}
          {run.retriedFrom === null ? null : (
            <Link
              className="underline"
              to={paths.workflow(run.workflowId)}
              search={{ tab: 'runs', run: run.retriedFrom }}
            >
              {t('workflowRuns.retriedFrom')}
            </Link>
          )}
          {run.contact ? (
            <Link className="underline" to={paths.contact(run.contact.id)}>
              {t('automation.openContact')}
            </Link>
          ) : null}
        </p>
        {run.code ? <p>{reasonText(run.code)}</p> : null}
      </div>
      <ol className="grid gap-4" aria-label={t('automation.run.log')}>
        <TriggerEntry run={run} flow={flow} />
        {run.log.map((entry) => (
          <StepEntry key={entry.id} entry={entry} flow={flow} />
        ))}
        {at ? (
          <Entry
            icon={<Clock />}
            tone="text-info"
            title={stepName(at.type)}
            input={<StepInput flow={flow} stepId={at.stepId} />}
          >
            <p>
              {at.wait === 'effect'
                ? t('automation.underWay')
                : at.until === null
                  ? t('automation.waits')
                  : t('automation.waitsUntil', { time: formatDateTime(at.until) })}
            </p>
          </Entry>
        ) : null}
      </ol>
      <RunButtons run={run} flow={flow} />
    </div>
  );
}

function TriggerEntry({ run, flow }: { run: WorkflowRunDetails; flow: FlowFile | undefined }) {
  const trigger = flow?.triggers.find(({ id }) => id === run.trigger);
  const names = useReferenceNames({ steps: [], triggers: trigger ? [trigger] : [] });
  const brought = Object.entries(run.triggerValues).filter(([name]) => !name.endsWith('_id'));
  return (
    <Entry
      icon={<Zap />}
      tone="text-primary-text"
      title={beginningOf(run.triggerType ?? run.trigger, run.isTest)}
      input={trigger ? triggerSummary(trigger, names) : null}
    >
      <Values values={Object.fromEntries(brought)} />
      <p className="text-muted">{formatDateTime(run.startedAt)}</p>
    </Entry>
  );
}

type LogEntry = WorkflowRunDetails['log'][number];

function StepEntry({ entry, flow }: { entry: LogEntry; flow: FlowFile | undefined }) {
  const { event, type, exit, code, stepId, details, attempt, beganAt, endedAt } = entry;
  const isBad = event === 'failed' || exit === 'failed';
  const isDone = event === 'left' || code === 'stopped' || code === 'goal_reached';
  const seconds = (Date.parse(endedAt) - Date.parse(beganAt)) / 1000;
  const shown = Object.entries(details).filter(([name]) => !/_?id$/i.test(name) && !name.startsWith('is'));
  return (
    <Entry
      icon={isBad ? <CircleAlert /> : isDone ? <CircleCheck /> : <CircleDot />}
      tone={isBad ? 'text-danger' : isDone ? 'text-success' : 'text-muted'}
      title={type === '' ? optionName(event) : stepName(type)}
      input={<StepInput flow={flow} stepId={stepId} />}
    >
      <p className={isBad ? 'text-danger' : undefined}>{outcomeOf(entry)}</p>
      {code === null || event === 'ignored' ? null : <p>{reasonText(code)}</p>}
      <Values values={Object.fromEntries(shown)} />
      <p className="text-muted">
        {formatDateTime(endedAt)}
        {seconds < 1 ? '' : ` · ${t('automation.took', { time: formatDuration(seconds) })}`}
        {attempt > 1 ? ` · ${t('automation.attempt', { n: attempt })}` : ''}
      </p>
    </Entry>
  );
}

function outcomeOf({ event, exit, type, code, details }: LogEntry): string {
  if (details['isSkipped'] === true) return t('automation.skipped');
  if (event === 'ignored') return t('automation.ignored', { what: optionName(`input_${code ?? ''}`) });
  if (event === 'failed') return optionName('failed');
  if (event === 'ended') return optionName('ended');
  if (exit === 'done') return type === 'send_message' ? t('automation.sent') : optionName('done');
  if (exit === 'failed') return optionName('failed');
  return exit === null ? optionName(event) : exitName(exit);
}

function StepInput({ flow, stepId }: { flow: FlowFile | undefined; stepId: string | null }) {
  const step = flow?.steps.find(({ id }) => id === stepId);
  const names = useReferenceNames({ steps: step ? [step] : [], triggers: [] });
  return step ? stepSummary(step, names) : null;
}

function Values({ values }: { values: WorkflowRunDetails['triggerValues'] }) {
  const shown = Object.entries(values).filter(([, value]) => value !== null && value !== '');
  if (shown.length === 0) return null;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
      {shown.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{fieldName(name)}</dt>
          <dd dir="auto" className="wrap-anywhere">
            {valueText(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function valueText(value: WorkflowRunDetails['triggerValues'][string]): string {
  if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function Entry({
  icon,
  tone,
  title,
  input,
  children,
}: {
  icon: ReactNode;
  tone: string;
  title: string;
  input: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className="flex gap-3 text-sm">
      <span aria-hidden className={`mt-0.5 [&_svg]:size-4 ${tone}`}>
        {icon}
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="font-medium">{title}</p>
        {input ? (
          <p dir="auto" className="line-clamp-3 wrap-anywhere text-muted">
            {input}
          </p>
        ) : null}
        {children}
      </div>
    </li>
  );
}

const readRun = (search: Record<string, unknown>) => ({ run: readText(search, 'run') });

function RunButtons({ run, flow }: { run: WorkflowRunDetails; flow: FlowFile | undefined }) {
  const queryClient = useQueryClient();
  const refresh = () => {
    for (const queryKey of workflowKeys()) void queryClient.invalidateQueries({ queryKey });
  };
  const onError = (error: unknown) => notify.error(workflowErrorMessage(error));
  const cancel = useAction(orpc.workflowRuns.cancel.mutationOptions({ onError, onSettled: refresh }));
  const skip = useAction(orpc.workflowRuns.skipWait.mutationOptions({ onError, onSettled: refresh }));
  const confirm = useConfirm();
  const [, setUrl] = useUrlState(readRun);
  const retry = useAction(
    orpc.workflowRuns.retry.mutationOptions({
      onSuccess: ({ runId }) => setUrl({ run: runId }),
      onError,
      onSettled: refresh,
    }),
  );
  const { at } = run;
  if (!can('campaigns:update')) return null;
  if (run.status !== 'running' && can('messages:create'))
    return (
      <div className="flex flex-wrap gap-2">
        {run.status === 'failed' ? (
          <Button loading={retry.isPending} onClick={() => retry.mutate({ runId: run.id })}>
            {t('automation.retryRun')}
          </Button>
        ) : null}
        <RetryFrom
          steps={flow?.steps ?? []}
          isBusy={retry.isPending}
          onChoose={(stepId, title) =>
            void confirm({
              title: t('workflowRuns.retry.question', { step: title }),
              text: t('workflowRuns.retry.text'),
              confirmLabel: t('workflowRuns.retry.confirm'),
              danger: false,
              work: () => retry.mutateAsync({ runId: run.id, stepId }).catch(() => undefined),
            })
          }
        />
      </div>
    );
  if (run.status !== 'running') return null;
  return (
    <div className="flex flex-wrap gap-2">
      {at?.wait && at.wait !== 'effect' && can('messages:create') ? (
        <Button loading={skip.isPending} onClick={() => skip.mutate({ runId: run.id, visit: at.visit })}>
          {t('automation.skipWait')}
        </Button>
      ) : null}
      <Button
        loading={cancel.isPending}
        onClick={() =>
          void confirm({
            title: t('automation.cancelQuestion'),
            text: t('automation.cancelText'),
            confirmLabel: t('automation.cancelRun'),
            cancelLabel: t('automation.keepRunning'),
            work: () => cancel.mutateAsync({ runId: run.id }).catch(() => undefined),
          })
        }
      >
        {t('automation.cancelRun')}
      </Button>
    </div>
  );
}

/** The steps of the version that the run was on: any of them can begin a new run. */
function RetryFrom({
  steps,
  isBusy,
  onChoose,
}: {
  steps: FlowFile['steps'];
  isBusy: boolean;
  onChoose: (stepId: string, title: string) => void;
}) {
  if (steps.length === 0) return null;
  return (
    <Menu
      align="start"
      trigger={<Button loading={isBusy}>{t('workflowRuns.retry.from')}</Button>}
      entries={steps.map(({ id, type }, index) => {
        const title = `${formatNumber(index + 1)}. ${stepName(type)}`;
        return { label: title, onSelect: () => onChoose(id, title) };
      })}
    />
  );
}
