import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import { orpc, type api } from '../api.ts';
import { errorMessage } from '../error-message.ts';
import { formatDateTime } from '../formats.ts';
import { t } from '../messages.ts';
import { paths } from '../paths.ts';
import { Combobox } from '../../ui/controls/combobox.tsx';
import type { SelectOption } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { entryReason, triggerName } from './workflow-words.ts';

type Explanation = Awaited<ReturnType<typeof api.workflowRuns.explain>>;

/** Asks of one workflow why the contact did, or did not, enter it. */
export function EntryExplanation({ contactId }: { contactId: string }) {
  const [workflow, setWorkflow] = useState<SelectOption | null>(null);
  const [search, setSearch] = useState('');
  const found = useQuery(
    orpc.workflows.list.queryOptions({ input: { limit: 50, ...(search === '' ? {} : { search }) } }),
  );
  return (
    <div className="mt-4 grid gap-4 border-t border-border pt-4">
      <Field label={t('workflowRuns.why.workflow')} hint={t('workflowRuns.why.hint')}>
        <Combobox
          value={workflow}
          onChange={setWorkflow}
          onSearch={setSearch}
          loading={found.isFetching}
          placeholder={t('automation.chooseWorkflow')}
          emptyText={t('automation.noneMatching')}
          options={(found.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Field>
      {workflow === null ? null : <Answer contactId={contactId} workflowId={workflow.value} />}
    </div>
  );
}

function Answer(input: { contactId: string; workflowId: string }) {
  const { data, error, refetch } = useQuery(orpc.workflowRuns.explain.queryOptions({ input }));
  if (error) return <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} className="py-4" />;
  if (!data) return <Skeleton className="h-16" />;
  const { starts, today } = data;
  return (
    <div role="status" className="grid gap-4">
      <section className="grid gap-2">
        <h3 className="font-medium">{t('workflowRuns.why.starts')}</h3>
        {starts.length === 0 ? <p className="text-muted">{t('workflowRuns.why.noStart')}</p> : null}
        <ol className="grid gap-2">
          {starts.map((start) => (
            <Start
              key={`${start.at}${start.trigger}`}
              start={start}
              today={today}
              workflowId={input.workflowId}
            />
          ))}
        </ol>
      </section>
      <section className="grid gap-2">
        <h3 className="font-medium">{t('workflowRuns.why.today')}</h3>
        {today.obstacles.length === 0 ? (
          <Line isGood>{t('workflowRuns.why.nothing')}</Line>
        ) : (
          <ul className="grid gap-1.5">
            {today.obstacles.map((code) => (
              <li key={code}>
                <Line>{t(`workflowRuns.obstacle.${code}`)}</Line>
              </li>
            ))}
          </ul>
        )}
        <p className="text-sm text-muted">{t('workflowRuns.why.todayHint')}</p>
      </section>
    </div>
  );
}

function Start({
  start: { at, trigger, state, reason, runId },
  today,
  workflowId,
}: {
  start: Explanation['starts'][number];
  today: Explanation['today'];
  workflowId: string;
}) {
  const type = today.triggers.find(({ id }) => id === trigger)?.type;
  const began = trigger === null ? t('automation.enrolled') : triggerName(type ?? trigger);
  return (
    <li className="grid gap-0.5">
      <Line isGood={state !== 'refused'}>
        {state === 'refused'
          ? t('workflowRuns.why.refused', { reason: entryReason(reason ?? '') })
          : t(state === 'open' ? 'workflowRuns.why.open' : 'workflowRuns.why.started')}
      </Line>
      <span className="pl-6 text-sm text-muted">
        {t('workflowRuns.origin.because', { trigger: began, time: formatDateTime(at) })}
        {runId === null ? null : (
          <>
            {' · '}
            <Link
              to={paths.workflow(workflowId)}
              search={{ tab: 'runs', run: runId }}
              className="rounded text-primary-text underline"
            >
              {t('workflowRuns.openRun')}
            </Link>
          </>
        )}
      </span>
    </li>
  );
}

function Line({ isGood = false, children }: { isGood?: boolean; children: string }) {
  const Icon = isGood ? CircleCheck : CircleX;
  return (
    <span className="flex items-start gap-2">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${isGood ? 'text-success' : 'text-danger'}`} />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </span>
  );
}
