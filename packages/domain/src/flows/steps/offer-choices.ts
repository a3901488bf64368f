import {
  askAgain,
  askQuestion,
  findChoice,
  questionEnd,
  questionText,
  withoutAnswer,
  type OfferedChoice,
} from '../answers/question.ts';
import type { FlowChoice } from '../field.ts';
import type { FlowConfig } from '../flow-file.ts';
import type { StepType, StepVisit } from '../step-type.ts';

/** Offers answers as buttons or as a list of the channel, and goes the way of the one that was tapped or named. */
export const offerChoices: StepType = {
  ...{ type: 'offer_choices', kinds: ['bot'], group: 'message', needsContact: true, isWait: true },
  fields: [
    questionText,
    {
      ...{ name: 'choices', kind: 'choices', isRequired: true },
      initial: [{ name: 'choice_1', title: '' }],
    },
    ...questionEnd,
  ],
  exits: (config) => [...choicesOf(config).map(({ name }) => name), 'other', 'timed_out', 'failed'],
  values: () => ['choice', 'text', 'message_id'],
  enter: (visit) => askQuestion(visit, { choices: offered(visit), hint: 'choice' }),
  resume(visit, input) {
    if (input.kind !== 'reply') return withoutAnswer(input);
    const choices = offered(visit);
    const place = findChoice(input, choices);
    const chosen = place === null ? undefined : choicesOf(visit.config)[place];
    const of = { text: input.text, message_id: input.messageId };
    if (chosen)
      return {
        ...{ go: chosen.name, values: { ...of, choice: chosen.title } },
        details: { message_id: input.messageId },
      };
    return (
      askAgain(visit, { choices, hint: 'choice' }) ?? {
        go: 'other',
        values: { ...of, choice: '' },
        details: of,
      }
    );
  },
};

export function choicesOf(config: FlowConfig): readonly FlowChoice[] {
  const { choices } = config;
  return Array.isArray(choices) ? (choices as unknown as FlowChoice[]) : []; // publishing looked at each
}

function offered({ config, step }: StepVisit): OfferedChoice[] {
  return choicesOf(config).map(({ name, title, description = '' }) => ({
    ...{ id: `${step.id}:${name}`, title, description },
  }));
}
