import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../child-process.ts';
import { listFilesOfBoth } from '../second-server.ts';
import { waitingFiles } from '../waiting-files.ts';

test('guards, migrations, claims and races belong to both servers, and all plans, locks and snapshots to the whole set', () => {
  const kept = [
    'packages/database/test/workspace-isolation.test.ts',
    'packages/database/test/migrations.test.ts',
    'packages/delivery/test/lost-claim.test.ts',
    'packages/api/test/jobs/run-jobs.test.ts',
    'packages/api/test/campaigns/campaign-races.test.ts',
    'packages/api/test/inbound/inbound-races.test.ts',
  ];
  expect(listFilesOfBoth()).toEqual(expect.arrayContaining(kept));
  const whole = [
    ...kept,
    'packages/database/test/moved-channels.test.ts',
    'packages/delivery/test/engine.test.ts',
    'packages/delivery/test/budget.test.ts',
    'packages/api/test/auth/passkeys.test.ts',
    'packages/api/test/automation/flow-claims.test.ts',
    'packages/api/test/conversations/conversations.test.ts',
    'packages/api/test/facts/fact-consumers.test.ts',
    'packages/api/test/platform/stored-answers.test.ts',
    'packages/api/test/users/last-admin.test.ts',
  ];
  expect(listFilesOfBoth(true)).toEqual(expect.arrayContaining(whole));
});

test.each(waitingFiles)('%s runs beside the others', (file) => {
  expect(existsSync(join(root, file))).toBe(true);
});
