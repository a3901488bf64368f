import { globSync } from 'node:fs';
import { root } from './child-process.ts';

/** The test files of one feature, as paths from the root, by the runner that plays them. */
export type FeatureTests = {
  /** Rules and the pure parts of every layer: Vitest project `unit`. */
  unit: string[];
  /** Building blocks and forms of the web app: Vitest project `dom`. */
  dom: string[];
  /** API, engine, tables and server: Vitest project `database`. */
  database: string[];
  /** Journeys in the browser. */
  journeys: string[];
};

/** As `vitest.config.ts` and `e2e/playwright.config.ts` share the files out. */
const PLACES: Record<keyof FeatureTests, readonly string[]> = {
  unit: [
    'packages/{domain,contracts,providers,sandbox,flows}/{src,test}/**/*.test.ts',
    'apps/web/src/**/*.test.{ts,tsx}',
    'tools/test/**/*.test.ts',
  ],
  dom: ['apps/web/test/**/*.test.tsx'],
  database: [
    'packages/{database,delivery,api}/{src,test}/**/*.test.ts',
    'apps/server/{src,test}/**/*.test.ts',
  ],
  journeys: ['e2e/*.e2e.ts'],
};

/** What `npm test -- NAME` plays: every test file that stands in a folder of that name, or whose own name begins with it. */
export function findFeatureTests(name: string): FeatureTests {
  const found = (patterns: readonly string[]) =>
    patterns
      .flatMap((pattern) => globSync(pattern, { cwd: root }))
      .filter((path) => !path.includes('node_modules') && !path.includes('.slow.test.'))
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => belongsTo(path, name))
      .toSorted();
  return {
    unit: found(PLACES.unit),
    dom: found(PLACES.dom),
    database: found(PLACES.database),
    journeys: found(PLACES.journeys),
  };
}

/** `contacts` owns `packages/domain/src/contacts/*`, `contacts-bulk.e2e.ts` and `contact-form.test.tsx`, not `contact-imports/*`. */
export function belongsTo(path: string, name: string): boolean {
  const folders = path.split('/');
  const stem = (folders.pop() ?? '').replace(/\..*$/, '');
  if (folders.includes(name)) return true;
  if (folders.some((folder) => folder.startsWith(`${name}-`))) return false;
  const singular = name.replace(/s$/, '');
  return [name, singular].some((word) => stem === word || stem.startsWith(`${word}-`));
}
