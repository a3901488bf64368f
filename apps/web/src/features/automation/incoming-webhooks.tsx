import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import { orpc, type api } from '../../shared/api.ts';
import { entryReason } from '../../shared/automation/workflow-words.ts';
import { formatDateTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Drawer } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { OpeningRow } from '../../ui/table/opening-row.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { workflowErrorMessage } from './workflows-queries.ts';

type Hook = Awaited<ReturnType<typeof api.workflowHooks.listAll>>['items'][number];
type Call = Awaited<ReturnType<typeof api.workflowHooks.listCalls>>['items'][number];

/** Calls arrive at any time: an open list is read again at intervals. */
const READ_EVERY_MS = 10_000;

/** The addresses at which other services begin runs, each with its last calls. */
export function IncomingWebhooks() {
  const hasWords = useMessages('workflow-runs');
  const [opened, setOpened] = useState<Hook | null>(null);
  const { data, error, refetch } = useQuery(
    orpc.workflowHooks.listAll.queryOptions({ input: {}, refetchInterval: READ_EVERY_MS }),
  );
  if (!hasWords) return <Skeleton className="h-24" />;
  return (
    <Panel title={t('workflowRuns.hooks.title')} purpose={t('workflowRuns.hooks.purpose')} flush>
      {error && !data ? (
        <ErrorState text={workflowErrorMessage(error)} onRetry={() => void refetch()} />
      ) : null}
      {!data && !error ? <Skeleton className="mx-5 mb-4 h-16" /> : null}
      {data?.items.length === 0 ? (
        <EmptyState
          icon={<Webhook aria-hidden />}
          title={t('workflowRuns.hooks.none')}
          text={t('workflowRuns.hooks.noneText')}
        />
      ) : null}
      {data && data.items.length > 0 ? (
        <ul aria-label={t('workflowRuns.hooks.title')} className="mt-3 divide-y divide-border">
          {data.items.map((hook) => (
            <HookRow key={hook.url} hook={hook} onOpen={() => setOpened(hook)} />
          ))}
        </ul>
      ) : null}
      {opened ? <CallsDrawer hook={opened} onClose={() => setOpened(null)} /> : null}
    </Panel>
  );
}

function HookRow({ hook, onOpen }: { hook: Hook; onOpen: () => void }) {
  const { workflowId, workflowName, isActive, url, hasSecret, calls, lastCallAt } = hook;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2">
          <Link to={paths.workflow(workflowId)} className="rounded font-medium wrap-anywhere hover:underline">
            {workflowName}
          </Link>
          {isActive ? null : <Badge tone="warning">{t('workflowRuns.hooks.inactive')}</Badge>}
          {hasSecret ? <Badge>{t('workflowRuns.hooks.hasSecret')}</Badge> : null}
        </p>
        <code className="block truncate text-sm text-muted">{url}</code>
        <p className="text-sm text-muted">
          {lastCallAt === null
            ? t('workflowRuns.hooks.noCall')
            : t('workflowRuns.hooks.lastCall', { n: calls, time: formatDateTime(lastCallAt) })}
        </p>
      </div>
      <CopyButton text={url} label={t('automation.hook.copy')} />
      <Button size="small" onClick={onOpen}>
        {t('workflowRuns.hooks.calls')}
      </Button>
    </li>
  );
}

function CallsDrawer({ hook, onClose }: { hook: Hook; onClose: () => void }) {
  const { workflowId, triggerId, workflowName } = hook;
  const { data, error, refetch } = useQuery(
    orpc.workflowHooks.listCalls.queryOptions({
      input: { workflowId, triggerId },
      refetchInterval: READ_EVERY_MS,
    }),
  );
  return (
    <Drawer
      open
      size="medium"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('workflowRuns.hooks.calls')}
      description={t('workflowRuns.hooks.callsText', { name: workflowName })}
    >
      {error && !data ? (
        <ErrorState text={workflowErrorMessage(error)} onRetry={() => void refetch()} />
      ) : null}
      {!data && !error ? <Skeleton className="h-48" /> : null}
      {data?.items.length === 0 ? <p className="text-muted">{t('workflowRuns.hooks.noCall')}</p> : null}
      <ul className="grid divide-y divide-border">
        {data?.items.map((call) => (
          <CallRow key={call.id} call={call} workflowId={workflowId} />
        ))}
      </ul>
    </Drawer>
  );
}

const tones: Record<Call['outcome'], BadgeTone> = {
  started: 'success',
  waits: 'info',
  nothing: 'warning',
  rejected: 'danger',
};

function CallRow({
  call: { at, status, outcome, reason, runId, bytes, body },
  workflowId,
}: {
  call: Call;
  workflowId: string;
}) {
  return (
    <OpeningRow
      line={
        <>
          <span className="tabular-nums">{formatDateTime(at)}</span>
          <Badge tone={tones[outcome]}>{t(`workflowRuns.hooks.outcome.${outcome}`)}</Badge>
          <span className="text-muted tabular-nums">{status}</span>
        </>
      }
    >
      {reason === null ? null : <p>{entryReason(reason)}</p>}
      {runId === null ? null : (
        <Link
          to={paths.workflow(workflowId)}
          search={{ tab: 'runs', run: runId }}
          className="justify-self-start rounded text-primary-text underline"
        >
          {t('workflowRuns.openRun')}
        </Link>
      )}
      {body === null ? (
        <p className="text-muted">{t('workflowRuns.hooks.noBody')}</p>
      ) : (
        <>
          <p className="text-muted">{t('workflowRuns.hooks.bytes', { n: bytes })}</p>
          <pre className="max-h-72 overflow-auto rounded-lg bg-sunken p-3" tabIndex={0} dir="ltr">
            {typeof body === 'string' ? body : JSON.stringify(body, null, 2)}
          </pre>
        </>
      )}
    </OpeningRow>
  );
}
