import type { QueryClient } from '@tanstack/react-query';
import { orpc, type api } from '../../shared/api.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { formatDateTime } from '../../shared/formats.ts';
import { findText, t } from '../../shared/messages.ts';
import { refusalOf } from '../../shared/languages/refusal-text.ts';

type Connections = Awaited<ReturnType<typeof api.connections.list>>;
export type Connection = Connections['items'][number];
export type ConnectionKind = Connections['kinds'][number];
export type FieldCheck = Awaited<ReturnType<typeof api.connections.prove>>['fields'][number];
export type Server = ConnectionKind['servers'][number];

export const connectionKeys = () => [orpc.connections.key()];
export const connectionsOptions = () => orpc.connections.list.queryOptions({ input: {} });
export const subscriptionOptions = (channelId: string) =>
  orpc.connections.getSubscription.queryOptions({ input: { channelId } });

/** Also what other pages know of the numbers. */
export async function refreshConnections(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: orpc.connections.key() }),
    queryClient.invalidateQueries({ queryKey: orpc.channels.key() }),
    // What stands at the side of every page says whether messages can leave.
    queryClient.invalidateQueries({ queryKey: orpc.dashboard.getHealth.key() }),
  ]);
}

/** Troubles of the platform: they say nothing of a value, and are shown once. */
export function isOfPlatform(problem: string | null | undefined): problem is FieldCheck['problem'] & string {
  return problem === 'platform_away' || problem === 'platform_busy';
}

/** What is wrong with a value, and what to do about it. */
export function problemText({ problem, detail }: Pick<FieldCheck, 'problem' | 'detail'>): string | undefined {
  if (problem === null) return undefined;
  const words = problem === 'token_ends_soon' && detail !== null ? formatDateTime(detail) : detail;
  return findText(`connection.problem.${problem}`, { detail: words ?? '' });
}

export const saveErrorMessage = errorMessageOf({
  connection_incomplete: 'connection.incomplete',
  connection_refused: 'connection.saveFailed',
  channel_exists: 'connection.exists',
  channel_number_fixed: 'connection.numberFixed',
});

export const webhookErrorMessage = errorMessageOf({
  webhook_unreachable: ({ reason }) => t('connection.webhook.unreachable', { reason: reason ?? '' }),
  platform_refused: (values) => t('connection.refused', { reason: refusalOf(values) }),
});
