import { advance } from '../flows/advance.ts';
import type { FlowFile, Json } from '../flows/flow-file.ts';
import {
  newRunState,
  type EffectOutcome,
  type FlowEffect,
  type Known,
  type LogEntry,
  type RunInput,
  type RunState,
} from '../flows/run-state.ts';
import { matchTrigger, triggersOf } from './bot-flow.ts';

/** What happened in a rehearsal, in its order. */
export type RehearsalEntry =
  | { kind: 'contact'; text: string }
  /** What the bot says: the request of the message. */
  | { kind: 'message'; stepId: string; request: FlowEffect['request'] }
  /** What a step would change or send; nothing of it is done. */
  | { kind: 'action'; stepId: string; effect: string; request: FlowEffect['request'] }
  | { kind: 'step'; log: LogEntry };

/** A flow that is played without a number: nothing is sent, and nothing is stored. */
export type Rehearsal = {
  flow: FlowFile;
  state: RunState;
  /** The clock of the rehearsal, in milliseconds: waits that are skipped move it. */
  now: number;
  known: Known;
  entries: readonly RehearsalEntry[];
  /** What only the world knows, such as the answer of a service: the tester says what comes of it. */
  asked: FlowEffect | null;
};

/** What can be said of the world without asking anybody. */
const SAID = 'send_message';
const ASKED: ReadonlySet<string> = new Set(['check_contact', 'webhook_call', 'ai_answer']);

/** Begins with the first message of a contact; null where no trigger has it. */
export function beginRehearsal(flow: FlowFile, known: Known, text: string, now: number): Rehearsal | null {
  const keyword = triggersOf(flow)
    .map((trigger) => matchTrigger(trigger, text))
    .find((found) => found !== null);
  if (keyword === undefined) return null;
  const trigger = { text, keyword, answer: '', message_id: 'test', channel_id: null };
  const rehearsal: Rehearsal = {
    ...{ flow, known, now, state: newRunState(trigger, now), asked: null },
    entries: [{ kind: 'contact', text }],
  };
  return move(rehearsal, { kind: 'start' });
}

/** The contact writes, or taps what has this id. */
export function replyInRehearsal(rehearsal: Rehearsal, text: string, button: string | null): Rehearsal {
  const entries: RehearsalEntry[] = [...rehearsal.entries, { kind: 'contact', text }];
  return move(
    { ...rehearsal, entries },
    { kind: 'reply', messageId: 'test', text, button, at: rehearsal.now },
  );
}

/** What the run waits for does not come: its time is over. */
export function skipInRehearsal(rehearsal: Rehearsal): Rehearsal {
  const { wait } = rehearsal.state;
  const now = Math.max(rehearsal.now, wait?.until ?? 0);
  return move({ ...rehearsal, now }, { kind: 'time' });
}

/** What comes of the effect that is asked. */
export function settleInRehearsal(rehearsal: Rehearsal, outcome: EffectOutcome): Rehearsal {
  const { asked } = rehearsal;
  if (!asked) return rehearsal;
  const { visit, number } = asked;
  return move({ ...rehearsal, asked: null }, { kind: 'outcome', visit, number, outcome });
}

function move(rehearsal: Rehearsal, first: RunInput): Rehearsal {
  const { flow, now } = rehearsal;
  // What a tester writes meanwhile leaves the question open.
  let { state, known, asked } = rehearsal;
  const entries = [...rehearsal.entries];
  const inputs = [first];
  for (let input = inputs.shift(); input !== undefined; input = inputs.shift()) {
    const moved = advance(flow, state, input, known, now);
    ({ state } = moved);
    entries.push(...moved.log.map((log): RehearsalEntry => ({ kind: 'step', log })));
    for (const effect of moved.effects) {
      if (ASKED.has(effect.kind)) {
        asked = effect;
        continue;
      }
      const { stepId, kind, request, visit, number } = effect;
      if (kind === SAID) entries.push({ kind: 'message', stepId, request });
      else entries.push({ kind: 'action', stepId, effect: kind, request });
      known = { ...known, contact: changed(known.contact, effect) };
      inputs.push({ kind: 'outcome', visit, number, outcome: { status: 'done' } });
    }
  }
  return { ...rehearsal, state, known, entries, asked };
}

/** Later texts may hold what the flow wrote to the contact. */
function changed(contact: Known['contact'], { kind, request }: FlowEffect): Known['contact'] {
  const { part, value } = request;
  return kind === 'set_field' && typeof part === 'string' ? { ...contact, [part]: value as Json } : contact;
}
