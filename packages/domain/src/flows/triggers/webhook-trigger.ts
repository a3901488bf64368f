import type { TriggerType } from '../trigger-type.ts';

const withContact = { field: 'contact', is: ['create', 'find'] } as const;

/** A call of another service. Paths say where the contact stands in its body, such as `customer.phone`. */
export const webhook: TriggerType = {
  ...{ type: 'webhook', kinds: ['workflow'], isAwaitable: false },
  fields: [
    {
      ...{ name: 'contact', kind: 'choice', isRequired: true, initial: 'create' },
      options: ['create', 'find', 'none'],
    },
    { name: 'phone', kind: 'path', isRequired: true, initial: 'phone', when: withContact },
    { name: 'name', kind: 'path', when: { field: 'contact', is: ['create'] } },
    { name: 'email', kind: 'path', when: { field: 'contact', is: ['create'] } },
  ],
  values: () => ['body.*'],
  bringsContact: ({ contact }) => contact !== 'none',
  // The call begins it, and no fact.
  matches: () => false,
};
