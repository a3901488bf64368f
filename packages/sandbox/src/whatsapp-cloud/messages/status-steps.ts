import type { Behaviour } from '../behaviour.ts';
import type { MagicEffect } from '../magic-numbers.ts';

export const SENT = 1;
export const DELIVERED = 2;
export const READ = 3;
export const PLAYED = 4;
export const FAILED = 5;
// State and a mark for "first status after sent", which alone carries the price besides `sent`.
export const PRICED = 8;

export interface StatusPlan {
  index: number;
  turn: number;
  recipient: string;
  effect: MagicEffect | undefined;
  /** 0: it does not fail. */
  failCode: number;
  isVoice: boolean;
}

/** `logicalDelay` is what the timestamp says when the webhook leaves out of order. */
export type Step = [kind: number, delay: number, logicalDelay?: number];

/** What becomes of a message, and when. */
export function stepsOf(plan: StatusPlan, behaviour: Behaviour, random: () => number): Step[] {
  const scale = behaviour.statusDelayMs === null ? 1 : behaviour.statusDelayMs / 500;
  const sentAt = (200 + random() * 600) * scale;
  const deliveredAt = sentAt + (500 + random() * 2500) * scale;
  const readAt = deliveredAt + (2000 + random() * 4000) * scale;
  const isDelivered = random() < behaviour.deliveredRate;
  const isRead = random() < behaviour.readRate;
  const pattern = plan.effect?.statuses;
  if (plan.failCode !== 0) return [[FAILED, sentAt]];
  if (pattern === 'none') return [];
  const sent: Step = [SENT + PRICED, sentAt];
  const delivered: Step = [DELIVERED + PRICED, deliveredAt];
  if (pattern === 'sent-only') return [sent];
  if (pattern === 'read-without-delivered') return [sent, [READ + PRICED, deliveredAt]];
  if (pattern === 'reversed-and-doubled') {
    const reversed: Step[] = [
      [READ, sentAt, readAt],
      [DELIVERED + PRICED, sentAt + 600 * scale, deliveredAt],
      [SENT + PRICED, sentAt + 1200 * scale, sentAt],
    ];
    return reversed.flatMap(([kind, delay, at = delay]): Step[] => [
      [kind, delay, at],
      [kind, delay + 300 * scale, at],
    ]);
  }
  const steps: Step[] = isDelivered || plan.effect ? [sent, delivered] : [sent];
  if (steps.length > 1 && isRead) {
    steps.push([READ, readAt]);
    if (plan.isVoice) steps.push([PLAYED, readAt + 1000 * scale]);
  }
  if (behaviour.reorder > 0 && random() < behaviour.reorder) {
    const delays = steps.map(([, delay]) => delay).reverse();
    return steps.map(([kind, delay], position) => [kind, delays[position] ?? 0, delay]);
  }
  return steps;
}

/** Fisher–Yates over (event, timestamp) pairs, for a share of them. */
export function shufflePairs(slot: number[], share: number): void {
  for (let i = slot.length - 2; i > 0; i -= 2) {
    if (Math.random() >= share) continue;
    const j = 2 * Math.floor((Math.random() * (i + 2)) / 2);
    for (const offset of [0, 1]) {
      const kept = slot[i + offset] ?? 0;
      slot[i + offset] = slot[j + offset] ?? 0;
      slot[j + offset] = kept;
    }
  }
}
