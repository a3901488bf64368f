import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Radio } from 'lucide-react';
import { useState } from 'react';
import { orpc, type api } from '../../shared/api.ts';
import { failureText } from '../../shared/failure-text.ts';
import { formatBytes, formatDateTime, formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Banner, ErrorState, Skeleton } from '../../ui/states.tsx';

type Calls = Awaited<ReturnType<typeof api.webhookCalls.list>>;
type Call = Calls['items'][number];

const LOOK_EVERY_MS = 1_000;
const LOOK_NOW_AND_THEN_MS = 4_000;

/** What the platform called lately and what it heard, and a test that waits for its next call. */
export function WebhookCalls({ name }: { name: string }) {
  /** The newest call when somebody began to wait; undefined while nobody does. */
  const [since, setSince] = useState<{ id: string | null } | undefined>();
  const { data, error, refetch } = useQuery({
    ...orpc.webhookCalls.list.queryOptions({ input: {} }),
    refetchInterval: ({ state }) =>
      since !== undefined && (state.data?.items[0]?.id ?? null) === since.id
        ? LOOK_EVERY_MS
        : LOOK_NOW_AND_THEN_MS,
  });
  if (error && !data) return <ErrorState text={failureText(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-24" />;
  const newest = data.items[0];
  const arrived = since !== undefined && newest !== undefined && newest.id !== since.id ? newest : undefined;
  const isWaiting = since !== undefined && !arrived;
  return (
    <Panel
      title={t('connection.calls')}
      purpose={t('connection.callsPurpose')}
      actions={
        <Button
          icon={<Radio aria-hidden />}
          disabled={isWaiting}
          onClick={() => setSince({ id: newest?.id ?? null })}
        >
          {t('connection.calls.test')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        {data.isSilent ? <Banner tone="warning">{t('connection.calls.silent')}</Banner> : null}
        {isWaiting ? <Banner>{t('connection.calls.waiting', { name })}</Banner> : null}
        {arrived ? (
          <Banner tone={isTaken(arrived) ? 'success' : 'danger'}>
            {t('connection.calls.arrived', {
              state: t(`connection.calls.${arrived.state}`),
              ms: formatNumber(arrived.milliseconds),
            })}
          </Banner>
        ) : null}
        {data.items.length === 0 ? <p className="text-muted">{t('connection.calls.none')}</p> : null}
        <ul aria-label={t('connection.calls')} className="flex flex-col divide-y divide-border">
          {data.items.map((call) => (
            <CallRow key={call.id} call={call} />
          ))}
        </ul>
      </div>
    </Panel>
  );
}

function CallRow({ call }: { call: Call }) {
  const head = (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <time dateTime={call.at} className="tabular-nums">
        {formatDateTime(call.at)}
      </time>
      <Badge tone={isTaken(call) ? 'success' : 'danger'}>{t(`connection.calls.${call.state}`)}</Badge>
      <span className="text-muted tabular-nums">
        {t('connection.calls.answer', { status: String(call.status), ms: formatNumber(call.milliseconds) })}
        {call.bytes > 0 ? ` · ${formatBytes(call.bytes)}` : ''}
      </span>
    </span>
  );
  if (call.outline === null) return <li className="py-2 pl-5.5">{head}</li>;
  return (
    <li className="py-2">
      <details>
        <summary className="flex cursor-pointer items-start gap-1.5">
          <ChevronRight
            aria-hidden
            className="mt-0.5 size-4 shrink-0 transition-transform in-open:rotate-90"
          />
          {head}
        </summary>
        <pre dir="ltr" className="mt-2 max-h-80 overflow-auto rounded-card bg-neutral-soft p-3 text-xs">
          {call.outline}
        </pre>
      </details>
    </li>
  );
}

function isTaken({ status }: Call): boolean {
  return status === 200;
}
