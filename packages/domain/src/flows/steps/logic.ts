import type { Share } from '../field.ts';
import type { FlowConfig } from '../flow-file.ts';
import { DONE, textOf, type StepType } from '../step-type.ts';

/** Two ways, by rules of the segment builder that are asked of the contact at that moment. */
export const branch: StepType = {
  ...{ type: 'branch', kinds: ['workflow', 'bot'], group: 'logic', needsContact: true },
  fields: [{ name: 'rules', kind: 'rules', isRequired: true }],
  exits: () => ['yes', 'no'],
  values: () => [],
  enter: ({ config }) => ({ ask: 'check_contact', request: { rules: config['rules'] ?? null } }),
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
