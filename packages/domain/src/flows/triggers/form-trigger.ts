import { readEmailAddress } from '../../contacts/contact.ts';
import { isDay } from '../../custom-fields/day.ts';
import { readNumber } from '../answers/read-answer.ts';
import type { FormField } from '../field.ts';
import type { FlowConfig, Json } from '../flow-file.ts';
import { listOfTexts, textOf } from '../step-type.ts';
import type { TriggerType } from '../trigger-type.ts';

const PAGE = 'page';
const CHAT = 'chat';
/** Triggers from before there was a choice name no source. */
const onPage = { when: { field: 'source', is: [PAGE, null] } } as const;
const inChat = { when: { field: 'source', is: [CHAT] } } as const;

/**
 * A form on a page of the product, `/forms/{slug}`, that anybody may fill in: its fields of the types phone and email, and the one called `name`, make the
 * contact. Or a form that a contact answered in the chat: `answers` names what must be among its answers, which are values such as `{{trigger.answers.rating}}`.
 */
export const formSubmission: TriggerType = {
  ...{ type: 'form_submission', kinds: ['workflow'], isAwaitable: false },
  fields: [
    { name: 'source', kind: 'choice', options: [PAGE, CHAT], initial: PAGE },
    { name: 'answers', kind: 'words', ...inChat },
    { name: 'channel', kind: 'channel', ...inChat },
    { name: 'slug', kind: 'slug', isRequired: true, ...onPage },
    { name: 'title', kind: 'text', isRequired: true, ...onPage },
    { name: 'intro', kind: 'long_text', ...onPage },
    {
      ...{ name: 'fields', kind: 'form_fields', isRequired: true, ...onPage },
      initial: [
        { name: 'name', label: 'Name', type: 'text', isRequired: true },
        { name: 'phone', label: 'Phone', type: 'phone', isRequired: true },
      ],
    },
    /** With it the form has a box to tick; who ticks it opts in with this text. */
    { name: 'consent', kind: 'long_text', ...onPage },
    { name: 'thanks', kind: 'long_text', ...onPage },
  ],
  values: (config) =>
    isFormPage(config)
      ? [...formFieldsOf(config).map(({ name }) => name), 'consent']
      : [
          ...listOfTexts(config, 'answers').map((name) => `answers.${name.trim()}`),
          ...['answers.*', 'text', 'message_id'],
        ],
  bringsContact: (config) => !isFormPage(config) || formFieldsOf(config).some(({ type }) => type === 'phone'),
  // The page begins a run by itself: only answers in the chat come as events.
  matches(config, { answers, channel_id: channelId }) {
    if (isFormPage(config) || typeof answers !== 'object' || answers === null) return false;
    const channel = textOf(config, 'channel');
    if (channel !== '' && channel !== channelId) return false;
    return listOfTexts(config, 'answers').every((name) => Object.hasOwn(answers, name.trim()));
  },
};

export function isFormPage(config: FlowConfig): boolean {
  return textOf(config, 'source') !== CHAT;
}

export function formFieldsOf(config: FlowConfig): FormField[] {
  const { fields } = config;
  return Array.isArray(fields) ? (fields as unknown as FormField[]) : []; // publishing looked at each
}

export type FormProblem = 'required' | 'too_long' | 'email' | 'number' | 'date' | 'choice' | 'phone';
export type FormAnswers = {
  values: { [name: string]: Json };
  /** Whether the box of the form is ticked. */
  hasConsented: boolean;
  problems: { [name: string]: FormProblem };
};

const LONGEST = 2_000;

/** Controls of the page that are no fields of the form. No field has a dash in its name, so that none is taken for one of them. */
export const formControls = { key: 'form-key', consent: 'opt-in', trap: 'web-site' } as const;

/** What was filled in, by the types of the fields. Whether a number is one only the server can tell. */
export function readForm(config: FlowConfig, given: { readonly [name: string]: string }): FormAnswers {
  const values: FormAnswers['values'] = {};
  const problems: FormAnswers['problems'] = {};
  for (const field of formFieldsOf(config)) {
    const text = (given[field.name] ?? '').trim();
    const problem = findProblem(field, text);
    if (problem) problems[field.name] = problem;
    else values[field.name] = valueOf(field, text);
  }
  const hasConsented = textOf(config, 'consent') !== '' && given[formControls.consent] === 'yes';
  // A field may have the name, too: its answer is the value then.
  if (!formFieldsOf(config).some(({ name }) => name === 'consent')) values['consent'] = hasConsented;
  return { values, hasConsented, problems };
}

function findProblem({ type, isRequired, options = [] }: FormField, text: string): FormProblem | null {
  if (text === '') return isRequired ? 'required' : null;
  if (text.length > LONGEST) return 'too_long';
  switch (type) {
    case 'email':
      return readEmailAddress(text) ? null : 'email';
    case 'number':
      return readNumber(text) === null ? 'number' : null;
    case 'date':
      return isDay(text) ? null : 'date';
    case 'choice':
      return options.includes(text) ? null : 'choice';
    default:
      return null;
  }
}

function valueOf({ type }: FormField, text: string): Json {
  if (type === 'yes_no') return text === 'yes';
  if (text === '') return null;
  return type === 'number' ? readNumber(text) : text;
}
