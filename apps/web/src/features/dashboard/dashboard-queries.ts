import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { InferContractRouterOutputs } from '@orpc/contract';
import type { contract } from '@app/contracts/contract';
import { orpc } from '../../shared/api.ts';
import { activeTimeZone } from '../../shared/formats.ts';
import { useLiveEvent } from '../../shared/live/live-events.ts';

type Outputs = InferContractRouterOutputs<typeof contract>['dashboard'];
export type Overview = Outputs['getOverview'];
export type Health = Outputs['getHealth'];

/** While a campaign runs its events come four times a second; figures follow at this pace. */
const REFRESH_MS = 2_000;

export function overviewOptions() {
  return orpc.dashboard.getOverview.queryOptions({ input: { timeZone: activeTimeZone() } });
}

export const healthOptions = orpc.dashboard.getHealth.queryOptions({ input: {}, refetchInterval: 30_000 });

/** Keeps the figures of the page true while campaigns, contacts and channels change. */
export function useLiveDashboard(): void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const refreshSoon = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queryClient.invalidateQueries({ queryKey: orpc.dashboard.key() });
    }, REFRESH_MS);
  }, [queryClient]);
  useLiveEvent('campaign-progress', refreshSoon);
  useLiveEvent('campaigns', refreshSoon);
  useLiveEvent('contacts', refreshSoon);
  useLiveEvent('channels', refreshSoon);
  useLiveEvent('resync', refreshSoon);
}
