import type { FeatureTests } from './feature-tests.ts';

/** The command of the journeys: all of them, or those of some files, which may be of the whole set alone. */
export function browserCommand(files: readonly string[]): string[] {
  return [
    'node_modules/@playwright/test/cli.js',
    'test',
    '--config=e2e',
    '--reporter=list,json',
    ...(files.length > 0 ? ['--pass-with-no-tests', ...files] : []),
  ];
}

/** Whether a feature has nothing but journeys: the whole of them is played then, because those that `npm test` plays may be none. */
export function hasJourneysAlone({ unit, dom, database }: FeatureTests): boolean {
  return [unit, dom, database].every((files) => files.length === 0);
}
