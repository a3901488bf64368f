import { createHmac } from 'node:crypto';
import type { SqlQueries } from '@app/database/sql-queries';
import { advance } from '@app/domain/flows/advance';
import type { FlowFile } from '@app/domain/flows/flow-file';
import { findStepType } from '@app/domain/flows/step-types';
import type { FlowEffect, Known, LogEntry, RunInput, RunState } from '@app/domain/flows/run-state';
import type { ActingRun, FlowHost, FlowTransaction } from './flow-host.ts';
import type { ClaimedRun, MovedRun } from './moved-run.ts';
import { writeRuns } from './write-runs.ts';

type OpenInput = { id: string; run_id: string; input: RunInput };

/** A contact that another transaction holds is waited for so long, and its runs stay due. */
const HELD_MS = 250;

/**
 * Moves claimed runs of one workspace as far as they go now, in one transaction: contacts are locked first, by their ids, as everybody does, then
 * the runs that are still the owner's. With `failing` they fail with that code instead.
 */
export async function moveRuns<Scope extends SqlQueries>(
  host: FlowHost<Scope>,
  {
    workspaceId,
    runIds,
    versions,
    failing,
  }: { workspaceId: string; runIds: readonly string[]; versions: KnownVersions; failing?: string },
): Promise<void> {
  await host.inWorkspace(workspaceId, async (transaction) => {
    const now = host.now();
    const held = await lockContacts(transaction, runIds);
    const { rows: runs } = await transaction.query<ClaimedRun>(
      `SELECT r.id, r.flow_id, r.version, r.contact_id, r.state, r.seed, r.depth, r.is_test, r.attempt, f.name AS flow_name, f.kind,
              r.flow_id || '/' || r.version || '/' || v.xmin AS version_key
         FROM flow_runs r JOIN flows f ON f.id = r.flow_id LEFT JOIN flow_versions v ON v.flow_id = r.flow_id AND v.number = r.version
        WHERE r.workspace_id = $1 AND r.id = ANY ($2::uuid[]) AND r.owner = $3 AND r.status = 'running' ORDER BY r.id FOR UPDATE OF r`,
      [workspaceId, runIds, host.ownerId],
    );
    const unheld = runs.filter(({ contact_id: id }) => id === null || !held.has(id));
    const inputs = await readInputs(transaction, unheld);
    const early = await findEarly(host, transaction, { runs: unheld, inputs, now });
    const free = unheld.filter((run) => !early.has(run.id));
    await putBack(
      transaction,
      runs.filter((run) => !free.includes(run)),
      now,
    );
    if (free.length === 0) return;
    const flows = await readVersions(transaction, free, versions);
    const contactIds = [...new Set(free.flatMap(({ contact_id: id }) => id ?? []))];
    const contacts = await host.readContacts(transaction, contactIds);
    const workspace = await host.readWorkspace(transaction);
    const moved: MovedRun[] = [];
    for (const run of free) {
      const contact = run.contact_id === null ? null : contacts.get(run.contact_id);
      const known: Known = {
        ...{ ...workspace, seed: Number(run.seed), contact: contact?.contact ?? {} },
        contactZone: contact?.contactZone ?? workspace.workspaceZone,
      };
      const flow = run.version_key === null ? undefined : flows.get(run.version_key);
      const given: RunInput[] = failing
        ? [{ kind: 'fail', code: failing }]
        : run.contact_id !== null && contact === undefined
          ? [{ kind: 'cancel', code: 'contact_gone' }]
          : [
              ...(run.state.visit === 0 ? [{ kind: 'start' } as const] : []),
              ...(inputs.get(run.id) ?? []).map(({ input }) => input),
              { kind: 'time' },
            ];
      if (flow) moved.push(await moveRun(host, transaction, { run, flow, known, given, now }));
    }
    const read = [...inputs.values()].flatMap((all) => all.map(({ id }) => id));
    await writeRuns(transaction, { runs: moved, inputs: read, now, newId: host.newId });
    await noteEnds(host, transaction, moved);
  });
}

/** A run that goes round and round pauses its flow. What a step ends as failed on purpose is no failure that anybody is told of. */
async function noteEnds<Scope extends SqlQueries>(
  host: FlowHost<Scope>,
  transaction: FlowTransaction<Scope>,
  moved: readonly MovedRun[],
): Promise<void> {
  const failed = moved.flatMap(({ run, state: { end } }) =>
    end?.outcome === 'failed' && end.code !== 'stopped' && !run.is_test
      ? [{ flowId: run.flow_id, runId: run.id, code: end.code ?? 'internal' }]
      : [],
  );
  for (const { flowId, runId, code } of failed)
    if (code === 'steps_per_run') await host.pauseFlow(transaction, { flowId, reason: code, runId });
  if (failed.length > 0) await host.noteFailures?.(transaction, failed);
}

/** The contacts that somebody else holds just now. */
async function lockContacts(
  transaction: SqlQueries & { workspaceId: string },
  runIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await transaction.query<{ id: string; is_locked: boolean }>(
    `WITH wanted AS (SELECT DISTINCT contact_id AS id FROM flow_runs WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND contact_id IS NOT NULL),
     locked AS (SELECT k.id FROM contacts k WHERE k.workspace_id = $1 AND k.id IN (SELECT id FROM wanted) ORDER BY k.id FOR NO KEY UPDATE SKIP LOCKED)
     SELECT k.id, EXISTS (SELECT FROM locked l WHERE l.id = k.id) AS is_locked FROM contacts k
      WHERE k.workspace_id = $1 AND k.id IN (SELECT id FROM wanted)`,
    [transaction.workspaceId, runIds],
  );
  return new Set(rows.filter(({ is_locked: isLocked }) => !isLocked).map(({ id }) => id));
}

async function putBack(
  transaction: SqlQueries & { workspaceId: string },
  runs: readonly ClaimedRun[],
  now: number,
): Promise<void> {
  if (runs.length === 0) return;
  await transaction.query(
    `UPDATE flow_runs SET owner = NULL, lease_until = NULL, attempt = greatest(attempt - 1, 0), due_at = $3
      WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
    [transaction.workspaceId, runs.map(({ id }) => id), new Date(now + HELD_MS)],
  );
}

/**
 * Contents of versions by their keys. A version never changes, so a process reads each once, as long as it does not see too many. The key names the row
 * as well (`xmin`): an archive that is read in, or a test of a draft, may bring another version under the same number.
 */
export type KnownVersions = Map<string, FlowFile>;
const MOST_KNOWN = 200;

async function readVersions(
  transaction: SqlQueries & { workspaceId: string },
  runs: readonly ClaimedRun[],
  known: KnownVersions,
): Promise<ReadonlyMap<string, FlowFile>> {
  const keys = [...new Set(runs.flatMap(({ version_key: key }) => key ?? []))];
  const missing = keys.filter((key) => !known.has(key));
  if (missing.length === 0) return known;
  if (known.size + missing.length > MOST_KNOWN) known.clear();
  const wanted = runs.filter(({ version_key: key }) => key !== null && !known.has(key));
  const { rows } = await transaction.query<{ key: string; content: FlowFile }>(
    `SELECT v.flow_id || '/' || v.number || '/' || v.xmin AS key, v.content FROM flow_versions v
      WHERE v.workspace_id = $1 AND (v.flow_id, v.number) IN (SELECT * FROM unnest($2::uuid[], $3::integer[]))`,
    [transaction.workspaceId, wanted.map(({ flow_id: id }) => id), wanted.map(({ version }) => version)],
  );
  for (const { key, content } of rows) known.set(key, content);
  return known;
}

async function readInputs(
  transaction: SqlQueries & { workspaceId: string },
  runs: readonly ClaimedRun[],
): Promise<Map<string, OpenInput[]>> {
  const { rows } = await transaction.query<OpenInput>(
    `SELECT id, run_id, input FROM flow_inputs WHERE workspace_id = $1 AND run_id = ANY ($2::uuid[]) AND is_open ORDER BY id`,
    [transaction.workspaceId, runs.map(({ id }) => id)],
  );
  return Map.groupBy(rows, ({ run_id: id }) => id);
}

const GOAL: RunInput = { kind: 'goal' };

/** One run through all that came for it, and through the effects that are done at once. */
async function moveRun<Scope extends SqlQueries>(
  host: FlowHost<Scope>,
  transaction: FlowTransaction<Scope>,
  {
    run,
    flow,
    known,
    given,
    now,
  }: { run: ClaimedRun; flow: FlowFile; known: Known; given: readonly RunInput[]; now: number },
): Promise<MovedRun> {
  let { state } = run;
  const log: LogEntry[] = [];
  const open: MovedRun['effects'] = [];
  const waiting = [...given];
  const { goal } = flow.settings;
  const isAtGoal = async () =>
    goal !== null &&
    run.contact_id !== null &&
    (await host.isGoalReached?.(transaction, { contactId: run.contact_id, goal })) === true;
  const next = async () => {
    const input = waiting.shift();
    if (input !== undefined || state.end !== null) return input;
    // Before it waits: a contact who has the tag already gets no other.
    return (await isAtGoal()) ? GOAL : undefined;
  };
  for (let input = await next(); input !== undefined; input = await next()) {
    if (input.kind === 'time') input = (await findLateReply(host, transaction, run, state, now)) ?? input;
    const moved = advance(flow, state, input, known, now);
    ({ state } = moved);
    log.push(...moved.log);
    for (const effect of moved.effects) {
      if (!worksOnContactOnly(flow, effect) && (await isAtGoal())) {
        waiting.unshift(GOAL);
        continue;
      }
      const outcome = await doEffect(host, transaction, run, effect);
      if ('later' in outcome)
        open.push({
          ...{ ...effect, hash: hashOf(run, effect), messageId: outcome.later.messageId },
          stored: outcome.later.request ?? null,
        });
      else waiting.unshift({ kind: 'outcome', visit: effect.visit, number: effect.number, outcome });
    }
  }
  return { run, state, log, effects: open };
}

function worksOnContactOnly({ steps }: FlowFile, { stepId }: FlowEffect): boolean {
  const step = steps.find(({ id }) => id === stepId);
  return step !== undefined && findStepType(step.type)?.worksOnContactOnly === true;
}

async function doEffect<Scope extends SqlQueries>(
  { effects }: FlowHost<Scope>,
  transaction: FlowTransaction<Scope>,
  run: ClaimedRun,
  { visit, number, stepId, kind, request }: FlowEffect,
): ReturnType<FlowHost<Scope>['effects'][string]> {
  const acting: ActingRun = {
    ...{ runId: run.id, flowId: run.flow_id, flowName: run.flow_name, kind: run.kind, depth: run.depth },
  };
  const work = effects[kind];
  if (!work) return { status: 'failed', code: 'effect_unknown' };
  return work(transaction.as(acting), {
    ...{ key: effectKey(run.id, visit, number), visit, number, run: acting, contactId: run.contact_id },
    ...{ stepId, request, isTest: run.is_test },
  });
}

/** The same wherever the same run asks at the same place. */
export function effectKey(runId: string, visit: number, number: number): string {
  return `flow/${runId}/${visit}/${number}`;
}

/** Tells whether two requests under one key are the same, and nobody without the run what they were. */
function hashOf({ id }: ClaimedRun, { kind, request }: FlowEffect): string {
  return createHmac('sha256', id)
    .update(JSON.stringify([kind, request]))
    .digest('hex');
}

/** Runs of bots whose question has no time left while a message of the contact is stored and not decided about: the bot decides first what that is. */
async function findEarly<Scope extends SqlQueries>(
  host: FlowHost<Scope>,
  transaction: FlowTransaction<Scope>,
  { runs, inputs, now }: { runs: readonly ClaimedRun[]; inputs: Map<string, OpenInput[]>; now: number },
): Promise<Set<string>> {
  const over = runs.filter(({ id, kind, contact_id: contactId, state: { wait } }) => {
    const isOver = wait?.kind === 'reply' && wait.until !== null && wait.until <= now;
    return kind === 'bot' && isOver && contactId !== null && !inputs.has(id);
  });
  if (over.length === 0 || !host.findUndecided) return new Set();
  const undecided = await host.findUndecided(
    transaction,
    over.flatMap(({ contact_id: id }) => id ?? []),
  );
  return new Set(over.flatMap((run) => (undecided.has(run.contact_id ?? '') ? run.id : [])));
}

/** A message that was stored before the time-out wins, even where nobody has handed it on yet. */
async function findLateReply<Scope extends SqlQueries>(
  host: FlowHost<Scope>,
  transaction: FlowTransaction<Scope>,
  { contact_id: contactId, kind }: ClaimedRun,
  { wait }: RunState,
  now: number,
): Promise<RunInput | null> {
  // The bot decides what a message is (`findEarly`).
  if (kind === 'bot') return null;
  if (wait?.kind !== 'reply' || contactId === null || wait.until === null || wait.until > now) return null;
  return host.findReply(transaction, { contactId, since: new Date(wait.since) });
}
