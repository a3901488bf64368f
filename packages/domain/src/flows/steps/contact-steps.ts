import { DONE, DONE_OR_FAILED, textOf, type StepType } from '../step-type.ts';

const ofContact = { kinds: ['workflow', 'bot'], group: 'contact', needsContact: true } as const;

export const addTag: StepType = {
  ...{ type: 'add_tag', ...ofContact },
  fields: [{ name: 'tag', kind: 'tag', isRequired: true }],
  exits: () => DONE_OR_FAILED,
  values: () => [],
  enter: ({ config }) => ({ ask: 'add_tag', request: { tag: textOf(config, 'tag') } }),
};

export const removeTag: StepType = {
  ...{ type: 'remove_tag', ...ofContact },
  fields: [{ name: 'tag', kind: 'tag', isRequired: true }],
  exits: () => DONE,
  values: () => [],
  enter: ({ config }) => ({ ask: 'remove_tag', request: { tag: textOf(config, 'tag') } }),
};
