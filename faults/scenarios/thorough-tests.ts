import type { FaultReport } from '../fault-report.ts';
import { playTests } from './seeded-tests.ts';

/** Tests of which `npm test` plays a part, by the name that plays them whole. */
export const thoroughFiles: Record<string, readonly string[]> = {
  'acts-once': ['packages/api/test/platform/idempotency'],
  access: [
    'packages/api/test/access',
    'packages/api/test/users/last-admin',
    'apps/server/test/attacks/strangers',
  ],
  'bad-files': ['packages/database/test/backup/bad-files', 'packages/database/test/backup/read-in'],
  'foreign-rows': ['packages/api/test/http-edge/route-isolation'],
  'every-route': ['errors', 're', 'route-input'].map((name) => `packages/api/test/http-edge/${name}`),
  'drawn-cases': [
    'packages/delivery/test/apply-statuses',
    'packages/delivery/test/daily-limit',
    'packages/api/test/conversations/conversation-storing',
    'packages/api/test/inbound/inbound-c',
    ...['custom-fields-files', 'contact-export', 'segments', 'suppression-list', 'person-data'].map(
      (name) => `packages/api/test/contacts/${name}`,
    ),
  ],
  'other-spellings': ['apps/server/test/cases/other-spellings'],
  // The engine of flows: crashes between any two steps, and what comes together.
  flows: [
    ...['engine', 'faults', 'guards', 'runs', 'bad-input', 'people', 'triggers'].map(
      (name) => `packages/api/test/automation/flow-${name}`,
    ),
    ...['packages/api/test/chatbot/bad-input', 'packages/api/test/facts/cause-loops'],
  ],
  'bot-dialogues': ['apps/server/test/chatbot/dialogues'],
  connectors: ['packages/api/test/integrations/'],
  // Every figure in every zone, period and filter; rollups of long random stories.
  figures: ['packages/api/test/analytics/'],
  examples: ['apps/server/test/reference-examples'],
  payloads: ['apps/server/test/every-payload'],
  reach: ['apps/server/test/reach'],
};

export const thoroughTests = Object.fromEntries(
  Object.entries(thoroughFiles).map(([name, some]) => [
    name,
    async (): Promise<FaultReport> => {
      const code = await playTests(some, { THOROUGH: '1' });
      return { isPassed: code === 0, figures: {} };
    },
  ]),
);
