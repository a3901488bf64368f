import type { TableRules } from '../table-rules.ts';

export const integrationsTableRules = {
  integrations: {
    noContacts: 'connections of the workspace',
    archive: { how: 'leave-out', because: 'two installations would exchange with one account' },
    clear: { how: 'keep', because: 'connections are disconnected, and connected again in a minute' },
  },
  integration_runs: {
    noContacts: 'figures of syncs; of a preview the first records, which go with the runs',
    archive: { how: 'leave-out', because: 'the same' },
    clear: { how: 'keep', because: 'with them' },
  },
  integration_records: {
    archive: { how: 'leave-out', because: 'of connections, which are made anew' },
    clear: { how: 'keep', because: 'they go when connections are disconnected, before anything else' },
  },
  integration_items: {
    archive: { how: 'leave-out', because: 'of connections, which are made anew' },
    clear: { how: 'keep', because: 'they go when connections are disconnected, before anything else' },
  },
} as const satisfies TableRules;
