import { defineFact } from '../events/fact-definition.ts';
import { oneOf, text, whole } from '../events/fact-values.ts';
import { connectorProblems } from './connector-problems.ts';

const common = {
  version: 1,
  subject: 'integration',
  live: [{ topic: 'integrations' }],
  forWebhooks: false,
} as const;
/** The kind, such as `hubspot`. */
const about = { kind: text } as const;

export const integrationFacts = {
  'integration.connected': defineFact({
    ...{ ...common, values: about },
    audit: { type: 'create', resource: 'settings' },
  }),
  'integration.updated': defineFact({
    ...{ ...common, values: about },
    audit: { type: 'update', resource: 'settings' },
  }),
  'integration.disconnected': defineFact({
    ...{ ...common, values: about },
    audit: { type: 'delete', resource: 'settings' },
  }),
  'integration.sync_started': defineFact({ ...{ ...common, values: about }, audit: null }),
  'integration.synced': defineFact({
    ...{ ...common, values: { ...about, received: whole, sent: whole, failed: whole } },
    audit: null,
  }),
  /** Events wait: its line failed for days, or only a person can mend it. */
  'integration.line_paused': defineFact({
    ...{ ...common, values: { ...about, problem: oneOf(connectorProblems), detail: text } },
    audit: null,
  }),
  /** A line delivered an event while its connection showed an error. */
  'integration.line_resumed': defineFact({ ...{ ...common, values: about }, audit: null }),
  /** It works again, after it showed an error. */
  'integration.recovered': defineFact({ ...{ ...common, values: about }, audit: null }),
  /** It needs a person: the card shows an error. */
  'integration.failed': defineFact({
    ...{ ...common, values: { ...about, problem: oneOf(connectorProblems) } },
    audit: { type: 'update', resource: 'settings' },
  }),
};
