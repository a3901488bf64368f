import { defineConfig } from 'vitest/config';
import { isThorough, playsLong } from './packages/database/src/testing/thorough.ts';
import { WaitingFirst } from './tools/waiting-files.ts';

const DATABASE_SERVER = './packages/database/src/testing/global-setup.ts';
const PROPERTY_SEED = './tools/property-seed.ts';
/** What the second PostgreSQL is asked to understand (`tools/compare-servers.ts`). */
const RECORDER = process.env['STATEMENTS_FOLDER']
  ? ['./packages/database/src/testing/record-statements.ts']
  : [];

/** A time-out is for what hangs, not for a busy machine; what comes after an answer, such as mail, may take its time. */
const PATIENCE = {
  // Long tests are played beside other work, at the lowest priority.
  testTimeout: isThorough ? 1_200_000 : 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 300_000 } },
};

/** What `npm run faults -- long-tests` plays. */
const exclude = ['**/node_modules/**', ...(playsLong ? [] : ['**/*.slow.test.ts'])];

/** `unit` needs nothing; what `database` has, the server's tests among it, shares one throw-away PostgreSQL per run, and its workers. */
export default defineConfig({
  test: {
    // Modules are loaded once per worker: no module keeps state of its own, and no test replaces one.
    isolate: false,
    // Much is made and thrown away at once, of which little lives: rubbish is collected less often.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: WaitingFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/{domain,contracts,providers,sandbox,flows}/{src,test}/**/*.test.ts',
            'apps/web/src/**/*.test.{ts,tsx}',
            'tools/test/**/*.test.ts',
          ],
          setupFiles: [PROPERTY_SEED],
          ...PATIENCE,
        },
      },
      // Building blocks of the web app, pressed and typed into; the browser proves journeys, not their branches.
      {
        test: {
          name: 'dom',
          include: ['apps/web/test/**/*.test.tsx'],
          environment: 'jsdom',
          // Each file has a document of its own, and what is loaded from disk is compiled once for all of them.
          pool: 'vmForks',
          setupFiles: ['./apps/web/test/streams.ts'],
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
          include: [
            'packages/{database,delivery,api}/{src,test}/**/*.test.ts',
            'apps/server/{src,test}/**/*.test.ts',
          ],
          exclude,
          globalSetup: DATABASE_SERVER,
          setupFiles: [PROPERTY_SEED, ...RECORDER],
          ...PATIENCE,
        },
      },
    ],
  },
});
