import type { FlowFile } from '@app/domain/flows/flow-file';
import { endOperation } from '../../platform/operations/end-operation.ts';
import {
  OperationCancelled,
  OperationLost,
  type OperationKind,
  type RunningOperation,
} from '../../platform/operations/operation-kind.ts';
import { advanceOperation, lockOperation } from '../../platform/operations/operation-rows.ts';
import { publishRow } from '../../platform/operations/publish-progress.ts';
import { inNameOf } from '../../platform/operations/run-operation.ts';
import { checkStarter } from '../../platform/operations/starter-rights.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import {
  beginsRun,
  calledEvents,
  eventsOf,
  readFacts,
  sweptEvents,
  type FoundEvent,
  type Sides,
  type Span,
} from './collect-events.ts';
import {
  readSamples,
  simulateContacts,
  Tally,
  type Contacts,
  type SimulatedRow,
  type StoredSummary,
} from './simulate-contacts.ts';

/** The draft as it was when it was asked for, with the number of the version that it is compared with. */
export type SimulationWish = {
  workflowId: string;
  draft: FlowFile;
  draftVersion: number;
  published: number | null;
};

export const DAYS_SIMULATED = 7;
/** Beyond these a simulation says that it did not look at everything. */
const MOST_FACTS = 100_000;
const MOST_STARTS = 10_000;
/** Contacts between two looks at whether to go on: other work gets its turn. */
const CONTACTS_AT_ONCE = 100;

/**
 * Tries a draft with the stored events of the last days. All of it only reads, in short transactions, and what came of it is written in the one that
 * ends the operation. Begun anew by another process, it begins at the beginning.
 */
export const workflowSimulation: OperationKind = {
  name: 'workflow-simulation',
  async run(running) {
    const wish = running.operation.wish as SimulationWish; // as it was asked for
    const { workflowId } = wish;
    const to = running.parts.clock();
    const flows: Sides = { draft: wish.draft, published: null };
    const samples = await inNameOf(running, async (scope) => {
      await checkStarter(scope, workflowSimulation.name, running.caller);
      flows.published = await readPublished(scope, wish);
      return readSamples(scope, workflowId);
    });
    const from = new Date(to.getTime() - DAYS_SIMULATED * 86_400_000);
    const read = await collect(running, flows, wish, { from, to });
    const isCalling = wish.draft.steps.filter(({ type }) => type === 'webhook_call').length;
    const tally = new Tally({ events: read.events, isCut: read.isCut, calls: isCalling });
    const rows: SimulatedRow[] = [];
    for (let at = 0; at < read.contacts.length; at += CONTACTS_AT_ONCE) {
      const contacts = read.contacts.slice(at, at + CONTACTS_AT_ONCE);
      const found = await inNameOf(running, (scope) =>
        simulateContacts(scope, tally, { workflowId, flows, contacts, span: read.span, samples }),
      );
      rows.push(...found);
      await report(running, { done: contacts.length, total: read.contacts.length });
    }
    await inNameOf(running, async (scope) => {
      await store(scope, wish, { span: read.span, summary: tally.told(), rows });
      if (!(await endOperation(scope, workflowSimulation, running.operation, { state: 'done' })))
        throw new OperationLost();
    });
  },
  // It changed nothing that anybody would have to be told.
  onEnd: async () => undefined,
};

type Collected = { contacts: Contacts; events: number; isCut: boolean; span: Span };

/** The events by contact: those that begin runs, and what the same contacts did afterwards. */
async function collect(
  running: RunningOperation,
  flows: Sides,
  { workflowId }: SimulationWish,
  span: Span,
): Promise<Collected> {
  const byContact = new Map<string | null, FoundEvent[]>();
  let starts = 0;
  let [afterId, events, isOver] = ['0', 0, false];
  let { to } = span;
  const add = (found: readonly FoundEvent[]) => {
    for (const event of found) {
      const isStart = beginsRun(flows, event);
      const own = byContact.get(event.contactId);
      if (isStart) starts += 1;
      if (own) own.push(event);
      // What a contact did before it could enter moves nothing.
      else if (isStart) byContact.set(event.contactId, [event]);
    }
  };
  const called = await inNameOf(running, (scope) =>
    calledEvents(scope, workflowId, flows, { ...span, most: MOST_STARTS }),
  );
  events += called.length;
  add(called);
  add(await inNameOf(running, (scope) => sweptEvents(scope, flows, [], { ...span, most: MOST_STARTS })));
  while (!isOver && starts < MOST_STARTS && events < MOST_FACTS) {
    const page = await inNameOf(running, async (scope) => {
      const { facts, ...rest } = await readFacts(scope, { from: span.from, afterId });
      const swept = facts.filter(({ type }) => type === 'contacts.imported' || type === 'campaign.completed');
      const found = await eventsOf(scope, facts);
      const begun =
        swept.length === 0
          ? []
          : await sweptOfFacts(scope, flows, swept, { ...span, most: MOST_STARTS - starts });
      return { ...rest, n: facts.length, last: facts.at(-1)?.recordedAt, found: [...found, ...begun] };
    });
    ({ lastId: afterId, isOver } = page);
    events += page.n;
    add(page.found);
    if (!isOver && page.last) to = page.last;
    await report(running, { done: 0 });
  }
  return {
    ...{ contacts: [...byContact], events, isCut: !isOver || starts >= MOST_STARTS },
    span: { from: span.from, to: isOver ? span.to : to },
  };
}

/** Without what the clock begins, which is looked up once. */
async function sweptOfFacts(
  scope: ReadScope,
  flows: Sides,
  facts: Parameters<typeof sweptEvents>[2],
  bound: Parameters<typeof sweptEvents>[3],
): Promise<FoundEvent[]> {
  const withoutClock = (flow: FlowFile) => ({
    ...flow,
    triggers: flow.triggers.filter(({ type }) => type !== 'time_based'),
  });
  const { draft, published } = flows;
  return sweptEvents(
    scope,
    { draft: withoutClock(draft), published: published && withoutClock(published) },
    facts,
    bound,
  );
}

/** A sign of life; stops what was cancelled, or what another process has by now. */
async function report(running: RunningOperation, done: { done: number; total?: number }): Promise<void> {
  const { operation, parts, signal } = running;
  signal.throwIfAborted();
  const row = await inNameOf(running, (scope) => advanceOperation(scope, operation, done));
  if (!row) throw new OperationLost();
  if (row.state === 'cancelling') throw new OperationCancelled();
  await publishRow(parts, { row, workspaceId: operation.workspace_id, now: parts.clock() });
}

async function readPublished(
  scope: ReadScope,
  { workflowId, published }: SimulationWish,
): Promise<FlowFile | null> {
  const { rows } = await scope.query<{ content: FlowFile }>(
    'SELECT content FROM flow_versions WHERE workspace_id = $1 AND flow_id = $2 AND number = $3',
    [scope.workspaceId, workflowId, published],
  );
  return rows[0]?.content ?? null;
}

/** In the place of the last one. A workflow that was deleted meanwhile has none. */
async function store(
  scope: WorkspaceScope,
  { workflowId, draftVersion, published }: SimulationWish,
  { span, summary, rows }: { span: Span; summary: StoredSummary; rows: readonly SimulatedRow[] },
): Promise<void> {
  const of = [scope.workspaceId, workflowId];
  await scope.query('DELETE FROM flow_simulations WHERE workspace_id = $1 AND flow_id = $2', of);
  const { rowCount } = await scope.query(
    `INSERT INTO flow_simulations (workspace_id, flow_id, made_at, draft, published, from_at, to_at, summary)
     SELECT $1, id, $3, $4, $5, $6, $7, $8 FROM flows WHERE workspace_id = $1 AND id = $2`,
    [...of, scope.clock(), draftVersion, published, span.from, span.to, JSON.stringify(summary)],
  );
  if (!rowCount) return;
  await scope.query(
    `INSERT INTO flow_simulation_contacts (workspace_id, flow_id, place, contact_id, difference, draft, published)
     SELECT $1, $2, g.place, g."contactId", g.difference, g.draft, g.published
       FROM jsonb_to_recordset($3::jsonb) AS g (place integer, "contactId" uuid, difference text, draft jsonb, published jsonb)
      WHERE g."contactId" IS NULL OR EXISTS (SELECT FROM contacts k WHERE k.workspace_id = $1 AND k.id = g."contactId")`,
    [...of, JSON.stringify(rows.map((row, place) => ({ ...row, place: place + 1 })))],
  );
}

/** Until then its operation is the one that is asked for. */
export async function findOpenSimulation(scope: ReadScope, workflowId: string): Promise<string | null> {
  const { rows } = await scope.query<{ id: string }>(
    `SELECT id FROM operations WHERE workspace_id = $1 AND kind = 'workflow-simulation' AND subject = $2
        AND state IN ('queued', 'running', 'interrupted', 'cancelling') ORDER BY id LIMIT 1`,
    [scope.workspaceId, workflowId],
  );
  const [open] = rows;
  return open && (await lockOperation(scope as WorkspaceScope, open.id)) ? open.id : null;
}
