import type { SqlQueries } from '@app/database/sql-queries';
import type { FlowGoal } from '@app/domain/flows/flow-file';
import type { SegmentRules } from '@app/domain/segments/segment-rules';
import type { EffectOutcome, Known, RunInput } from '@app/domain/flows/run-state';
import type pg from 'pg';

/** In whose name a run acts: facts, messages and jobs of it name its flow as the actor and the run as the cause. */
export type ActingRun = {
  runId: string;
  flowId: string;
  flowName: string;
  kind: 'workflow' | 'bot';
  /** How many facts and runs led to it. */
  depth: number;
};

/** One transaction in one workspace; `as` gives the scope in which the effects of a run change something. */
export type FlowTransaction<Scope extends SqlQueries> = SqlQueries & {
  readonly workspaceId: string;
  as(run: ActingRun): Scope;
};

/** One effect as it is to be done now. `key` is the same whenever the same run asks at the same place. */
export type AskedEffect = {
  key: string;
  visit: number;
  number: number;
  run: ActingRun;
  contactId: string | null;
  stepId: string;
  request: Readonly<Record<string, unknown>>;
  isTest: boolean;
};

/**
 * Does an effect in the open transaction, or enqueues it there. `later`: its outcome comes as an input of the run (`addInputs`), by the message or
 * by the key; a `request` is stored with the effect for the job that does it. What it throws rolls the step back, and it is tried again.
 */
export type RunEffect<Scope extends SqlQueries> = (
  scope: Scope,
  asked: AskedEffect,
) => Promise<
  EffectOutcome | { later: { messageId: string | null; request?: Readonly<Record<string, unknown>> } }
>;

/** What the feature above hands in: the engine knows the database, and nothing of contacts, messages or calls. */
export type FlowHost<Scope extends SqlQueries> = {
  /** Connections of system scope; one listens all the time. */
  systemPool: pg.Pool;
  /** The notification of the database that tells of a person who writes here, such as an agent: the engine makes room for what they wait for. */
  writingNotice?: { channel: string; payload: string };
  inWorkspace<Result>(
    workspaceId: string,
    work: (transaction: FlowTransaction<Scope>) => Promise<Result>,
  ): Promise<Result>;
  effects: Readonly<Record<string, RunEffect<Scope>>>;
  /** Writes the starts that no fact begins: those of the clock, and some of each start for many contacts. Answers whether there are more of these. */
  makeStarts?(signal: AbortSignal): Promise<boolean>;
  /** Which of these contacts meet the rules now. */
  findMeeting(
    transaction: FlowTransaction<Scope>,
    contactIds: readonly string[],
    rules: SegmentRules,
  ): Promise<Set<string>>;
  /** What runs know of their contacts, by the ids of those that are there. */
  readContacts(
    transaction: FlowTransaction<Scope>,
    contactIds: readonly string[],
  ): Promise<Map<string, Pick<Known, 'contact' | 'contactZone'>>>;
  readWorkspace(transaction: FlowTransaction<Scope>): Promise<Pick<Known, 'workspace' | 'workspaceZone'>>;
  /** Of starts by a message: why a workflow must not answer it, by the id of the start, or `later` where nobody knows yet. */
  findAnswered?(
    transaction: FlowTransaction<Scope>,
    starts: readonly StartToAnswer[],
  ): Promise<ReadonlyMap<string, string>>;
  /** The first message of the contact since a wait began that no consumer has handed on yet. */
  findReply(
    transaction: FlowTransaction<Scope>,
    of: { contactId: string; since: Date },
  ): Promise<(RunInput & { kind: 'reply' }) | null>;
  /** Contacts of runs of bots whose latest message the bot has not decided about yet: it may be the answer to a question whose time is over. */
  findUndecided?(
    transaction: FlowTransaction<Scope>,
    contactIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** Whether the contact is as a goal wants it, however that came about; false for goals that only an event reaches. */
  isGoalReached?(
    transaction: FlowTransaction<Scope>,
    of: { contactId: string; goal: FlowGoal },
  ): Promise<boolean>;
  /** A limit pauses a flow: told as a fact, in the same transaction. */
  pauseFlow(
    transaction: FlowTransaction<Scope>,
    paused: { flowId: string; reason: string; runId: string | null },
  ): Promise<void>;
  /** Whether so many messages of the flow wait to be sent that starts for many contacts wait, too. */
  hasManyQueued?(transaction: FlowTransaction<Scope>, flowId: string): Promise<boolean>;
  /** Runs that failed: their owners hear of it, in the same transaction. */
  noteFailures?(
    transaction: FlowTransaction<Scope>,
    failed: readonly { flowId: string; runId: string; code: string }[],
  ): Promise<void>;
  /** Milliseconds. */
  now(): number;
  /** A number from 0 to 2^32. */
  random(): number;
  newId(): string;
  logger: {
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  /** Different for each start of a process. */
  ownerId: string;
};

/** A contact that is about to enter a flow. */
export type StartToAnswer = {
  id: string;
  flowId: string;
  version: number;
  contactId: string | null;
  source: string;
  values: Readonly<Record<string, unknown>>;
  isTest: boolean;
  at: Date;
};

/** Who waits for a run decides when its turn comes: a person, one event, or one of many. */
export const runClasses = { person: 0, event: 1, bulk: 2 } as const;

/** The most urgent class first. */
export const classesInOrder = Object.values(runClasses).toSorted((one, other) => one - other);
