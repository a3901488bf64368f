import {
  botFlowLimits,
  findBotFlowProblem,
  type BotResponse,
  type BotTrigger,
} from '@app/domain/chatbot/bot-flow';
import { splitKeywords } from '@app/domain/chatbot/match-keywords';
import type { BotFlow } from './chatbot-queries.ts';

/** The form of a flow. Each response has a key of its own, so that its fields stay with it when it moves. */
export type FlowValues = {
  name: string;
  description: string;
  trigger: BotTrigger;
  responses: (BotResponse & { key: number })[];
};

let lastKey = 0;

export function newResponse(type: BotResponse['type'] = 'text'): FlowValues['responses'][number] {
  lastKey += 1;
  return { key: lastKey, type, content: '', quickReplies: [], templateId: null, variables: {}, delay: 0 };
}

export function valuesOf(flow: BotFlow | undefined, words = ''): FlowValues {
  if (!flow)
    return {
      ...{ name: '', description: '', trigger: { type: 'keyword', value: words } },
      responses: [newResponse()],
    };
  const { name, description, triggers, responses } = flow;
  return {
    ...{ name, description, trigger: triggers[0] ?? { type: 'keyword', value: '' } },
    responses: (responses ?? []).map((response) => ({ ...newResponse(), ...response })),
  };
}

/** A flow that the form can hold whole: one trigger, and what is said one after the other. */
export function isList({ triggers, responses }: Pick<BotFlow, 'triggers' | 'responses'>): boolean {
  return triggers.length === 1 && responses !== null && responses.length > 0;
}

/** What is sent: of each response what its type has. */
export function toInput({ name, description, trigger, responses }: FlowValues) {
  return {
    ...{ name: name.trim(), description: description.trim() },
    trigger: { type: trigger.type, value: splitKeywords(trigger.value).join('|') },
    responses: responses.map(({ type, content, quickReplies, templateId, variables, delay }) => ({
      ...{ type, delay, content: type === 'template' ? '' : content.trim() },
      quickReplies: type === 'quick_reply' ? quickReplies.map((label) => label.trim()).filter(Boolean) : [],
      templateId: type === 'template' ? templateId : null,
      variables: type === 'template' ? variables : {},
    })),
  };
}

/** Why it cannot be saved yet, with the place of the response; null when it can. */
export function findFlowProblem(values: FlowValues) {
  const input = toInput(values);
  if (input.name === '') return { code: 'name_missing' as const, place: null };
  if (splitKeywords(values.trigger.value).length > botFlowLimits.keywords)
    return { code: 'keywords_many' as const, place: null };
  const problem = findBotFlowProblem(input);
  if (problem) return problem;
  for (const [place, { type, content, quickReplies, delay }] of input.responses.entries()) {
    const most = type === 'quick_reply' ? botFlowLimits.shortText : botFlowLimits.text;
    if (content.length > most) return { code: 'content_long' as const, place };
    const words = quickReplies.map((label) => label.toLowerCase());
    if (new Set(words).size !== words.length) return { code: 'quick_replies_alike' as const, place };
    if (!Number.isInteger(delay) || delay < 0 || delay > botFlowLimits.delay)
      return { code: 'delay_invalid' as const, place };
  }
  return null;
}
