import type { TableRules } from '../table-rules.ts';

export const webhookEndpointsTableRules = {
  webhook_endpoints: {
    noContacts: 'addresses of receivers, which are no contacts',
    archive: { how: 'leave-out', because: 'two installations would send to one receiver, under one secret' },
    clear: { how: 'keep', because: 'receivers are set up once; nothing is sent but what happens' },
  },
  webhook_deliveries: {
    archive: { how: 'leave-out', because: 'what is under way is so in one installation' },
    clear: {
      how: 'keep',
      because: 'what happened is sent to the end, and goes after a month, as the facts do',
    },
  },
  connector_threads: {
    archive: { how: 'leave-out', because: 'connections are of one installation' },
    clear: { how: 'keep', because: 'with their conversations' },
  },
  webhook_attempts: {
    archive: { how: 'leave-out', because: 'calls of this installation' },
    clear: { how: 'keep', because: 'with their deliveries' },
  },
} as const satisfies TableRules;
