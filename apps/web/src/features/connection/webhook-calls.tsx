import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { orpc } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatBytes, formatDateTime, formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { NativeSelect } from '../../ui/input.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Banner, ErrorState, Skeleton } from '../../ui/states.tsx';
import type { Connection } from './connection-queries.ts';
import { isTaken, useLiveTest, type Call } from './use-live-test.ts';
import { LiveTest, LiveTestButton } from './live-test.tsx';

const kinds = ['all', 'taken', 'refused'] as const;
type Kind = (typeof kinds)[number];

/** What the platform called lately and what it heard, and a test that waits for its next call. */
export function WebhookCalls({
  connection: { id: channelId, kind: ofKind, displayName: name },
}: {
  connection: Pick<Connection, 'id' | 'kind' | 'displayName'>;
}) {
  const test = useLiveTest(channelId);
  const { data, error, refetch } = useQuery({
    ...orpc.webhookCalls.list.queryOptions({ input: {} }),
    refetchInterval: ({ state }) => test.pauseMs(state.data?.items ?? []),
  });
  const [kind, setKind] = useState<Kind>('all');
  if (error && !data) return <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-24" />;
  // Each kind of channel has a page of its own.
  const items = data.items.filter((call) => call.kind === ofKind);
  const shown = items.filter((call) => kind === 'all' || isTaken(call) === (kind === 'taken'));
  return (
    <Panel
      title={t('connection.calls')}
      purpose={t('connection.callsPurpose')}
      actions={<LiveTestButton test={test} items={items} />}
    >
      <div className="flex flex-col gap-3">
        {data.isSilent ? <Banner tone="warning">{t('connection.calls.silent')}</Banner> : null}
        <LiveTest test={test} items={items} name={name} />
        {items.length === 0 ? <p className="text-muted">{t('connection.calls.none')}</p> : null}
        {items.some(isTaken) && !items.every(isTaken) ? (
          <NativeSelect
            aria-label={t('connection.calls.show')}
            className="self-start"
            value={kind}
            onChange={({ target }) => setKind(kinds.find((one) => one === target.value) ?? 'all')}
          >
            {kinds.map((one) => (
              <option key={one} value={one}>
                {t(`connection.calls.show.${one}`)}
              </option>
            ))}
          </NativeSelect>
        ) : null}
        <ul aria-label={t('connection.calls')} className="flex flex-col divide-y divide-border">
          {shown.map((call) => (
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
      {call.about.length === 0 ? null : (
        <span>
          <span className="sr-only">{t('connection.calls.about')}: </span>
          {call.about
            .map(({ topic, n }) =>
              n === 1
                ? t(`connection.calls.topic.${topic}`)
                : t('connection.calls.topic', { topic: t(`connection.calls.topic.${topic}`), n }),
            )
            .join(', ')}
        </span>
      )}
      {call.problems.map(({ code, title }, index) => (
        <span key={index} className="text-danger">
          <bdi>{t('connection.calls.problem', { code, title })}</bdi>
        </span>
      ))}
    </span>
  );
  if (call.outline === null && call.answer === null) return <li className="py-2 pl-5.5">{head}</li>;
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
        <div className="mt-2 flex flex-col gap-2 pl-5.5">
          {call.answer === null ? null : (
            <Text label={t('connection.calls.heard', { status: String(call.status) })} text={call.answer} />
          )}
          {call.outline === null ? null : <Text label={t('connection.calls.body')} text={call.outline} />}
        </div>
      </details>
    </li>
  );
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <figure>
      <figcaption className="mb-1 text-sm text-muted">{label}</figcaption>
      <pre
        dir="ltr"
        className="max-h-80 overflow-auto rounded-card bg-neutral-soft p-3 text-xs whitespace-pre-wrap wrap-anywhere"
      >
        {text}
      </pre>
    </figure>
  );
}
