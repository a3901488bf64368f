import { durationMs, type Duration, type Json } from '../flow-file.ts';
import type { FieldDefinition } from '../field.ts';
import { MESSAGE_WAIT_MS } from '../steps/send-message.ts';
import { textOf, type StepMove, type StepVisit } from '../step-type.ts';
import type { RunInput } from '../run-state.ts';
import { answerHint, listButton } from './answer-hints.ts';
import { findTitle, type AnswerType } from './read-answer.ts';

/** A text above buttons is as long as that at most. */
export const LONGEST_QUESTION = 1_024;
const MOST_ATTEMPTS = 10;

export const questionText: FieldDefinition = {
  ...{ name: 'text', kind: 'long_text', isRequired: true, takesValues: true, most: LONGEST_QUESTION },
};

/** What both kinds of questions have at their end. */
export const questionEnd: readonly FieldDefinition[] = [
  { name: 'retry_text', kind: 'long_text', takesValues: true, most: LONGEST_QUESTION },
  { name: 'attempts', kind: 'number', isRequired: true, least: 1, most: MOST_ATTEMPTS, initial: 3 },
  {
    ...{ name: 'timeout', kind: 'duration', isRequired: true, least: 1000 },
    initial: { amount: 1, unit: 'days' },
  },
];

/** One answer that can be tapped, as the channel gets it. */
export type OfferedChoice = { id: string; title: string; description: string };

/** Says the question, and waits for the answer from then on: it may come before the platform says that the question left. */
export function askQuestion(
  { config, state, known, now }: StepVisit,
  {
    choices = [],
    attempt = 1,
    hint,
  }: { choices?: readonly OfferedChoice[]; attempt?: number; hint: AnswerType },
): StepMove {
  const text = textOf(config, 'text');
  const { language } = known.contact;
  const retry = textOf(config, 'retry_text').trim();
  const said = attempt === 1 ? text : retry === '' ? `${answerHint(hint, language)}\n\n${text}` : retry;
  return {
    ask: 'send_message',
    request: {
      text: said.slice(0, LONGEST_QUESTION),
      choices: choices as unknown as Json,
      listButton: listButton(language),
      channelId: state.trigger['channel_id'] ?? null,
    },
    waitMs: MESSAGE_WAIT_MS,
    meanwhile: { kind: 'reply', since: now, until: now + durationMs(config['timeout'] as Duration) }, // publishing looked at it
    memo: { attempt },
  };
}

/** How often the question was asked in this visit. */
export function attemptsOf({ state: { memo } }: StepVisit): number {
  return typeof memo?.['attempt'] === 'number' ? memo['attempt'] : 1;
}

/** What comes while a question waits and is no answer: the time is over, or the question did not leave. Null for what is not for it. */
export function withoutAnswer(input: RunInput): StepMove | null {
  if (input.kind === 'time' || input.kind === 'skip') return { go: 'timed_out' };
  if (input.kind !== 'outcome' || input.outcome.status !== 'failed') return null;
  return { fail: input.outcome.code };
}

/** Asks again, as long as there are attempts; then null. */
export function askAgain(
  visit: StepVisit,
  question: { choices?: readonly OfferedChoice[]; hint: AnswerType },
): StepMove | null {
  const attempt = attemptsOf(visit) + 1;
  const most = visit.config['attempts'];
  if (attempt > (typeof most === 'number' ? most : 1)) return null;
  return askQuestion(visit, { ...question, attempt });
}

/** Which of the choices was tapped or named; null for none of them. */
export function findChoice(
  { text, button }: RunInput & { kind: 'reply' },
  choices: readonly OfferedChoice[],
): number | null {
  const tapped = button === null ? -1 : choices.findIndex(({ id }) => id === button);
  if (tapped >= 0) return tapped;
  return findTitle(
    text,
    choices.map(({ title }) => title),
  );
}
