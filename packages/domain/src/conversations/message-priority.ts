import type { MessagePurpose } from './guard-message.ts';

/**
 * Who goes first when several messages wait for one sender: an agent's reply, then the answers of bots and programs to one person, then what flows
 * send to many. The order is the order in which the engine claims.
 */
export const messagePriorities = ['agent', 'bot', 'flow'] as const;
export type MessagePriority = (typeof messagePriorities)[number];

/** The priority of a message whose caller names none. */
export function defaultPriority(purpose: MessagePurpose, isPerson: boolean): MessagePriority {
  if (purpose === 'automation') return 'flow';
  return purpose === 'bot' || !isPerson ? 'bot' : 'agent';
}

/** As the database stores it: the lowest number goes first. */
export function priorityRank(priority: MessagePriority): number {
  return messagePriorities.indexOf(priority);
}

export function priorityOfRank(rank: number): MessagePriority {
  return messagePriorities[rank] ?? 'flow';
}

/** Whether the quiet hours of the workspace hold a message back until they end. They never hold an agent's reply, nor the answer of a bot. */
export function waitsInQuietHours({
  priority,
  isMarketing,
}: {
  priority: MessagePriority;
  isMarketing: boolean;
}): boolean {
  return priority === 'flow' || (isMarketing && priority !== 'agent');
}
