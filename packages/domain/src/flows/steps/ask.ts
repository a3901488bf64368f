import { answerTypes, readAnswer, type AnswerType } from '../answers/read-answer.ts';
import {
  askAgain,
  askQuestion,
  findChoice,
  questionEnd,
  questionText,
  withoutAnswer,
  type OfferedChoice,
} from '../answers/question.ts';
import type { FlowConfig, Json } from '../flow-file.ts';
import { listOfTexts, textOf, type StepMove, type StepType, type StepVisit } from '../step-type.ts';

/** Asks something, and goes on with an answer that is one: a number, a day, an address. What is none is asked again, up to so many times. */
export const ask: StepType = {
  ...{ type: 'ask', kinds: ['bot'], group: 'message', needsContact: true, isWait: true },
  fields: [
    questionText,
    { name: 'answer', kind: 'choice', isRequired: true, initial: 'text', options: answerTypes },
    {
      ...{ name: 'options', kind: 'buttons', isRequired: true, initial: [], most: 10 },
      when: { field: 'answer', is: ['choice'] },
    },
    { name: 'least', kind: 'number', when: { field: 'answer', is: ['number'] } },
    { name: 'most', kind: 'number', when: { field: 'answer', is: ['number'] } },
    {
      ...{ name: 'save_to', kind: 'choice', isRequired: true, initial: 'flow' },
      options: ['flow', 'name', 'email', 'custom_field'],
    },
    {
      ...{ name: 'field', kind: 'custom_field', isRequired: true },
      when: { field: 'save_to', is: ['custom_field'] },
    },
    ...questionEnd,
  ],
  exits: () => ['done', 'invalid', 'timed_out', 'failed'],
  values: () => ['answer', 'text', 'message_id'],
  enter: (visit) => askQuestion(visit, questionOf(visit)),
  resume(visit, input) {
    if (input.kind !== 'reply') return withoutAnswer(input);
    const answer = answerIn(visit, input);
    if (answer === null) return again(visit);
    const values = { answer, text: input.text, message_id: input.messageId };
    const request = saveTo(visit.config, answer);
    if (request === null) return { go: 'done', values, details: { message_id: input.messageId } };
    return { ask: 'set_field', request, memo: { ...visit.state.memo, values } };
  },
  // The field may be stricter than the question: its answer is then none.
  settle(visit, { status }) {
    const values = visit.state.memo?.['values'] as { readonly [name: string]: Json } | undefined;
    if (values === undefined) return null;
    return status === 'done' ? { go: 'done', values, details: {} } : again(visit);
  },
};

function questionOf({ config, step }: StepVisit): { hint: AnswerType; choices: OfferedChoice[] } {
  const hint = typeOf(config);
  const titles = hint === 'choice' ? listOfTexts(config, 'options') : [];
  return {
    hint,
    choices: titles.map((title, place) => ({ id: `${step.id}:${place + 1}`, title, description: '' })),
  };
}

function typeOf(config: FlowConfig): AnswerType {
  return answerTypes.find((type) => type === config['answer']) ?? 'text';
}

function answerIn(visit: StepVisit, input: Parameters<typeof findChoice>[0]): string | null {
  const { hint, choices } = questionOf(visit);
  if (hint === 'choice') {
    const place = findChoice(input, choices);
    return place === null ? null : choices[place]!.title;
  }
  if (isTapOfBefore(visit, input.button)) return null;
  const limit = (name: string) => {
    const value = visit.config[name];
    return typeof value === 'number' ? value : null;
  };
  return readAnswer(input.text, { type: hint, least: limit('least'), most: limit('most') });
}

/** A choice of a question that was answered already, tapped once more: customers do so later, and twice at once. */
function isTapOfBefore({ step, state }: StepVisit, button: string | null): boolean {
  const [id = '', name] = button?.split(':') ?? [];
  const values = state.steps[id];
  return (
    name !== undefined && id !== step.id && values !== undefined && ('choice' in values || 'answer' in values)
  );
}

function again(visit: StepVisit): StepMove {
  return askAgain(visit, questionOf(visit)) ?? { go: 'invalid' };
}

/** What is written to the contact; null where the answer stays in the flow. */
function saveTo(config: FlowConfig, value: string): { readonly [name: string]: Json } | null {
  switch (textOf(config, 'save_to')) {
    case 'name':
    case 'email':
      return { part: textOf(config, 'save_to'), value };
    case 'custom_field':
      return { fieldId: textOf(config, 'field'), value };
    default:
      return null;
  }
}
