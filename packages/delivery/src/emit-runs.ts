import { readCause, type Cause } from '@app/domain/events/fact-cause';
import type { NewFact } from '@app/domain/events/fact-catalogue';
import { readRunProgress, type RunProgress } from './run-progress.ts';
import type { SqlClient } from './sql-client.ts';

/**
 * Tells a fact of a workspace in the transaction that `client` has open, so that it exists if the change does, and once.
 * `cause` is what led to the message or run that it is about.
 */
export type EmitDelivery = (
  client: SqlClient,
  workspaceId: string,
  fact: NewFact,
  cause: Cause | null,
) => Promise<void>;

/** Says of these runs how they are now: that the engine paused, went on with or ended them. Their rows are locked by the change itself. */
export async function emitRuns(
  client: SqlClient,
  emit: EmitDelivery,
  runNos: readonly number[],
): Promise<void> {
  if (runNos.length === 0) return;
  const causes = await readCausesOfRuns(client, runNos);
  for (const run of await readRunProgress(client, runNos))
    await emit(client, run.workspaceId, factOf(run), causes.get(run.runNo) ?? null);
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

/** What led to the start of these runs; those that a person started are left out. */
export async function readCausesOfRuns(
  client: SqlClient,
  runNos: readonly number[],
): Promise<Map<number, Cause>> {
  const { rows } = await client.query<{ run_no: string; cause: unknown }>(
    'SELECT run_no, cause FROM delivery_runs WHERE run_no = ANY ($1::bigint[]) AND cause IS NOT NULL',
    [runNos],
  );
  return new Map(
    rows.flatMap(({ run_no: runNo, cause }) => {
      const known = readCause(cause);
      return known ? [[Number(runNo), known] as const] : [];
    }),
  );
}
