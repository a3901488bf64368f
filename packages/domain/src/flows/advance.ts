import { durationMs, type FlowFile, type FlowStep } from './flow-file.ts';
import { fillConfig } from './fill-config.ts';
import type { FlowValues } from './flow-values.ts';
import type {
  EffectOutcome,
  FlowEffect,
  Known,
  LogEntry,
  RunEnd,
  RunInput,
  RunState,
  RunWait,
} from './run-state.ts';
import type { StepMove, StepType, StepVisit } from './step-type.ts';
import { findStepType } from './step-types.ts';

/** More arrivals at steps than this end a run: it goes round and round. */
export const MOST_VISITS = 500;
/** An effect that says nothing of its time has an outcome within this, or nobody knows. */
const EFFECT_WAIT_MS = 10 * 60_000;

/** What one input makes of a run: its new state, what it asks of the world now, what it waits for, and what is to be logged. */
export type Advanced = {
  state: RunState;
  effects: readonly FlowEffect[];
  wait: RunWait | null;
  log: readonly LogEntry[];
};

/**
 * Moves a run by one input, as far as it goes without the world. Pure: the same arguments give the same answer, time and chance are among
 * them (`now` in milliseconds, `known.seed`). An input that is not for the run, such as the outcome of an earlier visit, changes nothing.
 * The run asks for at most one effect at a time and waits for its outcome.
 */
export function advance(
  flow: FlowFile,
  before: RunState,
  input: RunInput,
  known: Known,
  now: number,
): Advanced {
  const move = new Moving(flow, { ...before }, known, now);
  move.take(input);
  const { state, effects, log } = move;
  return { state, effects, wait: state.wait, log };
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** One call of `advance`: the state is its own copy. */
class Moving {
  readonly effects: FlowEffect[] = [];
  readonly log: LogEntry[] = [];
  readonly flow: FlowFile;
  readonly state: Writable<RunState>;
  readonly known: Known;
  readonly now: number;

  constructor(flow: FlowFile, state: Writable<RunState>, known: Known, now: number) {
    this.flow = flow;
    this.state = state;
    this.known = known;
    this.now = now;
  }

  take(input: RunInput): void {
    if (this.state.end) return this.ignore(input);
    switch (input.kind) {
      case 'start':
        return this.state.visit === 0 ? this.arrive(this.state.from ?? this.flow.start) : this.ignore(input);
      case 'cancel':
        return this.end({ outcome: 'cancelled', code: input.code });
      case 'fail':
        return this.end({ outcome: 'failed', code: input.code });
      case 'goal':
        return this.end({ outcome: 'completed', code: 'goal_reached' });
      default:
        return this.goOn(input);
    }
  }

  private goOn(input: RunInput): void {
    const { wait } = this.state;
    const step = this.flow.steps.find(({ id }) => id === this.state.at);
    const type = step && findStepType(step.type);
    if (!wait) return this.ignore(input);
    const isOfEarlierVisit =
      input.kind === 'skip' && input.visit !== undefined && input.visit !== this.state.visit;
    if (isOfEarlierVisit) return this.ignore(input);
    // A version that the run was moved to may lack the step; a newer product may have saved a type that is unknown here.
    if (!step || !type) return this.end({ outcome: 'failed', code: 'step_gone' });
    if (!this.state.isDelayed) {
      const isOver = input.kind === 'skip' || (input.kind === 'time' && this.isDue(wait));
      return isOver ? this.enter(step, type) : this.ignore(input);
    }
    if (wait.kind === 'effect') return this.settle(step, type, wait, input);
    const isOfClock = wait.kind === 'time' && wait.since !== undefined;
    if (input.kind === 'time' && !isOfClock && !this.isDue(wait)) return this.ignore(input);
    if (input.kind === 'reply' && wait.kind !== 'reply') return this.ignore(input);
    if (input.kind === 'event' && wait.kind !== 'event') return this.ignore(input);
    if (input.kind === 'outcome') return this.hearMeanwhile(step, type, input);
    const move = type.resume?.(this.visitOf(step), input) ?? null;
    if (!move) return this.ignore(input);
    const isSkipped = input.kind === 'skip' && 'go' in move;
    this.apply(step, type, isSkipped ? { ...move, details: { ...move.details, isSkipped: true } } : move);
  }

  /** What became of an effect while the step waits for something else. */
  private hearMeanwhile(step: FlowStep, type: StepType, input: RunInput & { kind: 'outcome' }): void {
    if (input.visit !== this.state.visit) return this.ignore(input);
    const move = type.resume?.(this.visitOf(step), input) ?? null;
    if (move) this.apply(step, type, move);
  }

  private settle(step: FlowStep, type: StepType, wait: RunWait & { kind: 'effect' }, input: RunInput): void {
    const { visit } = this.state;
    if (input.kind === 'time' && this.isDue(wait))
      return this.settleAs(step, type, { status: 'unknown', code: 'no_outcome' });
    const isMine = input.kind === 'outcome' && input.visit === visit && input.number === wait.number;
    return isMine ? this.settleAs(step, type, input.outcome) : this.ignore(input);
  }

  private settleAs(step: FlowStep, type: StepType, outcome: EffectOutcome): void {
    const move = type.settle?.(this.visitOf(step), outcome) ?? null;
    if (move) return this.apply(step, type, move);
    if (outcome.status === 'done') {
      const { exit = type.exits(step.config)[0] ?? 'done', values = {} } = outcome;
      return this.leave(step, exit, { values, details: values });
    }
    const { code } = outcome;
    const details = outcome.status === 'unknown' ? { isUnknown: true } : (outcome.values ?? {});
    return this.fail(step, type, code, details);
  }

  /** By the way out for failures if a step stands behind it, else the run has failed. */
  private fail(step: FlowStep, type: StepType, code: string, details: LogEntry['details'] = {}): void {
    const hasWay = type.exits(step.config).includes('failed') && step.next['failed'];
    if (hasWay) return this.leave(step, 'failed', { values: { error: code }, code, details });
    this.note('failed', { exit: null, code, details });
    this.state.end = { outcome: 'failed', code };
    this.stop();
  }

  private arrive(stepId: string | null): void {
    const { state } = this;
    state.at = stepId;
    state.wait = null;
    if (stepId === null) return this.end({ outcome: 'completed', code: null });
    Object.assign(state, {
      ...{ visit: state.visit + 1, effects: 0, arrivedAt: this.now, isDelayed: false },
      ...{ enteredAt: undefined, memo: undefined },
    });
    const step = this.flow.steps.find(({ id }) => id === stepId);
    const type = step && findStepType(step.type);
    if (!step || !type) return this.end({ outcome: 'failed', code: 'step_gone' });
    if (state.visit > MOST_VISITS) return this.end({ outcome: 'failed', code: 'steps_per_run' });
    const delayMs = step.delay ? durationMs(step.delay) : 0;
    if (delayMs > 0) {
      state.wait = { kind: 'time', until: this.now + delayMs };
      return;
    }
    this.enter(step, type);
  }

  private enter(step: FlowStep, type: StepType): void {
    this.state.isDelayed = true;
    this.state.enteredAt = this.now;
    this.state.wait = null;
    if (type.needsContact && Object.keys(this.known.contact).length === 0)
      return this.fail(step, type, 'contact_missing');
    this.apply(step, type, type.enter(this.visitOf(step)));
  }

  private apply(step: FlowStep, type: StepType, move: StepMove): void {
    if ('go' in move)
      return this.leave(step, move.go, { values: move.values ?? {}, details: move.details ?? {} });
    if ('fail' in move) return this.fail(step, type, move.fail, move.details);
    if ('memo' in move) this.state.memo = move.memo;
    if ('wait' in move) {
      this.state.wait = move.wait;
      return;
    }
    if ('end' in move) return this.end({ outcome: move.end, code: move.code });
    this.state.effects += 1;
    const { visit, effects: number } = this.state;
    this.effects.push({ visit, number, stepId: step.id, kind: move.ask, request: move.request });
    this.state.wait = move.meanwhile ?? {
      ...{ kind: 'effect', number, until: this.now + (move.waitMs ?? EFFECT_WAIT_MS) },
    };
  }

  private leave(
    step: FlowStep,
    exit: string,
    {
      values = {},
      code = null,
      details = {},
    }: { values?: LogEntry['details']; code?: string | null; details?: LogEntry['details'] },
  ): void {
    if (Object.keys(values).length > 0) this.state.steps = { ...this.state.steps, [step.id]: values };
    this.note('left', { exit, code, details });
    this.arrive(step.next[exit] ?? null);
  }

  /** The step where the run stands is told with its end; a run that comes to the end of its flow has left the last one already. */
  private end(end: RunEnd): void {
    const isAtStep = this.state.at !== null;
    this.state.end = end;
    if (isAtStep || end.code !== null)
      this.note(end.outcome === 'failed' ? 'failed' : 'ended', { exit: null, code: end.code, details: {} });
    this.stop();
  }

  private stop(): void {
    this.state.wait = null;
    this.state.at = null;
  }

  private ignore(input: RunInput): void {
    if (input.kind === 'time') return;
    this.note('ignored', { exit: null, code: input.kind, details: {} });
  }

  private note(event: LogEntry['event'], rest: Pick<LogEntry, 'exit' | 'code' | 'details'>): void {
    const { at, visit, arrivedAt, enteredAt = arrivedAt } = this.state;
    const type = this.flow.steps.find(({ id }) => id === at)?.type ?? '';
    this.log.push({ visit, stepId: at, type, beganAt: enteredAt, endedAt: this.now, event, ...rest });
  }

  private isDue(wait: RunWait): boolean {
    return wait.until !== null && wait.until <= this.now;
  }

  private visitOf(step: FlowStep): StepVisit {
    const { state, known, now } = this;
    const values: FlowValues = {
      ...{ trigger: state.trigger, contact: known.contact, steps: state.steps, workspace: known.workspace },
    };
    return { step, config: fillConfig(step, values), state, values, known, now };
  }
}
