import { isAbsolute, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from './child-process.ts';

/**
 * Files whose tests wait for nearly all of their time, for what must take long or must not come: a mail server that says nothing, a
 * process that is missed; and those that work the longest. They begin first, so that nobody waits for them at the end, when nothing else
 * is left to do.
 */
export const waitingFiles = [
  'apps/server/test/mail-jobs.slow.test.ts',
  'apps/server/test/rcs-agent.test.ts',
  'packages/api/test/channels/webhook-calls.slow.test.ts',
  'apps/server/test/backup/backup-commands.slow.test.ts',
  'packages/api/test/integrations/connector-contract.test.ts',
];

/** The order of Vitest, behind what waits. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) =>
      waitingFiles.includes(isAbsolute(moduleId) ? relative(root, moduleId) : moduleId);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}
