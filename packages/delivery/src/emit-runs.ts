import type { NewFact } from '@app/domain/events/fact-catalogue';
import { readRunProgress, type RunProgress } from './run-progress.ts';
import type { SqlClient } from './sql-client.ts';

/** Tells a fact of a workspace in the transaction that `client` has open, so that it exists if the change does, and once. */
export type EmitDelivery = (client: SqlClient, workspaceId: string, fact: NewFact) => Promise<void>;

/** Says of these runs how they are now: that the engine paused, went on with or ended them. Their rows are locked by the change itself. */
export async function emitRuns(
  client: SqlClient,
  emit: EmitDelivery,
  runNos: readonly number[],
): Promise<void> {
  if (runNos.length === 0) return;
  for (const run of await readRunProgress(client, runNos)) await emit(client, run.workspaceId, factOf(run));
}

function factOf({ campaignId, state, pause, counters }: RunProgress): NewFact {
  if (state !== 'completed') {
    const values = { state, reason: pause?.reason ?? null };
    return { type: 'campaign.run_changed', subject: campaignId, values };
  }
  const { total, accepted, refused, failed, cancelled, unknown } = counters;
  const values = { total, sent: accepted, failed: refused + failed, cancelled, unknown };
  return { type: 'campaign.completed', subject: campaignId, values };
}
