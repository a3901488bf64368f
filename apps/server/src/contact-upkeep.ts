import { settleLostImports } from '@app/api/contact-imports/lost-imports';
import { purgeKeptContacts } from '@app/api/contact-removals/purge-kept-contacts';
import { resumeRemovals } from '@app/api/contact-removals/run-removals';
import type { ApiDependencies } from '@app/api/platform/request-context';

const EVERY_MS = 30_000;

/** Goes on with deletions and ends imports whose process died, and forgets what cannot be taken back any more. */
export function startContactUpkeep(dependencies: ApiDependencies): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  const work = async () => {
    try {
      await settleLostImports(dependencies);
      await resumeRemovals(dependencies);
      await purgeKeptContacts(dependencies);
    } catch (error) {
      dependencies.logger.warn({ err: error }, 'the upkeep of contacts failed and is tried again');
    }
  };
  const tick = () => {
    running ??= work().finally(() => (running = undefined));
  };
  tick();
  const timer = setInterval(tick, EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
