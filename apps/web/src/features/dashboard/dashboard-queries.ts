import type { InferContractRouterOutputs } from '@orpc/contract';
import type { contract } from '@app/contracts/contract';
import { orpc } from '../../shared/api.ts';
import { activeTimeZone } from '../../shared/formats.ts';

type Outputs = InferContractRouterOutputs<typeof contract>['dashboard'];
export type Overview = Outputs['getOverview'];
export type Health = Outputs['getHealth'];
export type Attention = Outputs['getAttention']['items'][number];
export type GettingStarted = Outputs['getGettingStarted'];

export function overviewOptions() {
  return orpc.dashboard.getOverview.queryOptions({ input: { timeZone: activeTimeZone() } });
}

export const healthOptions = orpc.dashboard.getHealth.queryOptions({ input: {}, refetchInterval: 30_000 });

export const attentionOptions = orpc.dashboard.getAttention.queryOptions({ input: {} });

export const startOptions = orpc.dashboard.getGettingStarted.queryOptions({ input: {} });
