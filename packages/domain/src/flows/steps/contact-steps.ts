import { DONE, DONE_OR_FAILED, textOf, type StepType } from '../step-type.ts';

const ofContact = { kinds: ['workflow', 'bot'], group: 'contact', needsContact: true } as const;
const changesContact = { ...ofContact, worksOnContactOnly: true } as const;

export const addTag: StepType = {
  ...{ type: 'add_tag', ...changesContact },
  fields: [{ name: 'tag', kind: 'tag', isRequired: true }],
  exits: () => DONE_OR_FAILED,
  values: () => [],
  enter: ({ config }) => ({ ask: 'add_tag', request: { tag: textOf(config, 'tag') } }),
};

export const removeTag: StepType = {
  ...{ type: 'remove_tag', ...changesContact },
  fields: [{ name: 'tag', kind: 'tag', isRequired: true }],
  exits: () => DONE,
  values: () => [],
  enter: ({ config }) => ({ ask: 'remove_tag', request: { tag: textOf(config, 'tag') } }),
};

/** Writes one custom field of the contact. An empty value clears the field. */
export const setField: StepType = {
  ...{ type: 'set_field', ...changesContact },
  fields: [
    { name: 'field', kind: 'custom_field', isRequired: true },
    { name: 'value', kind: 'text', takesValues: true },
  ],
  exits: () => DONE_OR_FAILED,
  values: () => [],
  enter: ({ config }) => ({
    ask: 'set_field',
    request: { fieldId: textOf(config, 'field'), value: textOf(config, 'value').trim() },
  }),
};

/** Adds the contact to the recipients of a campaign that has not started yet. */
export const addToCampaign: StepType = {
  ...{ type: 'add_to_campaign', ...ofContact, kinds: ['workflow'] },
  fields: [{ name: 'campaign', kind: 'campaign', isRequired: true }],
  exits: () => DONE_OR_FAILED,
  values: () => [],
  enter: ({ config }) => ({ ask: 'add_to_campaign', request: { campaignId: textOf(config, 'campaign') } }),
};
