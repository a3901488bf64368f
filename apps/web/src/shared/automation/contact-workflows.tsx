import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { orpc, type api } from '../api.ts';
import { errorMessage } from '../error-message.ts';
import { formatDateTime } from '../formats.ts';
import { t } from '../messages.ts';
import { paths } from '../paths.ts';
import { useMessages } from '../use-messages.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { EntryExplanation } from './entry-explanation.tsx';
import { beginningOf } from './message-origin.tsx';
import { entryReason, stepName, wordsOf } from './workflow-words.ts';

type Run = Awaited<ReturnType<typeof api.workflowRuns.listOfContact>>['items'][number];

const tones: Partial<Record<Run['status'], BadgeTone>> = {
  running: 'info',
  completed: 'success',
  failed: 'danger',
};

/** The runs of a contact through all workflows, and why a workflow did not run for them. */
export function ContactWorkflows({ contactId }: { contactId: string }) {
  const hasNames = useMessages('automation');
  const hasWords = useMessages('workflow-runs');
  const [isAsking, setAsking] = useState(false);
  const runs = useInfiniteQuery(
    orpc.workflowRuns.listOfContact.infiniteOptions({
      input: (cursor: string | undefined) => ({ contactId, limit: 5, ...(cursor && { cursor }) }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
    }),
  );
  if (!hasNames || !hasWords) return <Skeleton className="h-24" />;
  const items = runs.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Panel title={t('workflowRuns.contact.title')} purpose={t('workflowRuns.contact.purpose')}>
      {runs.isPending ? <Skeleton className="h-12" /> : null}
      {runs.isError ? (
        <ErrorState text={errorMessage(runs.error)} onRetry={() => void runs.refetch()} className="py-4" />
      ) : null}
      {runs.isSuccess && items.length === 0 ? (
        <p className="text-muted">{t('workflowRuns.contact.none')}</p>
      ) : null}
      <ol className="grid gap-3">
        {items.map((run) => (
          <RunLine key={run.id} run={run} />
        ))}
      </ol>
      <div className="mt-4 flex flex-wrap gap-2">
        {runs.hasNextPage ? (
          <Button size="small" loading={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
            {t('workflowRuns.contact.more')}
          </Button>
        ) : null}
        {isAsking ? null : (
          <Button size="small" onClick={() => setAsking(true)}>
            {t('workflowRuns.why.ask')}
          </Button>
        )}
      </div>
      {isAsking ? <EntryExplanation contactId={contactId} /> : null}
    </Panel>
  );
}

function RunLine({ run }: { run: Run }) {
  const { id, workflowId, workflowName, status, code, at, triggerType, isTest, startedAt } = run;
  return (
    <li className="grid gap-0.5">
      <span className="flex flex-wrap items-center gap-2">
        <Link
          to={paths.workflow(workflowId)}
          search={{ tab: 'runs', run: id }}
          className="rounded wrap-anywhere text-primary-text underline"
        >
          {workflowName}
        </Link>
        <Badge tone={tones[status] ?? 'neutral'}>{wordsOf('option', `run_${status}`)}</Badge>
      </span>
      <span className="text-sm text-muted">
        {t('workflowRuns.origin.because', {
          trigger: beginningOf(triggerType, isTest),
          time: formatDateTime(startedAt),
        })}
      </span>
      {at || code ? (
        <span className="text-sm text-muted">{at ? stepName(at.type) : entryReason(code ?? '')}</span>
      ) : null}
    </li>
  );
}
