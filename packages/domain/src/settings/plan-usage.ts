import { plans, type PlanId } from '../landing/plans.ts';
import { usageLevel, type UsageLevel } from './budget.ts';

/** How much of one limit of a plan is used; `most` is null without a limit. */
export type PlanUse = { used: number; most: number | null; level: UsageLevel };

export const planIds = plans.map(({ id }) => id);

/** Of a word that was stored: the smallest plan stands for one that nobody knows. */
export function readPlan(stored: string): PlanId {
  return planIds.find((id) => id === stored) ?? 'starter';
}

/** What a workspace uses of its plan. It is shown and warned of. Only a sync of integrations holds contacts beyond it (`contact-room.ts`). */
export function usageOfPlan(
  planId: PlanId,
  used: { messages: number; contacts: number },
): { messages: PlanUse; contacts: PlanUse } {
  const plan = plans.find(({ id }) => id === planId);
  const useOf = (count: number, most: number | null): PlanUse => ({
    ...{ used: count, most },
    level: most === null ? 'fine' : usageLevel(count, most),
  });
  return {
    messages: useOf(used.messages, plan?.messages ?? null),
    contacts: useOf(used.contacts, plan?.contacts ?? null),
  };
}
