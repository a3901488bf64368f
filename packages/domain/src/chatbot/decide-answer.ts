import { findTitle } from '../flows/answers/read-answer.ts';
import type { InterfaceLanguage } from '../text/interface-language.ts';
import type { BotTrigger } from './bot-flow.ts';
import { closedText, type BotSettings } from './bot-settings.ts';
import type { BotState, HandoffReason } from './bot-state.ts';
import type { CheckedAnswer } from './model/check-model-answer.ts';
import { BUILT_IN_CONFIDENCE, BUILT_IN_INTENT, builtInText, findBuiltInRule } from './built-in-answers.ts';
import { chooseFlow } from './choose-flow.ts';
import { findKeyword, plain } from './match-keywords.ts';

/** Which rule gave an answer, in the order in which they are asked. */
export const answerRules = [
  'handoff',
  'closed',
  'run',
  'flow',
  'model',
  'built_in',
  'ask_details',
  'fallback',
] as const;
export type AnswerRule = (typeof answerRules)[number];

/** Why a message gets no answer of the bot. `burst`: it belongs to the one before it, or a flow is just about to speak. `awaited`: a workflow waits for it. */
export const silentReasons = [
  ...['disabled', 'old', 'own_number', 'blocked', 'opted_out', 'consent', 'handed_over', 'agent'],
  ...['burst', 'echo', 'closed_said', 'loop', 'awaited'],
] as const;
export type SilentReason = (typeof silentReasons)[number];

/** What came later than this, from a history or after a failure, is answered by people alone. */
export const FRESH_MS = 15 * 60_000;
/** Messages that were written so soon after one that was answered belong to it. Platforms give whole seconds. */
const BURST_MS = 1_000;
/** While people talk to somebody, the bot does not begin. */
const AGENT_MS = 12 * 60 * 60_000;
/** The closed message is said once in so long. */
const CLOSED_AGAIN_MS = 12 * 60 * 60_000;
/** Two machines that answer each other stop here. */
export const LOOP_MS = 10 * 60_000;
export const LOOP_ANSWERS = 20;

/** One message, and what is known of the one who wrote it. Times in milliseconds. */
export type MessageToAnswer = {
  text: string;
  writtenAt: number;
  /** When it came here, by our own clock. */
  receivedAt: number;
  language: InterfaceLanguage;
  isBlocked: boolean;
  isOptedOut: boolean;
  /** It ends or renews consent, which has answers of its own. */
  isConsentWord: boolean;
  /** It comes from a number of ours. */
  isOwnNumber: boolean;
  /** What the bot said last. */
  lastAnswer: string | null;
  /** Answers of the bot within `LOOP_MS`. */
  recentAnswers: number;
  /** When a person of ours wrote last. */
  agentWroteAt: number | null;
  /** A button or a row was tapped: nobody taps what they have not seen. */
  isTap: boolean;
};

/** A run of a flow that is in the middle of a dialogue with the one who wrote. */
export type TalkingRun = {
  runId: string;
  flowId: string;
  name: string;
  /** `busy`: it has an answer already, or is about to say something. */
  phase: 'waiting' | 'busy';
  /** What it waits for an answer to has left. */
  isAsked: boolean;
  /** When it came to the step where it is, in milliseconds. */
  arrivedAt: number;
  /** The titles that its question offers; empty where it offers none. */
  choices: readonly string[];
};

export type ActiveBotFlow = { id: string; name: string; stamp?: string; triggers: readonly BotTrigger[] };

export type BotAnswer = {
  rule: AnswerRule;
  /** The flow that answers, with `run` the one whose question it answers; null where `text` is said. */
  flowId: string | null;
  text: string | null;
  /** What of the message decided, such as the keyword. */
  keyword: string | null;
  /** The built-in rule, where one answered. */
  builtIn: string | null;
  intent: string | null;
  confidence: number | null;
  handoff: HandoffReason | null;
};

/** What is known of the model: there is none to ask, one can be asked, or it was asked for this message and brought an answer, or none. */
export type ModelStep =
  | { state: 'none' | 'ready' | 'failed' }
  | { state: 'answered'; answer: Pick<CheckedAnswer, 'text' | 'confidence' | 'intent'> };

/**
 * `ask`: the model has to be asked, and the decision is made with what comes of it. `later`: a dialogue is busy, and the message is decided when it has
 * gone on.
 */
export type BotDecision =
  | { silent: SilentReason; state: BotState }
  | { later: true; state: BotState }
  | { ask: true; state: BotState }
  | { answer: BotAnswer; state: BotState };

/**
 * What the bot makes of one message. Pure: all that is known comes in, and the state after it goes out. The order: handoff keywords, business hours,
 * the run that waits for the answer, active flows by priority, the model where it is sure enough, built-in rules, one question for details, fallback and handoff. `before` is the state as the message finds it
 * (`resumeBotState`), `wasTalking` whether the bot talked with them before it.
 */
export function decideAnswer({
  settings,
  message,
  before,
  wasTalking,
  talking = null,
  flows,
  isOpen,
  model,
  isLate = false,
  isAwaited = false,
  now,
}: {
  settings: BotSettings;
  message: MessageToAnswer;
  before: BotState;
  wasTalking: boolean;
  talking?: TalkingRun | null;
  /** By priority. */
  flows: readonly ActiveBotFlow[];
  /** Whether the business was open when it was written. */
  isOpen: boolean;
  model: ModelStep;
  /** It came while a dialogue was busy, which may have answered it by now. */
  isLate?: boolean;
  /** A run of a workflow waits for what they write. */
  isAwaited?: boolean;
  now: number;
}): BotDecision {
  // The message was counted when the model was asked.
  const wasAsked = model.state === 'answered' || model.state === 'failed';
  const silent = refuseAnswer(settings, message, before, { wasTalking, wasAsked, talking, now });
  if (silent) return { silent, state: silent === 'handed_over' ? before : { ...before } };
  const counted: BotState = wasAsked ? before : { ...before, messages: before.messages + 1 };
  if (message.recentAnswers >= LOOP_ANSWERS)
    return { silent: 'loop', state: handedOver(counted, 'loop', now) };
  // The question came after the message, which is no answer to it. Both times are ours: the platform's are whole seconds of another clock.
  if (isLate && talking?.phase === 'waiting' && talking.arrivedAt > message.receivedAt)
    return { silent: 'burst', state: counted };
  const answer = choose(settings, message, counted, { talking, flows, isOpen, isAwaited, model, now });
  if (answer === 'awaited') return { silent: answer, state: { ...before } };
  if (answer === 'ask') return { ask: true, state: { ...counted, answeredWrittenAt: message.writtenAt } };
  if (answer === null) return { silent: 'closed_said', state: counted };
  if (answer === 'busy') return { later: true, state: before };
  const isMatched = ['run', 'flow', 'model', 'built_in'].includes(answer.rule);
  const isUnmatched = ['ask_details', 'fallback'].includes(answer.rule);
  // Words beside a dialogue that nothing matches were meant for it.
  if (isLate && isUnmatched) return { silent: 'burst', state: counted };
  const state: BotState = {
    ...counted,
    messages: counted.messages + 1,
    unmatched: isMatched ? 0 : counted.unmatched + (isUnmatched ? 1 : 0),
    answeredWrittenAt: Math.max(message.writtenAt, counted.answeredWrittenAt ?? 0),
    closedSaidAt: answer.rule === 'closed' ? now : counted.closedSaidAt,
  };
  return { answer, state: answer.handoff === null ? state : handedOver(state, answer.handoff, now) };
}

function handedOver(state: BotState, reason: HandoffReason, now: number): BotState {
  return { ...state, status: 'waiting', reason, handedOverAt: now, handoff: null };
}

function refuseAnswer(
  settings: BotSettings,
  message: MessageToAnswer,
  before: BotState,
  {
    wasTalking,
    wasAsked,
    talking,
    now,
  }: { wasTalking: boolean; wasAsked: boolean; talking: TalkingRun | null; now: number },
): SilentReason | null {
  const { writtenAt, agentWroteAt } = message;
  if (!settings.isEnabled) return 'disabled';
  if (now - writtenAt > FRESH_MS) return 'old';
  if (message.isOwnNumber) return 'own_number';
  if (message.isBlocked) return 'blocked';
  if (message.isConsentWord) return 'consent';
  if (message.isOptedOut) return 'opted_out';
  if (before.status === 'waiting') return 'handed_over';
  // Somebody answered it already; or people talk with them, and the bot has no part in it yet.
  if (agentWroteAt !== null && (agentWroteAt > writtenAt || (!wasTalking && now - agentWroteAt < AGENT_MS)))
    return 'agent';
  const isHandoff =
    settings.autoHandoffEnabled && findKeyword(message.text, settings.handoffKeywords) !== null;
  const { answeredWrittenAt } = before;
  // What was written since then is answered in its place.
  if (wasAsked) return answeredWrittenAt !== null && answeredWrittenAt > writtenAt ? 'burst' : null;
  // Platforms give whole seconds: an answer to a question that has left is none of the words before it.
  const isReply = talking?.phase === 'waiting' && (message.isTap || talking.isAsked);
  if (answeredWrittenAt !== null && writtenAt <= answeredWrittenAt + BURST_MS && !isHandoff && !isReply)
    return 'burst';
  // Our own words come back from a machine that forwards, or answers.
  if (message.lastAnswer !== null && message.text !== '' && plain(message.text) === plain(message.lastAnswer))
    return 'echo';
  return null;
}

const NOTHING = {
  flowId: null,
  text: null,
  keyword: null,
  builtIn: null,
  intent: null,
  confidence: null,
  handoff: null,
};

function choose(
  settings: BotSettings,
  { text, language }: MessageToAnswer,
  state: BotState,
  {
    talking,
    flows,
    isOpen,
    isAwaited,
    model,
    now,
  }: {
    talking: TalkingRun | null;
    flows: readonly ActiveBotFlow[];
    isOpen: boolean;
    isAwaited: boolean;
    model: ModelStep;
    now: number;
  },
): BotAnswer | 'ask' | 'busy' | 'awaited' | null {
  // A flow that offers people goes its own way to them.
  const isChoice = talking?.phase === 'waiting' && findTitle(text, talking.choices) !== null;
  if (settings.autoHandoffEnabled && !isChoice) {
    const keyword = findKeyword(text, settings.handoffKeywords);
    if (keyword !== null)
      return {
        ...NOTHING,
        rule: 'handoff',
        keyword,
        text: builtInText('human', language),
        handoff: 'keyword',
      };
  }
  const chosen = chooseFlow(flows, text);
  if (isAwaited && !talking && !chosen) return 'awaited';
  if (settings.usesBusinessHours && !isOpen) {
    const { closedSaidAt } = state;
    if (closedSaidAt !== null && now - closedSaidAt < CLOSED_AGAIN_MS) return null;
    return { ...NOTHING, rule: 'closed', text: closedText(settings, language) };
  }
  if (state.messages > settings.maxConversationLength)
    return { ...NOTHING, rule: 'handoff', text: builtInText('human', language), handoff: 'length' };
  if (talking?.phase === 'waiting') return { ...NOTHING, rule: 'run', flowId: talking.flowId };
  if (talking) return 'busy';
  if (chosen) return { ...NOTHING, rule: 'flow', flowId: flows[chosen.place]!.id, keyword: chosen.keyword }; // one of the list
  if (model.state === 'ready' && text.trim() !== '') return 'ask';
  if (model.state === 'answered' && model.answer.confidence >= settings.confidenceThreshold) {
    const { text: said, confidence, intent } = model.answer;
    return { ...NOTHING, rule: 'model', text: said, confidence, intent };
  }
  const builtIn = { intent: BUILT_IN_INTENT, confidence: BUILT_IN_CONFIDENCE };
  const found = findBuiltInRule(text, language, { asksForPeople: !settings.autoHandoffEnabled });
  if (found)
    return {
      ...{ ...NOTHING, ...builtIn, rule: 'built_in', builtIn: found.rule, keyword: found.keyword },
      ...{ text: builtInText(found.rule, found.language), handoff: found.rule === 'human' ? 'asked' : null },
    };
  if (state.unmatched === 0)
    return { ...NOTHING, ...builtIn, rule: 'ask_details', text: builtInText('ask_details', language) };
  return {
    ...{ ...NOTHING, rule: 'fallback', text: settings.fallbackMessage },
    handoff: settings.autoHandoffEnabled ? 'fallback' : null,
  };
}
