import { every, type RunnableJobKind } from '../jobs/define-job.ts';
import type { ApiDependencies } from '../request-context.ts';
import type { ServerFeature, UpkeepWork } from './server-feature.ts';

/** The two schedules of what all features do now and then. */
export function listUpkeep(features: readonly ServerFeature[]): readonly RunnableJobKind[] {
  const listOf = (pace: 'often' | 'seldom') => features.flatMap(({ upkeep }) => upkeep?.[pace] ?? []);
  return [
    every(30, {
      // The names are those under which they are kept since they began.
      name: 'contact-upkeep',
      // It may go on with the deletion of a whole audience.
      timeoutSeconds: 3_600,
      run: (parts) => doAll(listOf('often'), parts),
    }),
    every(10 * 60, {
      name: 'pruning',
      timeoutSeconds: 1_800,
      run: (parts) => doAll(listOf('seldom'), parts),
    }),
  ];
}

/** One that cannot be done leaves the others alone. */
async function doAll(works: readonly UpkeepWork[], parts: ApiDependencies): Promise<void> {
  let trouble: unknown;
  for (const work of works) await work(parts).catch((error: unknown) => (trouble ??= error));
  if (trouble !== undefined) throw trouble;
}
