import type { ApiDependencies } from '@app/api/platform/request-context';
import { syncAllTemplates } from '@app/api/templates/sync-all-templates';

const EVERY_MS = 5 * 60_000;
/** What the platform decided while we were away. */
const FIRST_MS = 5_000;

/** Keeps templates in line with the platform while the process runs. */
export function startTemplateSync(dependencies: ApiDependencies): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  const sync = () => {
    running ??= syncAllTemplates(dependencies).finally(() => {
      running = undefined;
    });
    running.catch((error: unknown) =>
      dependencies.logger.error({ err: error }, 'templates could not be synced'),
    );
  };
  const first = setTimeout(sync, FIRST_MS);
  const timer = setInterval(sync, EVERY_MS);
  return {
    async stop() {
      clearTimeout(first);
      clearInterval(timer);
      await running?.catch(() => undefined); // logged above
    },
  };
}
