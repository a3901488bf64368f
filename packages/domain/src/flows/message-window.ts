import { isDuration } from './field.ts';
import { durationMs, type FlowFile, type FlowStep, type Json } from './flow-file.ts';
import { textOf } from './step-type.ts';

const HOUR_MS = 60 * 60_000;
/** The next time of day is at most a day away. Counted as a little less: a message of an evening is answered the next morning. */
const TIME_OF_DAY_MS = 23 * HOUR_MS;
/** How often a step of a circle is looked at. More hours come with each round, so after that the window is closed. */
const MOST_LOOKS = 100;

export type WindowRisk = {
  stepId: string;
  /** `no_message`: a trigger starts the run without a message of the contact. `too_late`: there was one, and the steps before this one wait too long. */
  reason: 'no_message' | 'too_late';
};

/**
 * Steps that send a text of their own, and may do so when the channel delivers only templates, as the contact wrote no message in the last hours.
 * A step whose exit `failed` leads somewhere is left out: the flow handles the failure.
 * `freeTextHours` answers for a channel (null: the one that the run uses) how long free text is delivered after a message, in hours; null for no limit.
 */
export function findWindowRisks(
  { kind, triggers, start, steps }: FlowFile,
  freeTextHours: (channelId: string | null) => number | null,
): WindowRisk[] {
  // The bot answers messages, and asks again.
  if (kind !== 'workflow' || start === null || triggers.length === 0) return [];
  const known = new Map(steps.map((step) => [step.id, step]));
  const isAfterMessage = triggers.every(
    ({ type, config }) =>
      type === 'message_received' || (type === 'form_submission' && config['source'] === 'chat'),
  );
  /** The longest time since the last message of the contact, in milliseconds, with which each step may begin. */
  const since = new Map<string, number>();
  const looks = new Map<string, number>();
  const open: [id: string, ms: number][] = [[start, isAfterMessage ? 0 : Infinity]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [id, ms] = next;
    const step = known.get(id);
    if (!step || (since.get(id) ?? -1) >= ms) continue;
    const n = (looks.get(id) ?? 0) + 1;
    looks.set(id, n);
    since.set(id, n > MOST_LOOKS ? Number.MAX_VALUE : ms);
    const began = since.get(id)! + delayOf(step); // set above
    for (const [exit, target] of Object.entries(step.next))
      if (target !== null) open.push([target, sinceAfter(step, exit, began)]);
  }
  return steps.flatMap((step): WindowRisk[] => {
    const { id, type, config, next } = step;
    const ms = since.get(id);
    if (type !== 'send_message' || config['content'] !== 'text' || ms === undefined || next['failed'])
      return [];
    const hours = freeTextHours(textOf(config, 'channel') || null);
    if (hours === null || ms + delayOf(step) < hours * HOUR_MS) return [];
    return [{ stepId: id, reason: ms === Infinity ? 'no_message' : 'too_late' }];
  });
}

function delayOf({ delay }: FlowStep): number {
  return delay !== null && isDuration(delay) ? durationMs(delay) : 0;
}

function sinceAfter({ type, config }: FlowStep, exit: string, began: number): number {
  // A draft may be incomplete.
  const lasts = (value: Json | undefined) => (isDuration(value) ? durationMs(value) : 0);
  switch (type) {
    case 'wait':
      if (config['mode'] === 'duration') return began + lasts(config['duration']);
      // A date, or one of some weekdays, may be days away.
      return config['mode'] === 'time_of_day' && isEveryDay(config['weekdays'])
        ? began + TIME_OF_DAY_MS
        : Math.max(began, Number.MAX_VALUE);
    case 'wait_for_reply':
      return exit === 'replied' ? 0 : began + lasts(config['timeout']);
    case 'wait_for_event': {
      const isMessage = (config['event'] as { type?: unknown } | null)?.type === 'message_received';
      return exit === 'happened' && isMessage ? 0 : began + lasts(config['timeout']);
    }
    default:
      return began;
  }
}

function isEveryDay(weekdays: Json | undefined): boolean {
  return !Array.isArray(weekdays) || weekdays.length === 0 || weekdays.length === 7;
}
