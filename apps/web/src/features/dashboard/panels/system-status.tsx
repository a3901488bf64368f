import { useQuery } from '@tanstack/react-query';
import { useIsReachable, useLiveState } from '../../../shared/live/live-events.ts';
import { t } from '../../../shared/messages.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Panel } from '../../../ui/page-frame.tsx';
import { healthOptions, type Health } from '../dashboard-queries.ts';

type State = Health['messagingApi']['state'] | 'connecting' | 'checking';

const TONES: Record<State, BadgeTone> = {
  operational: 'success',
  degraded: 'warning',
  connecting: 'warning',
  checking: 'neutral',
  down: 'danger',
  not_connected: 'danger',
};

/** The real health of what sending depends on. */
export function SystemStatus() {
  const health = useQuery(healthOptions);
  // What was true before the connection was lost is no longer known.
  const isKnown = useIsReachable() && !health.isError;
  const data = isKnown ? health.data : undefined;
  const live = useLiveState();
  const realtime: State =
    live === 'connected'
      ? (data?.realtime.state ?? 'checking')
      : live === 'connecting'
        ? 'connecting'
        : 'down';
  return (
    <Panel title={t('dashboard.system')} flush>
      <ul className="divide-y divide-border px-5 pb-2">
        <Service name={t('dashboard.messagingApi')} health={data?.messagingApi} />
        <Service name={t('dashboard.authentication')} health={data?.authentication} />
        <Service name={t('dashboard.realtime')} health={{ state: realtime, detail: null }} />
        <Service
          name={t('dashboard.queue')}
          health={
            data && {
              ...data.queue,
              detail: data.queue.detail ?? t('dashboard.processing', { n: data.queue.waiting }),
            }
          }
          hasDetail
        />
      </ul>
    </Panel>
  );
}

function Service({
  name,
  health: { state, detail } = { state: 'checking', detail: null },
  hasDetail = false,
}: {
  name: string;
  health: { state: State; detail: string | null } | undefined;
  /** Keeps the place of the line, so that nothing moves when it comes. */
  hasDetail?: boolean;
}) {
  return (
    <li className="flex items-center justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="font-medium">{name}</p>
        {detail || hasDetail ? <p className="min-h-[1lh] text-sm text-muted">{detail}</p> : null}
      </div>
      <Badge tone={TONES[state]} dot>
        {t(`dashboard.state.${state}`)}
      </Badge>
    </li>
  );
}
