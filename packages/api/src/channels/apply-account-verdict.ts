import { channels } from '@app/database/channels/channels-tables';
import { listChannels } from '@app/database/channels/find-channel';
import { stopChannel } from '@app/delivery/run-controls';
import { tellRuns } from '@app/delivery/tell-runs';
import { stopOfVerdict, verdictStops, type AccountVerdict } from '@app/domain/channels/account-verdict';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import { explainDeliveryError } from '@app/domain/messaging/delivery-error-words';
import { and, eq, inArray } from 'drizzle-orm';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/**
 * Does with the numbers of an account what the platform decided about it `at` that time, and tells it. What a person let go on since stays so; a
 * ban that is over lifts the stops that it made, and leaves it to people which campaigns still make sense.
 */
export async function applyAccountVerdict(
  scope: WorkspaceScope,
  kinds: ChannelKinds,
  { kind, account, verdict, at }: { kind: string; account: string; verdict: AccountVerdict; at: Date },
): Promise<void> {
  const { tx, workspaceId } = scope;
  const field = kinds.find(kind)?.connector?.accountField;
  if (field === undefined || account === '') return;
  const own = (await listChannels(tx, workspaceId)).filter(
    (one) => one.kind === kind && one.isConnected && one.credentials.values[field] === account,
  );
  const [first] = own;
  if (!first) return;
  const stop = stopOfVerdict(verdict);
  if (stop) {
    const detail = explainDeliveryError({ code: stop.code, title: '' });
    for (const { id } of own) {
      const paused = await stopChannel(scope, id, { ...stop, detail, at });
      await tellRuns(scope, (_, __, fact) => scope.tell(fact), paused);
    }
  }
  if (verdict === 'reinstated')
    await tx
      .update(channels)
      .set({ stoppedCode: null, stoppedReason: null, stoppedFor: null, resumedAt: scope.clock() })
      .where(
        and(
          eq(channels.workspaceId, workspaceId),
          inArray(
            channels.id,
            own.map(({ id }) => id),
          ),
          inArray(channels.stoppedCode, [...verdictStops]),
        ),
      );
  await scope.tell({
    ...{ type: 'channel.account_judged', subject: first.id },
    values: { account: first.accountName || first.displayName, verdict },
  });
}
