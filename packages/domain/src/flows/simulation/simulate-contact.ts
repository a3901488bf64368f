import { advance, type Advanced } from '../advance.ts';
import { beginsAnew } from '../begins-anew.ts';
import type { FlowFile, FlowStep } from '../flow-file.ts';
import { newRunState, type FlowEffect, type FlowEvent, type Known, type RunEnd } from '../run-state.ts';
import type { EffectOutcome, RunInput, RunState } from '../run-state.ts';
import { textOf } from '../step-type.ts';
import { findTriggerType } from '../trigger-types.ts';

/** A stored event of one contact. */
export type StoredEvent = FlowEvent & {
  /** Where something else than an event begins runs, such as the clock: the trigger that it begins. Null: triggers are compared with the event. */
  triggerId: string | null;
  /** Who answered the message before any workflow. */
  answeredBy: 'consent' | 'bot' | null;
  /** The fact that tells of it; tags that one edit added have the same one. Null where no fact does. */
  factId: number | null;
};

/** What a simulation knows of one contact in one flow. Times in milliseconds. */
export type SimulatedContact = {
  known: Known;
  /** In the order of their times. */
  events: readonly StoredEvent[];
  /** Whether the contact had entered the flow before the first event. */
  hasEntered: boolean;
  /** The end of a real run that was in progress before the first event; null for none. */
  busyUntil: number | null;
  /** Whether the contact meets the conditions of a trigger, or the rules of a step, by the id of it. */
  meets(id: string): boolean;
  /** What a call of the step brought lately; nothing where there was none. */
  sampleOf(stepId: string): EffectOutcome & { status: 'done' };
  /** Up to when events are known. */
  knownUntil: number;
};

export type SimulatedMessage = {
  stepId: string;
  /** The id of the template, or the text as it is written in the step. */
  templateId: string | null;
  text: string | null;
  /** All that was asked for, with the values of the contact. */
  request: string;
  at: number;
};

export type SimulatedRun = {
  triggerId: string;
  at: number;
  path: { stepId: string; type: string; exit: string | null; code: string | null }[];
  messages: SimulatedMessage[];
  end: RunEnd | null;
  /** Where nobody can know how it goes on: it waits for something after the last known event, or goes on for too long. */
  unknown: { stepId: string | null; why: 'reply' | 'event' | 'too_long' } | null;
};

export type Simulated = { runs: SimulatedRun[]; refused: string[] };

type FlowTrigger = FlowFile['triggers'][number];

/** More arrivals at steps than these tell nothing more. */
const MOST_VISITS = 100;

/**
 * What one contact would have done in a flow: the core of the engine with a clock of its own. Nothing is sent and nothing is changed: messages and
 * changes count as done at once, calls bring what they brought lately. A wait for a reply or an event gets the stored one.
 */
export function simulateContact(flow: FlowFile, contact: SimulatedContact): Simulated {
  const open: Simulating[] = [];
  const refused: string[] = [];
  const begun = new Set<string>();
  let { hasEntered } = contact;
  const isInside = (at: number) =>
    (contact.busyUntil !== null && contact.busyUntil > at) || open.some((run) => !run.isOver());
  for (const event of contact.events) {
    for (const run of open) run.elapse(event.at);
    const isTaken = handOn(flow, open, event);
    const trigger = takeTrigger(flow, event, begun);
    if (!trigger) continue;
    const reason = refuse(flow, {
      ...{ event, isTaken, hasEntered, isInside: isInside(event.at) },
      meetsConditions: trigger.conditions === null || contact.meets(trigger.id),
    });
    if (reason !== null) {
      refused.push(reason);
      continue;
    }
    hasEntered = true;
    open.push(new Simulating(flow, contact, trigger.id, event));
  }
  for (const run of open) run.finish(contact.knownUntil);
  return { runs: open.map((run) => run.told()), refused };
}

/** Whether the event begins a run of the flow, by this trigger. */
export function findTrigger(flow: FlowFile, event: StoredEvent): FlowTrigger | undefined {
  return flow.triggers.find((trigger) => beginsWith(trigger, event));
}

function beginsWith({ id, type, config }: FlowTrigger, event: StoredEvent): boolean {
  return event.triggerId === null
    ? type === event.type && findTriggerType(type)?.matches(config, event.values) === true
    : id === event.triggerId;
}

/** The first trigger that the event begins a run of. */
function takeTrigger(flow: FlowFile, event: StoredEvent, begun: Set<string>): FlowTrigger | undefined {
  const editOf = (trigger: FlowTrigger) => (event.factId === null ? null : `${event.factId}/${trigger.id}`);
  return flow.triggers
    .filter((trigger) => beginsWith(trigger, event))
    .filter((trigger) => beginsAnew(begun, { type: event.type, edit: editOf(trigger) }))[0];
}

function refuse(
  { settings, steps }: FlowFile,
  asked: {
    event: StoredEvent;
    isTaken: boolean;
    hasEntered: boolean;
    isInside: boolean;
    meetsConditions: boolean;
  },
): string | null {
  const { event, isTaken, hasEntered, isInside, meetsConditions } = asked;
  const isMessage = typeof event.values['message_id'] === 'string';
  if (isMessage && steps.some(({ type }) => type === 'send_message')) {
    if (event.answeredBy !== null) return `answered_by_${event.answeredBy}`;
    if (isTaken) return 'answered_by_run';
  }
  if (!meetsConditions) return 'conditions_not_met';
  if (settings.reentry === 'once' && hasEntered) return 'entered_before';
  return settings.reentry === 'one_at_a_time' && isInside ? 'in_progress' : null;
}

/** To the runs that wait for it; answers whether one took it as a reply. */
function handOn({ settings: { goal } }: FlowFile, open: readonly Simulating[], event: StoredEvent): boolean {
  const { type, values, at } = event;
  if (event.triggerId !== null) return false;
  const isGoal = goal?.type === type && findTriggerType(type)?.matches(goal.config, values) === true;
  for (const run of open)
    if (isGoal) run.feed({ kind: 'goal' }, at);
    else if (run.waitsFor('event', at)) run.feed({ kind: 'event', event: { type, values, at } }, at);
  if (type !== 'message_received') return false;
  const replied = open
    .filter((run) => run.waitsFor('reply', at))
    .toSorted((one, other) => other.state.arrivedAt - one.state.arrivedAt)[0];
  const { text, button, message_id: messageId } = values;
  replied?.feed(
    {
      ...{ kind: 'reply', at, messageId: typeof messageId === 'string' ? messageId : '' },
      ...{ text: typeof text === 'string' ? text : '', button: typeof button === 'string' ? button : null },
    },
    at,
  );
  return replied !== undefined;
}

/** One run with its own clock. */
class Simulating {
  state: RunState;
  readonly flow: FlowFile;
  readonly contact: SimulatedContact;
  readonly run: SimulatedRun;

  constructor(flow: FlowFile, contact: SimulatedContact, triggerId: string, { values, at }: StoredEvent) {
    this.flow = flow;
    this.contact = contact;
    this.state = newRunState(values, at);
    this.run = { triggerId, at, path: [], messages: [], end: null, unknown: null };
    this.feed({ kind: 'start' }, at);
  }

  isOver(): boolean {
    return this.state.end !== null || this.run.unknown !== null;
  }

  told(): SimulatedRun {
    return { ...this.run, end: this.state.end };
  }

  waitsFor(kind: 'reply' | 'event', at: number): boolean {
    const { wait } = this.state;
    return !this.isOver() && wait?.kind === kind && this.state.isDelayed && wait.since <= at;
  }

  feed(input: RunInput, now: number): void {
    if (this.isOver()) return;
    const waiting = [input];
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const moved: Advanced = advance(this.flow, this.state, next, this.contact.known, now);
      this.state = moved.state;
      for (const { stepId, type, event, exit, code } of moved.log)
        if (stepId !== null && event !== 'ignored') this.run.path.push({ stepId, type, exit, code });
      for (const effect of moved.effects)
        waiting.push({
          ...{ kind: 'outcome', visit: effect.visit, number: effect.number },
          outcome: this.outcomeOf(effect, now),
        });
    }
    if (this.state.visit > MOST_VISITS && !this.state.end)
      this.run.unknown = { stepId: this.state.at, why: 'too_long' };
  }

  /** What falls due until then, in its order. */
  elapse(until: number): void {
    for (;;) {
      const { wait } = this.state;
      if (this.isOver() || wait === null || wait.until === null || wait.until > until) return;
      this.feed({ kind: 'time' }, wait.until);
    }
  }

  /** To its end, or as far as anybody can know: what is only a matter of time comes, also after the last known event. */
  finish(knownUntil: number): void {
    for (;;) {
      const { wait, at } = this.state;
      if (this.isOver() || wait === null) return;
      const isForOthers = wait.kind === 'reply' || wait.kind === 'event';
      if (isForOthers && (wait.until === null || wait.until > knownUntil)) {
        this.run.unknown = { stepId: at, why: wait.kind };
        return;
      }
      if (wait.until === null) return;
      this.feed({ kind: 'time' }, wait.until);
    }
  }

  private outcomeOf({ stepId, kind, request }: FlowEffect, at: number): EffectOutcome {
    if (kind === 'check_contact') return { status: 'done', exit: this.contact.meets(stepId) ? 'yes' : 'no' };
    if (kind === 'webhook_call') return this.contact.sampleOf(stepId);
    if (kind === 'send_message') {
      const step = this.flow.steps.find(({ id }) => id === stepId);
      this.run.messages.push({ stepId, at, request: JSON.stringify(request), ...contentOf(step) });
      return { status: 'done', values: { message_id: null } };
    }
    return { status: 'done' };
  }
}

/** As the step has it, without the values of a contact: what it sends to everybody is one message. */
function contentOf(step: FlowStep | undefined): { templateId: string | null; text: string | null } {
  const config = step?.config ?? {};
  return textOf(config, 'content') === 'text'
    ? { templateId: null, text: textOf(config, 'text') }
    : { templateId: textOf(config, 'template') || null, text: null };
}
