import type { FactConsumer } from '../facts/fact-consumer.ts';
import type { RunnableJobKind } from '../jobs/define-job.ts';
import { gatherPersonData, type PeopleData } from '../person-data/gather-person-data.ts';
import type { FileRoute } from '../http-edge/file-routes.ts';
import type { FlowHost } from '@app/flows/flow-host';
import type { WorkspaceScope } from '../workspace-scope.ts';
import type { BackgroundWorker, FileParts, FlowEffectParts, ServerFeature } from './server-feature.ts';
import { listUpkeep } from './upkeep.ts';

/** The parts of the contract that these features implement together, with their types: the compiler sees which one is missing. */
type JoinedRouter<Features extends readonly ServerFeature[]> = (
  Features[number] extends infer One
    ? One extends { router: infer Part }
      ? (part: Part) => void
      : never
    : never
) extends (all: infer Whole) => void
  ? Whole
  : never;

export type GatheredFeatures<Features extends readonly ServerFeature[]> = {
  router: JoinedRouter<Features>;
  listFiles(parts: FileParts): readonly FileRoute[];
  consumers: readonly FactConsumer[];
  /** What somebody leaves for later. */
  enqueuedJobs: readonly RunnableJobKind[];
  /** That and what begins by itself. */
  jobKinds: readonly RunnableJobKind[];
  workers: readonly BackgroundWorker[];
  people: PeopleData;
  /** What features do for steps of flows, by the names of the effects. */
  listFlowEffects(parts: FlowEffectParts): FlowHost<WorkspaceScope>['effects'];
  /** Every table of the database, with the feature that has it. */
  tableOwners: ReadonlyMap<string, string>;
};

/**
 * What the server is made of, from what each feature says of itself. Two that say the same is a mistake of the code: it stops the
 * process before anybody meets half of it.
 */
export function gatherFeatures<const Features extends readonly ServerFeature[]>(
  features: Features,
): GatheredFeatures<Features> {
  const all: readonly ServerFeature[] = features;
  const consumers = all.flatMap((feature) => feature.consumers ?? []);
  const enqueuedJobs = all.flatMap((feature) => feature.jobs ?? []);
  const jobKinds = [
    ...enqueuedJobs,
    ...all.flatMap((feature) => feature.schedules ?? []),
    ...listUpkeep(all),
  ];
  const routers = all.flatMap((feature) => Object.entries(feature.router ?? {}));
  refuseDoubles('name', all, ({ name }) => name);
  refuseDoubles('part of the contract', routers, ([part]) => part);
  refuseDoubles('consumer', consumers, ({ name }) => name);
  const tables = all.flatMap(({ name, tables: others = {}, personData }) =>
    [...Object.keys(others), ...Object.keys(personData?.tables ?? {})].map((table) => [table, name] as const),
  );
  refuseDoubles('kind of job', jobKinds, ({ name }) => name);
  refuseDoubles('table', tables, ([table]) => table);
  return {
    router: Object.fromEntries(routers) as JoinedRouter<Features>, // each under its own name, as seen above
    listFiles(parts) {
      const files = all.flatMap((feature) => feature.files?.(parts) ?? []);
      refuseDoubles('address', files, ({ method, path }) => `${method} ${path}`);
      return files;
    },
    listFlowEffects(parts) {
      const effects = all.flatMap((feature) => Object.entries(feature.flowEffects?.(parts) ?? {}));
      refuseDoubles('effect of flows', effects, ([name]) => name);
      return Object.fromEntries(effects);
    },
    workers: all.flatMap((feature) => feature.workers ?? []),
    ...{ consumers, enqueuedJobs, jobKinds, people: gatherPersonData(all), tableOwners: new Map(tables) },
  };
}

function refuseDoubles<Item>(what: string, items: readonly Item[], nameOf: (item: Item) => string): void {
  const names = items.map(nameOf);
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) throw new Error(`Two features have the same ${what}: ${double}`);
}
