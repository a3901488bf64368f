/**
 * Where an opt-in or opt-out comes from. `person`: said on the messaging platform. `staff`: recorded here by hand, or stated by an import. `form`: the
 * box of a hosted form was ticked. `bot`: agreed to in a dialogue with the chatbot. `integration`: brought by a connection to another service.
 */
export const consentSources = ['person', 'staff', 'form', 'bot', 'integration'] as const;
export type ConsentSource = (typeof consentSources)[number];

/** Whether it was noted of a contact, and not said under a number: then it belongs to the contact, whatever number they have. */
export const isNoted = (source: ConsentSource): boolean => source === 'staff' || source === 'integration';
