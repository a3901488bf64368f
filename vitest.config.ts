import { defineConfig } from 'vitest/config';
import { WaitingFirst } from './tools/waiting-files.ts';

const DATABASE_SERVER = './packages/database/src/testing/global-setup.ts';
/** What the second PostgreSQL is asked to understand (`tools/compare-servers.ts`). */
const RECORDER = process.env['STATEMENTS_FOLDER']
  ? ['./packages/database/src/testing/record-statements.ts']
  : [];

/** `unit` needs nothing, `database` and `server` share one throw-away PostgreSQL per run. */
export default defineConfig({
  test: {
    // Modules are loaded once per worker: no module keeps state of its own, and no test replaces one.
    isolate: false,
    sequence: { sequencer: WaitingFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/{domain,contracts,providers,sandbox}/{src,test}/**/*.test.ts',
            'apps/web/src/**/*.test.{ts,tsx}',
            'tools/test/**/*.test.ts',
          ],
          // Many start processes and listen; a time-out is for what hangs, not for a busy machine.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      // Building blocks of the web app, pressed and typed into; the browser proves journeys, not their branches.
      {
        test: {
          name: 'dom',
          include: ['apps/web/test/**/*.test.tsx'],
          environment: 'jsdom',
          // Each file has a document of its own.
          isolate: true,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      // The libraries of other people against the sandbox; nothing else needs them.
      {
        test: {
          name: 'clients',
          include: ['clients/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'database',
          include: ['packages/{database,delivery,api}/{src,test}/**/*.test.ts'],
          globalSetup: DATABASE_SERVER,
          setupFiles: RECORDER,
          testTimeout: 120_000,
          // Mail and live events come after the answer; a busy machine may take its time.
          expect: { poll: { timeout: 90_000 } },
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/{src,test}/**/*.test.ts'],
          globalSetup: DATABASE_SERVER,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
