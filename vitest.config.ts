import { defineConfig } from 'vitest/config';
import { WaitingFirst } from './tools/waiting-files.ts';

const DATABASE_SERVER = './packages/database/src/testing/global-setup.ts';
/** What the second PostgreSQL is asked to understand (`tools/compare-servers.ts`). */
const RECORDER = process.env['STATEMENTS_FOLDER']
  ? ['./packages/database/src/testing/record-statements.ts']
  : [];

/** A time-out is for what hangs, not for a busy machine; what comes after an answer, such as mail, may take its time. */
const PATIENCE = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 90_000 } } };

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
          ...PATIENCE,
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
          ...PATIENCE,
        },
      },
      // The libraries of other people against the sandbox; nothing else needs them.
      {
        test: {
          name: 'clients',
          include: ['clients/**/*.test.ts'],
          ...PATIENCE,
        },
      },
      {
        test: {
          name: 'database',
          include: ['packages/{database,delivery,api}/{src,test}/**/*.test.ts'],
          globalSetup: DATABASE_SERVER,
          setupFiles: RECORDER,
          ...PATIENCE,
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/{src,test}/**/*.test.ts'],
          globalSetup: DATABASE_SERVER,
          ...PATIENCE,
        },
      },
    ],
  },
});
