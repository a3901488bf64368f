import { plain } from '../../chatbot/match-keywords.ts';
import { readNumber } from '../answers/read-answer.ts';
import type { Share } from '../field.ts';
import type { FlowConfig } from '../flow-file.ts';
import { readValue, soleReference } from '../flow-values.ts';
import { DONE, textOf, type StepType, type StepVisit } from '../step-type.ts';

/** Two ways, by rules of the segment builder that are asked of the contact at that moment. */
export const branch: StepType = {
  ...{ type: 'branch', kinds: ['workflow', 'bot'], group: 'logic', needsContact: true },
  worksOnContactOnly: true,
  fields: [{ name: 'rules', kind: 'rules', isRequired: true }],
  exits: () => ['yes', 'no'],
  values: () => [],
  enter: ({ config }) => ({ ask: 'check_contact', request: { rules: config['rules'] ?? null } }),
};

export const comparisons = ['is', 'is_not', 'contains', 'more', 'less', 'empty', 'not_empty'] as const;

/** Two ways, by a value of the run: an answer, or what a call brought. */
export const compare: StepType = {
  ...{ type: 'compare', kinds: ['workflow', 'bot'], group: 'logic', needsContact: false },
  fields: [
    { name: 'value', kind: 'text', isRequired: true, takesValues: true },
    { name: 'operator', kind: 'choice', isRequired: true, initial: 'is', options: comparisons },
    {
      ...{ name: 'other', kind: 'text', isRequired: true, takesValues: true },
      when: { field: 'operator', is: ['is', 'is_not', 'contains', 'more', 'less'] },
    },
  ],
  exits: () => ['yes', 'no'],
  values: () => [],
  enter(visit) {
    const isMet = compareTexts(visit);
    if (isMet === null) return { fail: 'number_invalid' };
    return { go: isMet ? 'yes' : 'no' };
  },
};

/** Null where numbers are compared and one is none. Upper case, accents and spaces around make no difference. */
function compareTexts(visit: StepVisit): boolean | null {
  const { config } = visit;
  const [value, other] = [textOf(config, 'value'), textOf(config, 'other')];
  switch (textOf(config, 'operator')) {
    case 'is_not':
      return plain(value) !== plain(other);
    case 'contains':
      return plain(value).includes(plain(other));
    case 'more':
    case 'less': {
      const [one, two] = [numberIn(visit, 'value'), numberIn(visit, 'other')];
      if (one === null || two === null) return null;
      return textOf(config, 'operator') === 'more' ? one > two : one < two;
    }
    case 'empty':
      return value.trim() === '';
    case 'not_empty':
      return value.trim() !== '';
    default:
      return plain(value) === plain(other);
  }
}

/** A number that a call brought is one, however it would be written: `1.125` in a text could be either of two. */
function numberIn({ step, values, config }: StepVisit, name: string): number | null {
  const path = soleReference(textOf(step.config, name));
  const value = path === null ? undefined : readValue(values, path);
  return typeof value === 'number' ? value : readNumber(textOf(config, name));
}

/** Goes on at another step; the limit of steps in a run ends one that goes round and round. */
export const jump: StepType = {
  ...{ type: 'jump', kinds: ['bot'], group: 'logic', needsContact: false },
  fields: [],
  exits: () => DONE,
  values: () => [],
  enter: () => ({ go: 'done' }),
};

/** One way for each share, by chance. */
export const randomSplit: StepType = {
  ...{ type: 'random_split', kinds: ['workflow', 'bot'], group: 'logic', needsContact: false },
  fields: [
    {
      ...{ name: 'shares', kind: 'shares', isRequired: true },
      initial: [
        { name: 'a', percent: 50 },
        { name: 'b', percent: 50 },
      ],
    },
  ],
  exits: (config) => sharesOf(config).map(({ name }) => name),
  values: () => [],
  enter({ config, known, state }) {
    let left = percentOf(known.seed, state.visit);
    const chosen = sharesOf(config).find(({ percent }) => (left -= percent) < 0);
    return chosen ? { go: chosen.name } : { fail: 'shares_invalid' };
  },
};

/** Ends the run here, as completed or as failed. */
export const stop: StepType = {
  ...{ type: 'stop', kinds: ['workflow', 'bot'], group: 'logic', needsContact: false },
  fields: [
    {
      ...{ name: 'outcome', kind: 'choice', isRequired: true, initial: 'completed' },
      options: ['completed', 'failed'],
    },
  ],
  exits: () => [],
  values: () => [],
  enter: ({ config }) => ({
    end: textOf(config, 'outcome') === 'failed' ? 'failed' : 'completed',
    code: 'stopped',
  }),
};

/** Enters the contact into another workflow; this run goes on by itself. */
export const startWorkflow: StepType = {
  ...{ type: 'start_workflow', kinds: ['workflow', 'bot'], group: 'logic', needsContact: true },
  fields: [{ name: 'workflow', kind: 'workflow', isRequired: true }],
  exits: () => DONE,
  values: () => [],
  enter: ({ config }) => ({ ask: 'start_workflow', request: { workflowId: textOf(config, 'workflow') } }),
};

function sharesOf(config: FlowConfig): readonly Share[] {
  const { shares } = config;
  return Array.isArray(shares) ? (shares as unknown as Share[]) : []; // publishing looked at each
}

/** 0 to 99, of a run's own number and its visit: the same wherever it is worked out again. */
function percentOf(seed: number, visit: number): number {
  let mixed = (seed ^ Math.imul(visit, 0x9e3779b1)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) % 100;
}
