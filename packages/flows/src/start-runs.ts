import { databaseTrouble } from '@app/database/query-error';
import type { SqlQueries } from '@app/database/sql-queries';
import { isAtDepthLimit } from '@app/domain/events/fact-cause';
import type { FlowFile, Json } from '@app/domain/flows/flow-file';
import { newRunState } from '@app/domain/flows/run-state';
import type { SegmentRules } from '@app/domain/segments/segment-rules';
import { enterFlows, settleEntries } from './enter-flows.ts';
import {
  classesInOrder,
  runClasses,
  type FlowHost,
  type FlowTransaction,
  type StartToAnswer,
} from './flow-host.ts';
import { openStarts, workspacesWithSql } from './workspaces-with.ts';

/** Starts of one flow in a minute, unless the flow says less. */
export const RUNS_PER_MINUTE = 600;
const AT_ONCE = 200;
/** Starts that wait until messages of their flow have left are looked at so many milliseconds later, and one after the other at this distance. */
const FULL_WAIT_MS = 2_000;
const FULL_APART_MS = 5;
const DECIDED_MS = 200;

type StartRow = {
  id: string;
  flow_id: string;
  version: number;
  trigger_id: string | null;
  contact_id: string | null;
  channel_id: string | null;
  values: { [name: string]: Json };
  class: number;
  depth: number;
  is_test: boolean;
  at: Date;
  source: string;
  status: string;
  settings: FlowFile['settings'];
  conditions: SegmentRules | null;
  has_contact: boolean;
};

export type DueStarts = {
  workspaceId: string;
  /** One of `runClasses`. */
  class: number;
  wasServed: boolean;
};

/**
 * The workspace and class of starts that are due: a workspace that is not in `served` before one that is, then the most urgent class. It costs a few
 * look-ups for each workspace with open starts, however many of them are due. Null when nothing is due outside of `held`.
 */
export async function findDueStarts(
  pool: SqlQueries,
  { now, served, held }: { now: number; served: readonly string[]; held: readonly string[] },
): Promise<DueStarts | null> {
  const { rows } = await pool.query<{ workspace_id: string; class: number; was_served: boolean }>(
    `WITH RECURSIVE waiting AS (
       ${workspacesWithSql('waiting', 'flow_starts', openStarts)})
     SELECT w.workspace_id, c.class, w.workspace_id = ANY ($2::uuid[]) AS was_served
       FROM waiting w CROSS JOIN unnest($4::integer[]) AS c (class)
      CROSS JOIN LATERAL (SELECT FROM flow_starts
                           WHERE workspace_id = w.workspace_id AND state = 'open' AND class = c.class AND not_before <= $1 ORDER BY not_before LIMIT 1) AS first
      WHERE w.workspace_id <> ALL ($3::uuid[])
      ORDER BY was_served, c.class LIMIT 1`,
    [new Date(now), served, held, classesInOrder],
  );
  const [found] = rows;
  return found ? { workspaceId: found.workspace_id, class: found.class, wasServed: found.was_served } : null;
}

/** What a start that failed by itself waits until it is tried again. */
const FAILED_WAIT_MS = 60_000;

/**
 * Makes runs of some starts of one workspace and class; answers with how many starts it looked at. It makes them
 * together. If that fails it makes each alone, so that one bad start keeps no other waiting.
 */
export async function startRuns<Scope extends SqlQueries>(
  host: FlowHost<Scope>,
  due: Pick<DueStarts, 'workspaceId' | 'class'>,
): Promise<number> {
  try {
    return await startTogether(host, due, null);
  } catch (error) {
    if (databaseTrouble(error) !== undefined) throw error;
  }
  const { workspaceId, class: ofClass } = due;
  const { rows } = await host.systemPool.query<{ id: string }>(
    `SELECT id FROM flow_starts WHERE workspace_id = $1 AND state = 'open' AND class = $3 AND not_before <= $2 ORDER BY not_before, id LIMIT ${AT_ONCE}`,
    [workspaceId, new Date(host.now()), ofClass],
  );
  for (const { id } of rows)
    await startTogether(host, due, id).catch(async (error: unknown) => {
      if (databaseTrouble(error) !== undefined) throw error;
      host.logger.error({ err: error, workspaceId, startId: id }, 'a start of a flow failed');
      await host.systemPool.query(
        `UPDATE flow_starts SET not_before = $3 WHERE workspace_id = $1 AND id = $2 AND state = 'open'`,
        [workspaceId, id, new Date(host.now() + FAILED_WAIT_MS)],
      );
    });
  return rows.length;
}

/** Those that are due, or one of them. */
async function startTogether<Scope extends SqlQueries>(
  host: FlowHost<Scope>,
  { workspaceId, class: ofClass }: Pick<DueStarts, 'workspaceId' | 'class'>,
  only: string | null,
): Promise<number> {
  return host.inWorkspace(workspaceId, async (transaction) => {
    const now = host.now();
    const { rows } = await transaction.query<StartRow>(
      `SELECT s.id, s.flow_id, s.version, s.trigger_id, s.contact_id, s.channel_id, s."values", s.class, s.depth, s.is_test, s.at, s.source, f.status,
              v.content->'settings' AS settings, t.conditions,
              s.contact_id IS NULL OR EXISTS (SELECT FROM contacts k WHERE k.id = s.contact_id AND k.workspace_id = $1) AS has_contact
         FROM (SELECT * FROM flow_starts WHERE workspace_id = $1 AND state = 'open' AND class = $3 AND not_before <= $2${only === null ? '' : ' AND id = $4'}
                ORDER BY not_before, id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED) s
         JOIN flows f ON f.id = s.flow_id
         JOIN flow_versions v ON v.flow_id = s.flow_id AND v.number = s.version
         LEFT JOIN flow_triggers t ON t.flow_id = s.flow_id AND t.trigger_id = s.trigger_id AND t.version = s.version
        ORDER BY s.not_before, s.id`,
      [workspaceId, new Date(now), ofClass, ...(only === null ? [] : [only])],
    );
    if (rows.length === 0) return 0;
    const refused = new Map<string, string>();
    const allowed: StartRow[] = [];
    const meeting = await findMeeting(host, transaction, rows);
    const answered =
      (await host.findAnswered?.(transaction, rows.map(toAnswer))) ?? new Map<string, string>();
    await putOff(
      transaction,
      rows.filter(({ id }) => answered.get(id) === 'later').map(({ id }) => id),
      now,
    );
    for (const start of rows) {
      if (answered.get(start.id) === 'later') continue;
      const reason = answered.get(start.id) ?? refuse(start, meeting);
      if (reason === null) allowed.push(start);
      else refused.set(start.id, reason);
    }
    await pauseChained(host, transaction, { starts: rows, refused });
    const starts = await leaveRoom(host, transaction, { starts: allowed, now });
    const entered = await enterFlows(transaction, starts, now);
    for (const [id, reason] of entered.refused) refused.set(id, reason);
    const limited = await keepToPace(host, transaction, {
      starts: starts.filter(({ id }) => !entered.refused.has(id)),
      now,
    });
    for (const id of limited.refused) refused.set(id, 'runs_per_minute');
    await settleEntries(transaction, { starts, kept: limited.starts, isFirst: entered.isFirst, now });
    await insertRuns(host, transaction, { starts: limited.starts, now });
    await transaction.query(
      `UPDATE flow_starts s SET state = 'refused', reason = g.reason, settled_at = $2
         FROM jsonb_to_recordset($3::jsonb) AS g (id bigint, reason text) WHERE s.workspace_id = $1 AND s.id = g.id`,
      [workspaceId, new Date(now), JSON.stringify([...refused].map(([id, reason]) => ({ id, reason })))],
    );
    return rows.length;
  });
}

function toAnswer(start: StartRow): StartToAnswer {
  const { id, flow_id: flowId, version, contact_id: contactId, source, values, is_test: isTest, at } = start;
  return { id, flowId, version, contactId, source, values, isTest, at };
}

/** Who answers a message is decided within a moment. */
async function putOff(
  transaction: SqlQueries & { workspaceId: string },
  ids: readonly string[],
  now: number,
): Promise<void> {
  if (ids.length === 0) return;
  await transaction.query(
    'UPDATE flow_starts SET not_before = $3 WHERE workspace_id = $1 AND id = ANY ($2::bigint[])',
    [transaction.workspaceId, ids, new Date(now + DECIDED_MS)],
  );
}

/** By trigger: the contacts that meet its conditions now. */
async function findMeeting<Scope extends SqlQueries>(
  host: FlowHost<Scope>,
  transaction: FlowTransaction<Scope>,
  starts: readonly StartRow[],
): Promise<Map<string, Set<string>>> {
  const asked = starts.filter(({ conditions, contact_id: id }) => conditions !== null && id !== null);
  const found = new Map<string, Set<string>>();
  for (const [key, all] of Map.groupBy(asked, triggerKey)) {
    const ids = [...new Set(all.map(({ contact_id: id }) => id!))]; // filtered above
    found.set(key, await host.findMeeting(transaction, ids, all[0]!.conditions!)); // and so are these
  }
  return found;
}

function triggerKey({ flow_id: flowId, trigger_id: triggerId }: StartRow): string {
  return `${flowId}/${triggerId}`;
}

/** Why this one does not enter, whatever its contact did before; null where it may. */
function refuse(start: StartRow, meeting: ReadonlyMap<string, ReadonlySet<string>>): string | null {
  const { contact_id: contactId } = start;
  if (start.status !== 'active' && !start.is_test) return 'not_active';
  if (isAtDepthLimit(start)) return 'chain_depth';
  if (!start.has_contact) return 'contact_gone';
  if (start.is_test || start.conditions === null) return null;
  if (contactId === null || !meeting.get(triggerKey(start))?.has(contactId)) return 'conditions_not_met';
  return null;
}

/** Flows that start each other without an end would go on with the next contact. */
async function pauseChained<Scope extends SqlQueries>(
  host: FlowHost<Scope>,
  transaction: FlowTransaction<Scope>,
  { starts, refused }: { starts: readonly StartRow[]; refused: ReadonlyMap<string, string> },
): Promise<void> {
  const chained = starts.filter(({ id }) => refused.get(id) === 'chain_depth');
  for (const flowId of new Set(chained.map(({ flow_id }) => flow_id)))
    await host.pauseFlow(transaction, { flowId, reason: 'chain_depth', runId: null });
}

function isOfMany(start: StartRow): boolean {
  return start.class === runClasses.bulk && !start.is_test;
}

/** Those of many wait while many messages of their flow have not left; answers with the others. */
async function leaveRoom<Scope extends SqlQueries>(
  host: FlowHost<Scope>,
  transaction: FlowTransaction<Scope>,
  { starts, now }: { starts: readonly StartRow[]; now: number },
): Promise<readonly StartRow[]> {
  const full = new Set<string>();
  for (const [flowId, [first]] of Map.groupBy(starts.filter(isOfMany), ({ flow_id }) => flow_id)) {
    if ((await host.hasManyQueued?.(transaction, flowId)) !== true) continue;
    full.add(flowId);
    const apartMs = Math.max(60_000 / perMinute(first!), FULL_APART_MS); // a group is never empty
    await spread(transaction, { flowId, now, from: now + FULL_WAIT_MS, apartMs });
  }
  return starts.filter((start) => !isOfMany(start) || !full.has(start.flow_id));
}

function perMinute({ settings }: StartRow): number {
  return settings.runsPerMinute ?? RUNS_PER_MINUTE;
}

/** Single events beyond the limit pause their flow; those of many wait for their turn. */
async function keepToPace<Scope extends SqlQueries>(
  host: FlowHost<Scope>,
  transaction: FlowTransaction<Scope>,
  { starts, now }: { starts: readonly StartRow[]; now: number },
): Promise<{ starts: StartRow[]; refused: string[] }> {
  const kept: StartRow[] = [];
  const refused: string[] = [];
  for (const [flowId, all] of Map.groupBy(starts, ({ flow_id }) => flow_id)) {
    const { rows } = await transaction.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM flow_runs WHERE flow_id = $1 AND started_at > $2 AND NOT is_test`,
      [flowId, new Date(now - 60_000)],
    );
    const most = perMinute(all[0]!); // a group is never empty
    let left = most - (rows[0]?.n ?? 0);
    let mustWait = false;
    for (const start of all) {
      if (start.is_test || left > 0) kept.push(start);
      else if (isOfMany(start)) mustWait = true;
      else refused.push(start.id);
      if (!start.is_test) left -= 1;
    }
    if (mustWait) await spread(transaction, { flowId, now, from: now, apartMs: 60_000 / most });
    if (all.some(({ id }) => refused.includes(id)))
      await host.pauseFlow(transaction, { flowId, reason: 'runs_per_minute', runId: null });
  }
  return { starts: kept, refused };
}

/** Each of many gets a time of its own, so that nobody looks at it before. */
async function spread(
  transaction: SqlQueries & { workspaceId: string },
  { flowId, now, from, apartMs }: { flowId: string; now: number; from: number; apartMs: number },
): Promise<void> {
  await transaction.query(
    `WITH waiting AS (
       SELECT id FROM flow_starts WHERE workspace_id = $1 AND flow_id = $2 AND state = 'open' AND class = ${runClasses.bulk} AND not_before <= $3
        ORDER BY id FOR UPDATE SKIP LOCKED),
     placed AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM waiting)
     UPDATE flow_starts s SET not_before = $4::timestamptz + p.place * make_interval(secs => $5) FROM placed p WHERE s.id = p.id`,
    [transaction.workspaceId, flowId, new Date(now), new Date(from), apartMs / 1_000],
  );
}

async function insertRuns<Scope extends SqlQueries>(
  host: FlowHost<Scope>,
  transaction: FlowTransaction<Scope>,
  { starts, now }: { starts: readonly StartRow[]; now: number },
): Promise<void> {
  if (starts.length === 0) return;
  const rows = starts.map((start) => ({
    ...{ id: host.newId(), startId: start.id, seed: host.random() },
    state: newRunState(start.values, now),
  }));
  await transaction.query(
    `WITH given AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, "startId" bigint, seed bigint, state jsonb)),
     made AS (
       INSERT INTO flow_runs (id, workspace_id, flow_id, version, contact_id, channel_id, trigger_id, status, state, class, due_at, seed, depth, is_test, started_at)
       SELECT g.id, $1, s.flow_id, s.version, s.contact_id, s.channel_id, s.trigger_id, 'running', g.state, s.class, $3, g.seed, s.depth, s.is_test, $3
         FROM given g JOIN flow_starts s ON s.id = g."startId")
     UPDATE flow_starts s SET state = 'started', run_id = g.id, settled_at = $3 FROM given g WHERE s.id = g."startId" AND s.workspace_id = $1`,
    [transaction.workspaceId, JSON.stringify(rows), new Date(now)],
  );
  const counted = [
    ...Map.groupBy(
      starts.filter(({ is_test: isTest }) => !isTest),
      ({ flow_id }) => flow_id,
    ),
  ];
  await transaction.query(
    `UPDATE flows f SET triggered = f.triggered + g.n, last_triggered_at = greatest(f.last_triggered_at, $2)
       FROM jsonb_to_recordset($3::jsonb) AS g (id uuid, n integer) WHERE f.workspace_id = $1 AND f.id = g.id`,
    [
      ...[transaction.workspaceId, new Date(now)],
      JSON.stringify(counted.map(([id, all]) => ({ id, n: all.length }))),
    ],
  );
}
