import type { FactConsumer } from '../../platform/facts/fact-consumer.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { pushNews } from './push-news.ts';

export type Made = { id: string; user_id: string; is_pushed: boolean };

/** In the transaction that made the notifications: what is rolled back is not pushed. */
export async function enqueuePushes(
  scope: WorkspaceScope,
  { jobs }: Parameters<FactConsumer['handle']>[2],
  made: readonly Made[],
): Promise<void> {
  const pushed = made.filter(({ is_pushed: isPushed }) => isPushed);
  if (pushed.length > 0)
    await jobs?.enqueueMany(
      scope,
      pushNews,
      pushed.map(({ id }) => ({ key: id, payload: { notificationId: id } })),
    );
}
