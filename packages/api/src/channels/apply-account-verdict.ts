import { channels } from '@app/database/channels/channels-tables';
import { listChannels } from '@app/database/channels/find-channel';
import { stopChannel } from '@app/delivery/run-controls';
import { emitRuns } from '@app/delivery/emit-runs';
import { stopOfVerdict, verdictStops, type AccountVerdict } from '@app/domain/channels/account-verdict';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import { explainDeliveryError } from '@app/domain/messaging/delivery-error-messages';
import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/**
 * Does with the numbers of an account what the platform decided about it `at` that time, and tells it. What a person let go on since stays so; a
 * ban that is over lifts the stops of before that, and leaves it to people which campaigns still make sense.
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
  const ids = own.map(({ id }) => id);
  const stop = stopOfVerdict(verdict);
  if (stop) {
    const detail = explainDeliveryError({ code: stop.code, title: '' });
    for (const id of ids) {
      const paused = await stopChannel(scope, id, { ...stop, detail, at });
      await emitRuns(scope, (_, __, fact) => scope.emit(fact), paused);
    }
  }
  if (verdict === 'reinstated') {
    // Also of what is not stopped: the ban of before may arrive behind its end.
    await tx
      .update(channels)
      .set({ resumedAt: sql`greatest(${channels.resumedAt}, ${at})` })
      .where(and(eq(channels.workspaceId, workspaceId), inArray(channels.id, ids)));
    await tx
      .update(channels)
      .set({ stoppedCode: null, stoppedReason: null, stoppedFor: null, stoppedAt: null })
      .where(
        and(
          eq(channels.workspaceId, workspaceId),
          inArray(channels.id, ids),
          inArray(channels.stoppedCode, [...verdictStops]),
          or(isNull(channels.stoppedAt), lte(channels.stoppedAt, at)),
        ),
      );
  }
  await scope.emit({
    ...{ type: 'channel.account_judged', subject: first.id },
    values: { account: first.accountName || first.displayName, verdict },
  });
}
