import type { Reentry } from '@app/domain/flows/flow-file';
import type { SqlQueries } from '@app/database/sql-queries';

type Transaction = SqlQueries & { workspaceId: string };

/** A start of a contact in a flow. */
export type Entering = {
  id: string;
  flow_id: string;
  contact_id: string | null;
  is_test: boolean;
  settings: { reentry: Reentry };
};

export type Entered = {
  /** By start: why its contact does not enter. */
  refused: Map<string, string>;
  /** Starts whose contact had never entered the flow. */
  isFirst: Set<string>;
};

/**
 * Writes and locks who enters which flow, and says who may not enter again. Another process that lets the same contact into the same flow waits here.
 * A constant number of statements, however many starts there are.
 */
export async function enterFlows(
  transaction: Transaction,
  starts: readonly Entering[],
  now: number,
): Promise<Entered> {
  const refused = new Map<string, string>();
  const isFirst = new Set<string>();
  const entering = starts.filter(hasEntry);
  if (entering.length === 0) return { refused, isFirst };
  const { rows: made } = await transaction.query<Pair>(
    `INSERT INTO flow_entries (workspace_id, flow_id, contact_id, entered_at)
     SELECT DISTINCT $1::uuid, g.flow_id, g.contact_id, $4::timestamptz FROM ${GIVEN} ORDER BY 2, 3
         ON CONFLICT DO NOTHING RETURNING flow_id, contact_id`,
    [transaction.workspaceId, ...listPairs(entering), new Date(now)],
  );
  const fresh = new Set(made.map(pairOf));
  const again = entering.filter((start) => !fresh.has(pairOf(start)));
  const inside = await findInside(transaction, again);
  for (const start of entering) {
    const pair = pairOf(start);
    const { reentry } = start.settings;
    if (fresh.delete(pair)) isFirst.add(start.id);
    else if (reentry === 'once') refused.set(start.id, 'entered_before');
    else if (reentry === 'one_at_a_time' && inside.has(pair)) refused.set(start.id, 'in_progress');
    // The next start of the same contact meets the run of this one.
    if (!refused.has(start.id)) inside.add(pair);
  }
  return { refused, isFirst };
}

/** Notes when the contacts of `kept` entered, and takes back the entry of who has to wait: it would look like a run that was there. */
export async function settleEntries(
  transaction: Transaction,
  {
    starts,
    kept,
    isFirst,
    now,
  }: { starts: readonly Entering[]; kept: readonly Entering[]; now: number } & Pick<Entered, 'isFirst'>,
): Promise<void> {
  const stays = new Set(kept.map(({ id }) => id));
  const leaving = starts.filter(({ id }) => isFirst.has(id) && !stays.has(id));
  if (leaving.length > 0)
    await transaction.query(
      `DELETE FROM flow_entries e USING ${GIVEN} WHERE e.workspace_id = $1 AND e.flow_id = g.flow_id AND e.contact_id = g.contact_id`,
      [transaction.workspaceId, ...listPairs(leaving)],
    );
  const again = kept.filter((start) => hasEntry(start) && !isFirst.has(start.id));
  if (again.length > 0)
    await transaction.query(
      `UPDATE flow_entries e SET entered_at = $4 FROM ${GIVEN} WHERE e.workspace_id = $1 AND e.flow_id = g.flow_id AND e.contact_id = g.contact_id`,
      [transaction.workspaceId, ...listPairs(again), new Date(now)],
    );
}

type Pair = { flow_id: string; contact_id: string | null };

/** The pairs of `listPairs`. */
const GIVEN = 'unnest($2::uuid[], $3::uuid[]) AS g (flow_id, contact_id)';

function listPairs(starts: readonly Pair[]): [(string | null)[], (string | null)[]] {
  return [starts.map(({ flow_id: id }) => id), starts.map(({ contact_id: id }) => id)];
}

function pairOf({ flow_id: flowId, contact_id: contactId }: Pair): string {
  return `${flowId}/${contactId}`;
}

function hasEntry({ contact_id: contactId, is_test: isTest }: Entering): boolean {
  return contactId !== null && !isTest;
}

/** Of contacts that entered before, those with a run in progress. Their entries are locked, always in the same order. */
async function findInside(transaction: Transaction, again: readonly Entering[]): Promise<Set<string>> {
  if (again.length === 0) return new Set();
  const given = [transaction.workspaceId, ...listPairs(again)];
  await transaction.query(
    `SELECT FROM flow_entries e WHERE e.workspace_id = $1 AND (e.flow_id, e.contact_id) IN (SELECT g.flow_id, g.contact_id FROM ${GIVEN})
      ORDER BY e.flow_id, e.contact_id FOR UPDATE`,
    given,
  );
  const { rows } = await transaction.query<Pair>(
    `SELECT DISTINCT r.flow_id, r.contact_id FROM ${GIVEN} JOIN flow_runs r ON r.contact_id = g.contact_id AND r.flow_id = g.flow_id
      WHERE r.workspace_id = $1 AND r.status = 'running' AND NOT r.is_test`,
    given,
  );
  return new Set(rows.map(pairOf));
}
