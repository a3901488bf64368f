import type { ModelAnswer } from '@app/domain/chatbot/model/ai-models';
import { storableText } from '@app/domain/text/storable-text';

/** The form that a model is asked for. Every property is required and no other is allowed: OpenAI and Anthropic want it so. */
export const answerSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['answer', 'confidence', 'intent', 'sources', 'entities'],
  properties: {
    answer: { type: 'string', description: 'What the customer reads.' },
    confidence: {
      type: 'number',
      description:
        'Between 0 and 1: how sure it is that the sources or the facts of the business say exactly this.',
    },
    intent: { type: 'string', description: 'What the customer wants, in two or three words with _ between.' },
    sources: {
      type: 'array',
      items: { type: 'string' },
      description: 'Ids of the sources that were used.',
    },
    entities: {
      type: 'array',
      description: 'What the customer named, such as an order number.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'value'],
        properties: { name: { type: 'string' }, value: { type: 'string' } },
      },
    },
  },
} as const;

/** For models that are not told the form in another way. */
export const FORM_IN_WORDS = `Answer with one JSON object and nothing else, of this form: ${JSON.stringify(answerSchema)}`;

const MOST = { answer: 4_096, intent: 60, sources: 20, entities: 20, name: 60, value: 200 };

/** Reads an answer out of text, also with a fence or words around it; null where it has none. */
export function readAnswer(text: string): ModelAnswer | null {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  if (from === -1 || to < from) return null;
  try {
    return readAnswerObject(JSON.parse(text.slice(from, to + 1)));
  } catch {
    return null;
  }
}

/** Null where the words or the confidence are missing: both decide whether a customer reads it. */
export function readAnswerObject(value: unknown): ModelAnswer | null {
  if (typeof value !== 'object' || value === null) return null;
  const { answer, confidence, intent, sources, entities } = value as Record<string, unknown>;
  if (typeof answer !== 'string' || answer.trim() === '' || answer.length > MOST.answer) return null;
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) return null;
  return {
    ...{ answer: storableText(answer.trim()), confidence },
    intent: typeof intent === 'string' ? cut(intent, MOST.intent) : '',
    sources: (Array.isArray(sources) ? sources : [])
      .filter((id) => typeof id === 'string')
      .slice(0, MOST.sources),
    entities: (Array.isArray(entities) ? entities : []).slice(0, MOST.entities).flatMap((entity: unknown) => {
      const { name, value: named } = (entity ?? {}) as Record<string, unknown>;
      if (typeof name !== 'string' || typeof named !== 'string') return [];
      return [{ name: cut(name, MOST.name), value: cut(named, MOST.value) }];
    }),
  };
}

/** What is cut in the middle of a sign, or never was one, could not be stored. */
const cut = (text: string, most: number): string => storableText(text.slice(0, most));
