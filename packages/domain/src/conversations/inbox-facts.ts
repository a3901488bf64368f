import { defineFact } from '../events/fact-definition.ts';
import { flag, text } from '../events/fact-values.ts';

const common = {
  version: 1,
  subject: 'workspace',
  live: [{ topic: 'inbox-settings' }],
  forWebhooks: false,
} as const;

/** How a workspace works in its inbox. */
export const inboxFacts = {
  'inbox_settings.updated': defineFact({
    ...common,
    values: {},
    audit: { type: 'update', resource: 'messages' },
  }),
  /** Somebody does, or does not, want conversations that are given out by themselves. */
  'inbox.available': defineFact({ ...common, values: { userId: text, isAvailable: flag }, audit: null }),
  'conversation_label.created': defineFact({
    ...common,
    values: { name: text },
    audit: { type: 'create', resource: 'messages' },
  }),
  'conversation_label.updated': defineFact({
    ...common,
    values: { name: text, before: text },
    audit: { type: 'update', resource: 'messages' },
    live: [{ topic: 'inbox-settings' }, { topic: 'messages' }],
  }),
  'conversation_label.deleted': defineFact({
    ...common,
    values: { name: text },
    audit: { type: 'delete', resource: 'messages' },
    live: [{ topic: 'inbox-settings' }, { topic: 'messages' }],
  }),
  /** Of everybody alone: what somebody keeps for themselves concerns nobody. */
  'conversation_view.created': defineFact({
    ...common,
    values: { name: text },
    audit: { type: 'create', resource: 'messages' },
  }),
  'conversation_view.updated': defineFact({
    ...common,
    values: { name: text },
    audit: { type: 'update', resource: 'messages' },
  }),
  'conversation_view.deleted': defineFact({
    ...common,
    values: { name: text },
    audit: { type: 'delete', resource: 'messages' },
  }),
};
