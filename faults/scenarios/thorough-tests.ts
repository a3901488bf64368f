import type { FaultReport } from '../fault-report.ts';
import { playTests } from './seeded-tests.ts';

/** Tests of which `npm test` plays a part or none, by the name that plays them whole. */
const files: Record<string, readonly string[]> = {
  'killed-acts': ['packages/api/test/operations/killed-'],
  'acts-once': ['packages/api/test/platform/idempotency'],
  access: [
    'packages/api/test/access',
    'packages/api/test/users/last-admin',
    'apps/server/test/attacks/strangers',
  ],
  'bad-files': ['packages/database/test/backup/bad-files'],
  'foreign-rows': ['packages/api/test/http-edge/route-isolation'],
  'every-route': ['packages/api/test/http-edge/re', 'packages/api/test/http-edge/route-input'],
  'drawn-cases': [
    'packages/delivery/test/apply-statuses',
    'packages/api/test/inbound/inbound-c',
    ...['custom-fields-files', 'contact-export', 'segments', 'suppression-list', 'person-data'].map(
      (name) => `packages/api/test/contacts/${name}`,
    ),
  ],
  'large-facts': ['packages/api/test/facts/import-facts'],
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
  floods: ['apps/server/test/webhook-floods'],
};

export const thoroughTests = Object.fromEntries(
  Object.entries(files).map(([name, some]) => [
    name,
    async (): Promise<FaultReport> => {
      const code = await playTests(some, { THOROUGH: '1' });
      return { isPassed: code === 0, figures: {} };
    },
  ]),
);
