import type { ConnectorKind } from '@app/domain/integrations/connector-kind';

/** A service that accepts everybody and has no records. */
export const quietConnector: ConnectorKind = {
  ...{ name: 'quiet', title: 'Quiet', category: 'crm', type: null, features: [], limit: {} },
  credentials: {
    version: 1,
    fields: [{ name: 'quietKey', label: 'accessToken', isSecret: true, format: 'text' }],
  },
  contacts: {
    mapping: [
      { ours: 'name', theirs: 'name', direction: 'both', wins: 'newest' },
      { ours: 'phone', theirs: 'phone', direction: 'both', wins: 'newest' },
    ],
  },
  events: { topics: [{ name: 'newContacts' }], perSecond: 10, withoutAnswer: 'again', hasHooks: true },
  open: () => ({
    events: { send: async () => ({ outcome: 'sent' }) },
    check: async () => ({ state: 'healthy', account: 'quiet' }),
    contacts: {
      listFields: async () => ({ ok: true, value: [] }),
      pull: async () => ({ ok: true, value: { records: [], cursor: 'end', isLast: true } }),
      fetch: async () => ({ ok: true, value: [] }),
      find: async () => ({ ok: true, value: [] }),
      push: async (records) => ({
        ok: true,
        value: records.map((_, place) => ({ ok: true, externalId: `new-${place}` })),
      }),
    },
  }),
};
