import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { orpc } from '../api.ts';
import { errorMessage } from '../error-message.ts';
import { formatDateTime } from '../formats.ts';
import { t } from '../messages.ts';
import { paths } from '../paths.ts';
import { useMessages } from '../use-messages.ts';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { triggerName } from './workflow-words.ts';

/** Why a contact got a message that a workflow sent: which workflow, what began its run, and the way to the run. */
export function MessageOrigin({ messageId }: { messageId: string }) {
  const { data, error, refetch } = useQuery(
    orpc.workflowRuns.findOrigin.queryOptions({ input: { messageId } }),
  );
  const hasNames = useMessages('automation');
  const hasWords = useMessages('workflow-runs');
  if (error) return <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} className="py-4" />;
  if (!data || !hasNames || !hasWords) return <Skeleton className="h-12" />;
  const { origin } = data;
  if (origin === null) return <p className="text-muted">{t('workflowRuns.origin.none')}</p>;
  const { workflowId, workflowName: name, runId, triggerType, startedAt, isTest } = origin;
  return (
    <div className="grid gap-1">
      <p className="wrap-anywhere">{t('workflowRuns.origin.sentBy', { name })}</p>
      <p className="text-sm text-muted">
        {t('workflowRuns.origin.because', {
          trigger: beginningOf(triggerType, isTest),
          time: formatDateTime(startedAt),
        })}
      </p>
      <Link
        to={paths.workflow(workflowId)}
        search={{ tab: 'runs', run: runId }}
        className="justify-self-start rounded text-primary-text underline"
      >
        {t('workflowRuns.openRun')}
      </Link>
    </div>
  );
}

/** What began a run. */
export function beginningOf(triggerType: string | null, isTest: boolean): string {
  if (isTest) return t('workflowRuns.testRun');
  return triggerType === null ? t('automation.enrolled') : triggerName(triggerType);
}
