import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { playTests } from './seeded-tests.ts';

/** Tests of which `npm test` plays a part or none, by the name that plays them whole. */
const files: Record<string, readonly string[]> = {
  'killed-acts': ['packages/api/test/long-acts/killed-'],
};

export const thoroughTests = Object.fromEntries(
  Object.entries(files).map(([name, some]) => [
    name,
    async (_: FaultOptions): Promise<FaultReport> => {
      const code = await playTests(some, { THOROUGH: '1' });
      return { isPassed: code === 0, figures: {} };
    },
  ]),
);
