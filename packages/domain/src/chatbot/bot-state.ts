/** Where a bot conversation stands, apart from the status of the inbox: the bot answers, a person has to, or it is over. */
export const botStatuses = ['active', 'waiting', 'resolved'] as const;
export type BotStatus = (typeof botStatuses)[number];

/** Why a conversation was handed to people. */
export const handoffReasons = [
  'keyword',
  'asked',
  'fallback',
  'length',
  'loop',
  'flow',
  'taken_over',
] as const;
export type HandoffReason = (typeof handoffReasons)[number];

/** What the bot remembers of a conversation; times in milliseconds. */
export type BotState = {
  status: BotStatus;
  /** When this talk with the bot began, or was handed back. */
  since: number;
  /** Messages of both sides since then. */
  messages: number;
  /** Messages in a row that nothing matched. */
  unmatched: number;
  reason: HandoffReason | null;
  handedOverAt: number | null;
  /** When the bot last said that the business is closed. */
  closedSaidAt: number | null;
  /** When the message was written that got the last answer. */
  answeredWrittenAt: number | null;
  /** What people who take over have to know; null until it is written, and while the bot has the conversation. */
  handoff: HandoffSummary | null;
};

/** `question`: the last words of the customer. `text`: what a model wrote about the conversation, where one did. */
export type HandoffSummary = {
  question: string;
  intent: string | null;
  values: { name: string; value: string }[];
  text: string | null;
};

const HOUR_MS = 60 * 60_000;

export function newBotState(now: number): BotState {
  return {
    ...{ status: 'active', since: now, messages: 0, unmatched: 0, reason: null, handedOverAt: null },
    ...{ closedSaidAt: null, answeredWrittenAt: null, handoff: null },
  };
}

export function readBotState(stored: unknown): BotState | null {
  if (typeof stored !== 'object' || stored === null || !('status' in stored)) return null;
  return { ...newBotState(0), ...(stored as Partial<BotState>) };
}

/** The state in which a new message finds the conversation: one that was over, or waited for people too long, begins anew. */
export function resumeBotState(
  state: BotState | null,
  now: number,
  /** Of the settings; null: a conversation waits until it is handed back. */
  resumeAfterHours: number | null,
): BotState {
  if (state === null || state.status === 'resolved')
    return { ...newBotState(now), answeredWrittenAt: state?.answeredWrittenAt ?? null };
  const isForgotten =
    state.status === 'waiting' &&
    resumeAfterHours !== null &&
    now - (state.handedOverAt ?? state.since) > resumeAfterHours * HOUR_MS;
  return isForgotten ? { ...newBotState(now), answeredWrittenAt: state.answeredWrittenAt } : state;
}

/** A person chose another status: handed back to the bot, taken over, or over. */
export function changeBotStatus(state: BotState | null, status: BotStatus, now: number): BotState {
  const before = state ?? newBotState(now);
  if (before.status === status && state !== null) return before;
  if (status === 'active') return { ...newBotState(now), answeredWrittenAt: before.answeredWrittenAt };
  if (status === 'waiting')
    return { ...before, status, reason: 'taken_over', handedOverAt: now, handoff: null };
  return { ...before, status };
}
