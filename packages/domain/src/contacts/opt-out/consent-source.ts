/**
 * Where an opt-in or opt-out comes from. `person`: said on the messaging platform. `staff`: recorded here by hand, or stated by an import or another
 * service. `form`: the box of a hosted form was ticked. `bot`: agreed to in a dialogue with the chatbot.
 */
export const consentSources = ['person', 'staff', 'form', 'bot'] as const;
export type ConsentSource = (typeof consentSources)[number];
