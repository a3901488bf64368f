import type { ModelAnswer } from './ai-models.ts';
import type { ModelSource } from './build-prompt.ts';
import { findTextLanguage } from '../../text/find-text-language.ts';

/** Why the confidence that the model gave was lowered. */
export const doubts = ['unknown_source', 'unsupported_number', 'other_script', 'other_language'] as const;
export type Doubt = (typeof doubts)[number];

export type CheckedAnswer = {
  text: string;
  /** What counts against the threshold: that of the model, lowered by doubts. */
  confidence: number;
  doubt: Doubt | null;
  intent: string | null;
  /** Those that were given and named. */
  sources: { id: string; title: string }[];
  entities: { name: string; value: string }[];
};

/** An answer with a doubt is never surer than that. */
export const DOUBTED_CONFIDENCE = 0.3;

/** What an answer is checked against. `talk`: the conversation as the model got it, the question in it; `today` as `2026-11-27`. */
export type AnswerGrounds = {
  sources: readonly ModelSource[];
  facts: string;
  question: string;
  talk: readonly { text: string }[];
  today: string;
};

/**
 * Looks at what a model said before it may reach a customer: the sources that it names must be ones that it was given, numbers in it must stand in
 * the sources, the facts or the conversation, and it must be written in the script and the language of the customer.
 */
export function checkModelAnswer(answer: ModelAnswer, grounds: AnswerGrounds): CheckedAnswer {
  const { sources } = grounds;
  const named = new Set(answer.sources);
  const used = sources.filter(({ id }) => named.has(id));
  const doubt = findDoubt(answer, grounds);
  return {
    text: answer.answer,
    confidence: doubt === null ? answer.confidence : Math.min(answer.confidence, DOUBTED_CONFIDENCE),
    doubt,
    intent: answer.intent.trim() || null,
    sources: used.map(({ id, title }) => ({ id, title })),
    entities: answer.entities,
  };
}

function findDoubt(
  answer: ModelAnswer,
  { sources, facts, question, talk, today }: AnswerGrounds,
): Doubt | null {
  if (answer.sources.some((id) => !sources.some((source) => source.id === id))) return 'unknown_source';
  const script = scriptOf(question);
  if (script !== null && scriptOf(answer.answer) !== null && scriptOf(answer.answer) !== script)
    return 'other_script';
  const language = findTextLanguage(question);
  const written = findTextLanguage(answer.answer);
  if (language !== null && written !== null && written !== language) return 'other_language';
  const support = numbersOf(
    [
      ...[facts, question, today.replaceAll('-', ' ')],
      ...talk.map(({ text }) => text),
      ...sources.map(({ title, text }) => `${title} ${text}`),
    ].join(' '),
  );
  return numbersOf(answer.answer).every((number) => support.includes(number)) ? null : 'unsupported_number';
}

/** Runs of digits without what separates thousands, and without zeros in front. */
function numbersOf(text: string): string[] {
  return (text.replace(/(\d)[.,’' \u00a0\u202f](?=\d{3}\b)/g, '$1').match(/\d+/g) ?? []).map((digits) =>
    digits.replace(/^0+(?=\d)/, ''),
  );
}

const scripts = {
  latin: /\p{Script=Latin}/gu,
  cyrillic: /\p{Script=Cyrillic}/gu,
  greek: /\p{Script=Greek}/gu,
  arabic: /\p{Script=Arabic}/gu,
  hebrew: /\p{Script=Hebrew}/gu,
  devanagari: /\p{Script=Devanagari}/gu,
  thai: /\p{Script=Thai}/gu,
  hangul: /\p{Script=Hangul}/gu,
  chinese: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
};
/** A word or two may be a name in another script. */
const LEAST_LETTERS = 8;

/** In which most letters of a text are; null for a text of a few letters. */
function scriptOf(text: string): string | null {
  const counted = Object.entries(scripts).map(
    ([name, letters]) => [name, text.match(letters)?.length ?? 0] as const,
  );
  const [name, count] = counted.toSorted(([, one], [, other]) => other - one)[0]!; // the table is not empty
  return count >= LEAST_LETTERS ? name : null;
}
