import { textOf } from '../step-type.ts';
import type { TriggerType } from '../trigger-type.ts';

/** What became of the recipient of a campaign, a while after the campaign was completed: reports of reading come later. */
export const campaignOutcome: TriggerType = {
  ...{ type: 'campaign_outcome', kinds: ['workflow'], isAwaitable: false },
  fields: [
    { name: 'campaign', kind: 'campaign' },
    {
      ...{ name: 'outcome', kind: 'choice', isRequired: true, initial: 'read' },
      options: ['read', 'delivered', 'sent', 'failed'],
    },
    { name: 'after', kind: 'duration', isRequired: true, initial: { amount: 1, unit: 'days' } },
  ],
  values: () => ['campaign_id', 'campaign', 'outcome'],
  // The contacts are looked up when the time has come.
  matches: (config, { campaign_id: id }) => [id, ''].includes(textOf(config, 'campaign')),
};

/** At a time, again and again, or on a date of the contact. Contacts are those that meet the conditions of the trigger. */
export const timeBased: TriggerType = {
  ...{ type: 'time_based', kinds: ['workflow'], isAwaitable: false },
  fields: [
    {
      ...{ name: 'mode', kind: 'choice', isRequired: true, initial: 'at' },
      options: ['at', 'every', 'date_field'],
    },
    { name: 'at', kind: 'date_time', isRequired: true, when: { field: 'mode', is: ['at'] } },
    {
      ...{ name: 'period', kind: 'choice', isRequired: true, initial: 'day' },
      ...{ options: ['hour', 'day', 'week', 'month'], when: { field: 'mode', is: ['every'] } },
    },
    { name: 'weekdays', kind: 'weekdays', initial: [1], when: { field: 'period', is: ['week'] } },
    {
      ...{ name: 'day', kind: 'number', least: 1, most: 31, initial: 1 },
      when: { field: 'period', is: ['month'] },
    },
    {
      ...{ name: 'field', kind: 'custom_field', customFieldType: 'date', isRequired: true },
      when: { field: 'mode', is: ['date_field'] },
    },
    {
      ...{ name: 'offset', kind: 'number', least: -365, most: 365, initial: 0 },
      when: { field: 'mode', is: ['date_field'] },
    },
    { name: 'yearly', kind: 'flag', initial: true, when: { field: 'mode', is: ['date_field'] } },
    {
      ...{ name: 'time', kind: 'time', isRequired: true, initial: '09:00' },
      when: { field: 'mode', is: ['every', 'date_field'] },
    },
    { name: 'zone', kind: 'time_zone', initial: 'workspace' },
    {
      ...{ name: 'runs', kind: 'choice', initial: 'each_contact', options: ['each_contact', 'once'] },
      when: { field: 'mode', is: ['at', 'every'] },
    },
  ],
  values: () => ['due_at'],
  bringsContact: ({ mode, runs }) => mode === 'date_field' || runs !== 'once',
  // The clock begins it, and no fact.
  matches: () => false,
};
