import type { FactConsumer } from '../facts/fact-consumer.ts';
import type { RunnableJobKind } from '../jobs/define-job.ts';
import { gatherPersonData, type PeopleData } from '../person-data/gather-person-data.ts';
import type { FileRoute } from '../http-edge/file-routes.ts';
import { tableRulesByFeature } from '@app/database/all-table-rules';
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
  refuseDoubles('kind of job', jobKinds, ({ name }) => name);
  for (const feature of all) checkPersonData(feature);
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
    ...{ consumers, enqueuedJobs, jobKinds, people: gatherPersonData(all) },
  };
}

/** A table either holds nothing about contacts, or its feature says what it does with their rows. */
function checkPersonData({ name, personData }: ServerFeature): void {
  const declared = Object.entries(tableRulesByFeature[name] ?? {});
  const personal = declared.filter(([, rule]) => rule.noContacts === undefined).map(([table]) => table);
  const handled = Object.keys(personData?.tables ?? {});
  const wrong = personal.filter((table) => !handled.includes(table));
  wrong.push(...handled.filter((table) => !personal.includes(table)));
  if (wrong.length > 0)
    throw new Error(`Declared as personal data in one place only, by ${name}: ${wrong.join(', ')}`);
}

function refuseDoubles<Item>(what: string, items: readonly Item[], nameOf: (item: Item) => string): void {
  const names = items.map(nameOf);
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) throw new Error(`Two features have the same ${what}: ${double}`);
}
