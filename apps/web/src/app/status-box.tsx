import { useQuery } from '@tanstack/react-query';
import { orpc } from '../shared/api.ts';
import { useIsReachable, useLiveState } from '../shared/live/live-events.ts';
import type { LiveState } from '../shared/live/live-events.ts';
import { t } from '../shared/messages.ts';
import type { MessageKey } from '../shared/messages.ts';
import { classNames } from '../ui/class-names.ts';

type Light = 'good' | 'waiting' | 'bad';

const liveTexts: Record<LiveState, [Light, MessageKey]> = {
  connected: ['good', 'health.liveActive'],
  connecting: ['waiting', 'health.liveConnecting'],
  disconnected: ['bad', 'health.liveInactive'],
};

/** The real health of the services behind the dashboard. */
export function StatusBox() {
  const health = useQuery(orpc.dashboard.getHealth.queryOptions({ input: {}, refetchInterval: 30_000 }));
  // What was true before the connection was lost is no longer known.
  const isKnown = useIsReachable() && !health.isError;
  const data = isKnown ? health.data : undefined;
  const [liveLight, liveText] = liveTexts[useLiveState()];
  const services = data ? [data.messagingApi, data.authentication, data.realtime, data.queue] : [];
  // Nothing is wrong with a workspace that has no number yet.
  const isNew = data?.messagingApi.state === 'not_connected';
  const isRunning =
    data?.storage === 'operational' &&
    services.every(({ state }) => state === 'operational' || (isNew && state === 'not_connected'));
  const allGood = isRunning && liveLight === 'good';
  const overall: [Light, MessageKey] = !data
    ? health.isError
      ? ['bad', 'health.degraded']
      : ['waiting', 'health.unknown']
    : allGood
      ? isNew
        ? ['waiting', 'health.notConnected']
        : ['good', 'health.operational']
      : liveLight === 'waiting' && isRunning
        ? ['waiting', 'health.unknown']
        : ['bad', 'health.degraded'];
  const messaging: [Light, MessageKey] = !data
    ? ['waiting', 'health.apiUnknown']
    : data.messagingApi.state === 'operational'
      ? ['good', 'health.apiConnected']
      : [isNew ? 'waiting' : 'bad', 'health.apiDisconnected'];

  return (
    <div role="status" className="rounded-card border border-border bg-surface px-3 py-2.5">
      <Line light={overall[0]} strong>
        {t(overall[1])}
      </Line>
      <Line light={messaging[0]}>{t(messaging[1])}</Line>
      <Line light={liveLight}>{t(liveText)}</Line>
      {data && data.storage !== 'operational' ? (
        <Line light="bad">{t(data.storage === 'full' ? 'health.full' : 'health.readOnly')}</Line>
      ) : null}
    </div>
  );
}

const lights: Record<Light, string> = {
  good: 'rounded-full bg-success',
  waiting: 'rounded-full bg-warning',
  // A square tells trouble apart without colour.
  bad: 'bg-danger',
};

function Line({ light, strong = false, children }: { light: Light; strong?: boolean; children: string }) {
  return (
    <p className={classNames('flex items-center gap-2', strong ? 'font-medium' : 'text-sm text-muted')}>
      <span aria-hidden className={classNames('size-2 shrink-0', lights[light])} />
      {children}
    </p>
  );
}
