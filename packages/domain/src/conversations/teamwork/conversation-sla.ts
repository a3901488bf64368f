import { addBusinessTime, businessTimeBetween, type BusinessHours } from './business-time.ts';
import type { ConversationStatus } from '../conversation-status.ts';
import type { Targets } from '../inbox-settings.ts';

/** How long people wait since they last opened a conversation. Times in milliseconds. */
export type ConversationSla = {
  /** The message that opened it; null where nobody wrote. */
  begunAt: number | null;
  firstAnswerDueAt: number | null;
  firstAnswerSoonAt: number | null;
  firstAnsweredAt: number | null;
  resolutionDueAt: number | null;
  resolutionSoonAt: number | null;
  /** The target that the resolution runs by. */
  resolutionMinutes: number | null;
  /** Business time until the resolution is due, kept while the conversation waits for the customer, is put aside or over. */
  resolutionLeftMs: number | null;
  resolvedAt: number | null;
};

export type SlaRules = {
  targets: Targets;
  businessHours: BusinessHours | null;
};

export const dueKinds = ['first_answer', 'resolution'] as const;
export type DueKind = (typeof dueKinds)[number];
export type Due = { kind: DueKind; at: number; soonAt: number };

/** The last fifth of a target is when it is about to be missed. */
const SOON = 0.2;
const MINUTE_MS = 60_000;

/** What is due when, of a conversation that a message has just opened. */
export function beginSla(begunAt: number, { targets, businessHours }: SlaRules): ConversationSla {
  const dueAfter = (minutes: number | null, share: number) =>
    minutes === null ? null : addBusinessTime(businessHours, begunAt, minutes * MINUTE_MS * share);
  return {
    begunAt,
    firstAnswerDueAt: dueAfter(targets.firstAnswerMinutes, 1),
    firstAnswerSoonAt: dueAfter(targets.firstAnswerMinutes, 1 - SOON),
    firstAnsweredAt: null,
    resolutionDueAt: dueAfter(targets.resolutionMinutes, 1),
    resolutionSoonAt: dueAfter(targets.resolutionMinutes, 1 - SOON),
    resolutionMinutes: targets.resolutionMinutes,
    ...{ resolutionLeftMs: null, resolvedAt: null },
  };
}

/**
 * The clock after a change of status. The time to a resolution stands still while nothing can be done; that to the first answer never does,
 * for whoever wrote waits. What was missed stays missed.
 */
export function turnSla(
  clock: ConversationSla,
  status: ConversationStatus,
  { rules: { businessHours }, now }: { rules: SlaRules; now: number },
): ConversationSla {
  if (clock.begunAt === null) return clock;
  const { resolutionDueAt: dueAt, resolutionLeftMs: left } = clock;
  const resolvedAt = status === 'resolved' ? (clock.resolvedAt ?? now) : null;
  if (status !== 'open')
    return {
      ...clock,
      resolvedAt,
      resolutionLeftMs:
        dueAt !== null && dueAt > now ? (left ?? businessTimeBetween(businessHours, now, dueAt)) : left,
    };
  if (left === null) return { ...clock, resolvedAt };
  const whole = clock.resolutionMinutes === null ? left : clock.resolutionMinutes * MINUTE_MS;
  return {
    ...clock,
    resolvedAt,
    resolutionLeftMs: null,
    resolutionDueAt: addBusinessTime(businessHours, now, left),
    resolutionSoonAt: addBusinessTime(businessHours, now, Math.max(0, left - whole * SOON)),
  };
}

/**
 * The clock after a change of team or priority: it goes on by their targets, and what it ran so far counts. What was done or missed stays so,
 * and what is late by a new target is due now.
 */
export function aimSla(
  clock: ConversationSla,
  { rules, isPaused, now }: { rules: SlaRules; isPaused: boolean; now: number },
): ConversationSla {
  const { begunAt } = clock;
  if (begunAt === null || clock.resolvedAt !== null) return clock;
  const isOver = clock.firstAnsweredAt !== null || isPast(clock.firstAnswerDueAt, now);
  const { firstAnswerDueAt, firstAnswerSoonAt } = beginSla(begunAt, rules);
  const dueAt = firstAnswerDueAt === null ? null : Math.max(firstAnswerDueAt, now + 1);
  const answer = { firstAnswerDueAt: dueAt, firstAnswerSoonAt };
  return {
    ...clock,
    ...(isOver ? {} : answer),
    ...aimResolution({ ...clock, begunAt }, { rules, isPaused, now }),
  };
}

function aimResolution(
  clock: ConversationSla & { begunAt: number },
  { rules: { targets, businessHours }, isPaused, now }: { rules: SlaRules; isPaused: boolean; now: number },
): Partial<ConversationSla> {
  const { resolutionDueAt: due, resolutionLeftMs: left, resolutionMinutes: minutes } = clock;
  if (targets.resolutionMinutes === minutes || (left === null && isPast(due, now))) return {};
  if (targets.resolutionMinutes === null)
    return {
      ...{ resolutionDueAt: null, resolutionSoonAt: null },
      ...{ resolutionLeftMs: null, resolutionMinutes: null },
    };
  const whole = targets.resolutionMinutes * MINUTE_MS;
  // Of what had no target nobody kept when it stood still.
  const spent =
    due === null || minutes === null
      ? businessTimeBetween(businessHours, clock.begunAt, now)
      : minutes * MINUTE_MS - (left ?? businessTimeBetween(businessHours, now, due));
  const rest = Math.max(1, whole - spent);
  return {
    resolutionMinutes: targets.resolutionMinutes,
    resolutionLeftMs: isPaused ? rest : null,
    resolutionDueAt: addBusinessTime(businessHours, now, rest),
    resolutionSoonAt: addBusinessTime(businessHours, now, Math.max(0, rest - whole * SOON)),
  };
}

function isPast(at: number | null, now: number): boolean {
  return at !== null && at <= now;
}

/** All that is still to be done by a time, what is due first before the others. */
export function openDueTargets(clock: ConversationSla): Due[] {
  if (clock.resolvedAt !== null) return [];
  const { firstAnswerDueAt, firstAnswerSoonAt, resolutionDueAt, resolutionSoonAt } = clock;
  const dues: Due[] = [];
  if (clock.firstAnsweredAt === null && firstAnswerDueAt !== null)
    dues.push({ kind: 'first_answer', at: firstAnswerDueAt, soonAt: firstAnswerSoonAt ?? firstAnswerDueAt });
  if (clock.resolutionLeftMs === null && resolutionDueAt !== null)
    dues.push({ kind: 'resolution', at: resolutionDueAt, soonAt: resolutionSoonAt ?? resolutionDueAt });
  return dues.toSorted((one, other) => one.at - other.at);
}

/** When there is next something to tell: that a target is about to be missed, or that it is. */
export function nextNews(clock: ConversationSla, after: number): number | null {
  const times = openDueTargets(clock).flatMap(({ at, soonAt }) => [soonAt, at]);
  return times.filter((time) => time > after).toSorted((one, other) => one - other)[0] ?? null;
}

export type SlaNews = { kind: DueKind; is: 'soon' | 'missed'; at: number };

/** What is to be told that came to pass from `since` on until now: of each target the last, so that who was away hears once. */
export function newsBetween(
  clock: ConversationSla,
  { since, now }: { since: number; now: number },
): SlaNews[] {
  const isNews = (time: number) => time >= since && time <= now;
  return openDueTargets(clock).flatMap(({ kind, at, soonAt }): SlaNews[] => {
    if (isNews(at)) return [{ kind, is: 'missed', at }];
    return isNews(soonAt) && at > now ? [{ kind, is: 'soon', at }] : [];
  });
}
