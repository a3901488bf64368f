import { keepListening, type Listening } from '@app/database/keep-listening';
import { databaseTrouble } from '@app/database/query-error';
import type { SqlQueries } from '@app/database/sql-queries';
import { FIRST_BATCH, nextBatchSize, SMALLEST_BATCH } from './batch-size.ts';
import { claimRuns } from './claim-runs.ts';
import { createRest, type Rest } from './engine-rest.ts';
import { runClasses, type FlowHost } from './flow-host.ts';
import { flowsWakeName } from './flow-inputs.ts';
import { findNextDue } from './next-due.ts';
import { moveRuns, type KnownVersions } from './move-runs.ts';
import { findDueStarts, startRuns } from './start-runs.ts';

/** So long an engine with nothing to do rests at most: a notification may be lost, and a process that died leaves runs behind. */
const POLL_MS = 5_000;
/** What falls due in between, such as starts that are spread, is done together. What others hold just now is looked for again then. */
const LEAST_REST_MS = 1_000;
/** After so many tries a run has failed, visibly. */
const MOST_ATTEMPTS = 3;
const RETRY_MS = 2_000;

export type FlowEngine = {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Does all that is due now, once. */
  drain(): Promise<void>;
};

/** Starts and moves runs of flows. Run it in as many processes as wanted: they share the work through the database. */
export function createFlowEngine<Scope extends SqlQueries>(host: FlowHost<Scope>): FlowEngine {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rest = createRest(signal);
  const engine: Engine<Scope> = { host, versions: new Map(), batchSize: FIRST_BATCH, signal, rest };
  const { writingNotice: writing } = host;
  let listening: Listening | undefined;
  let running: Promise<void> | undefined;
  let mustLookAgain = false;
  let timer: NodeJS.Timeout | undefined;

  const drain = () => goOn(engine);
  const findNext = () => findNextDue(host.systemPool, host.now());
  /** Does what is due, and answers with how long nothing else is. An engine that rests asks one query each time. */
  async function workOnce(isWoken: boolean): Promise<number | null> {
    const first = isWoken ? 0 : await findNext();
    if (first !== 0) return first;
    await drain();
    return findNext();
  }
  const look = (isWoken = true): void => {
    if (signal.aborted) return;
    if (running) {
      mustLookAgain ||= isWoken;
      return;
    }
    clearTimeout(timer);
    mustLookAgain = false;
    running = workOnce(isWoken)
      .catch((error: unknown) => {
        if (!signal.aborted) host.logger.warn({ err: error }, 'flows could not go on for a moment');
        return LEAST_REST_MS;
      })
      .then((next) => {
        running = undefined;
        const restMs = Math.min(Math.max(next ?? POLL_MS, LEAST_REST_MS), POLL_MS);
        if (mustLookAgain) look();
        else if (!signal.aborted) timer = setTimeout(() => look(false), restMs);
      });
  };
  return {
    drain,
    async start() {
      listening = await keepListening({
        pool: host.systemPool,
        channels: [flowsWakeName, ...(writing ? [writing.channel] : [])],
        onNotification: (channel, payload) => {
          if (channel !== flowsWakeName) {
            if (payload === writing?.payload) rest.personIsNear();
            return;
          }
          if (Number(payload) === runClasses.person) rest.personCame();
          look();
        },
        onGap: () => look(),
        onTrouble: (err) => host.logger.warn({ err }, 'flows cannot be woken, and look by themselves'),
      });
      look();
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await listening?.close();
      await running;
    },
  };
}

type Engine<Scope extends SqlQueries> = {
  host: FlowHost<Scope>;
  versions: KnownVersions;
  /** How many runs are claimed at once. */
  batchSize: number;
  signal: AbortSignal;
  rest: Rest;
};

/** Workspaces that had their turn, and those whose starts another process holds just now: they are looked for again a moment later. */
type Turns = { starting: string[]; held: string[]; moving: string[] };

/** While runs move, what the clock begins is looked for so often. */
const MAKE_EVERY_MS = 1_000;

/**
 * Some starts and some runs in turns, until nothing is due. So a message or an event of one workspace begins its run after one batch, also while a
 * million runs of another one are due, and the other way round.
 */
async function goOn<Scope extends SqlQueries>(engine: Engine<Scope>): Promise<void> {
  const turns: Turns = { starting: [], held: [], moving: [] };
  let madeAt = -Infinity;
  let isMaking = false;
  while (!engine.signal.aborted) {
    const beganAt = performance.now();
    if (isMaking || performance.now() - madeAt >= MAKE_EVERY_MS) {
      isMaking = (await engine.host.makeStarts?.(engine.signal)) === true;
      madeAt = performance.now();
    }
    const started = await startSome(engine, turns);
    const moved = await moveSome(engine, turns);
    if (!isMaking && started === null && moved === null) return;
    // Replies, answers of bots and campaigns have the machine meanwhile.
    if (started === runClasses.person || moved === runClasses.person) engine.rest.personIsNear();
    else await engine.rest.after(performance.now() - beganAt);
  }
}

/** Makes runs of some starts of one workspace; those in which people wait, and those without a turn, come first. Answers with their class, if any was due. */
async function startSome<Scope extends SqlQueries>(
  { host }: Engine<Scope>,
  turns: Turns,
): Promise<number | null> {
  const due = await findDueStarts(host.systemPool, {
    ...{ now: host.now(), served: turns.starting, held: turns.held },
  });
  if (!due) return null;
  turns.starting = due.wasServed ? [due.workspaceId] : [...turns.starting, due.workspaceId];
  if ((await startRuns(host, due)) === 0) turns.held.push(due.workspaceId);
  return due.class;
}

/** Moves a batch of one workspace. Answers with the class of its runs, if any was due. */
async function moveSome<Scope extends SqlQueries>(
  engine: Engine<Scope>,
  turns: Turns,
): Promise<number | null> {
  const { host } = engine;
  const beganAt = performance.now();
  const claim = await claimRuns(host.systemPool, {
    ...{
      ownerId: host.ownerId,
      now: host.now(),
      atOnce: engine.rest.isNearPeople() ? SMALLEST_BATCH : engine.batchSize,
      served: turns.moving,
    },
  });
  // What others hold just now is looked for again a moment later.
  if (!claim || (claim.wasServed && claim.runs.length === 0)) return null;
  turns.moving = claim.wasServed ? [claim.workspaceId] : [...turns.moving, claim.workspaceId];
  await moveClaimed(engine, claim.workspaceId, claim.runs);
  const took = { moved: claim.runs.length, ms: performance.now() - beganAt };
  engine.batchSize = nextBatchSize(engine.batchSize, took);
  return claim.class;
}

/** Together; where that fails each alone, so that one bad run takes none along. */
async function moveClaimed<Scope extends SqlQueries>(
  engine: Engine<Scope>,
  workspaceId: string,
  runs: readonly { id: string; attempt: number }[],
): Promise<void> {
  const { host, versions } = engine;
  const [only, ...others] = runs;
  if (!only) return;
  try {
    const isGivenUp = others.length === 0 && only.attempt > MOST_ATTEMPTS;
    const runIds = runs.map(({ id }) => id);
    await moveRuns(host, { workspaceId, runIds, versions, ...(isGivenUp && { failing: 'internal' }) });
  } catch (error) {
    if (databaseTrouble(error) !== undefined) throw error;
    if (others.length > 0) {
      for (const run of runs) await moveClaimed(engine, workspaceId, [run]);
      return;
    }
    host.logger.error(
      { err: error, workspaceId, runId: only.id, attempt: only.attempt },
      'a run of a flow failed',
    );
    await host.systemPool.query(
      'UPDATE flow_runs SET owner = NULL, lease_until = NULL, due_at = $2 WHERE id = $1 AND owner = $3',
      [only.id, new Date(host.now() + RETRY_MS), host.ownerId],
    );
  }
}
