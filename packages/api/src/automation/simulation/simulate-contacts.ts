import type {
  simulationSides,
  simulationSummary,
} from '@app/contracts/automation/workflow-simulations-contract';
import { listFlowRules } from '@app/domain/flows/check-flow';
import {
  compareSimulated,
  countMessages,
  type Difference,
  type MessageCount,
} from '@app/domain/flows/simulation/compare-simulated';
import { simulateContact, type Simulated } from '@app/domain/flows/simulation/simulate-contact';
import type { EffectOutcome, Known } from '@app/domain/flows/run-state';
import type { FlowFile } from '@app/domain/flows/flow-file';
import type { z } from 'zod';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { findMeeting, readContacts, readWorkspace } from '../engine/flow-host.ts';
import { sides, type FoundEvent, type Side, type Sides, type Span } from './collect-events.ts';

export type SimulationSummary = z.infer<typeof simulationSummary>;
export type StoredSummary = SimulationSummary &
  z.infer<typeof simulationSides> & { messageCounts: MessageCount[] };

/** One contact that the draft treats in another way. */
export type SimulatedRow = {
  contactId: string | null;
  difference: Difference;
  draft: StoredSide;
  published: StoredSide;
};

export type StoredSide = {
  runs: {
    at: number;
    path: { stepId: string; type: string; exit: string | null; code: string | null }[];
    messages: number;
    end: Simulated['runs'][number]['end'];
    unknown: Simulated['runs'][number]['unknown'];
  }[];
  count: number;
  messages: number;
  refused: string[];
};

/** Of one contact; more is counted and not listed. */
const MOST_RUNS = 3;
const LONGEST_PATH = 40;

/** Counts over all contacts that were tried. */
export class Tally {
  readonly summary: StoredSummary;
  private readonly messages = new Map<string, MessageCount>();
  private readonly refused: Record<Side, Map<string, number>> = { draft: new Map(), published: new Map() };

  constructor(read: Pick<StoredSummary, 'events' | 'isCut' | 'calls'>) {
    const empty = () => ({
      ...{ runs: 0, contacts: 0, completed: 0, failed: 0, unknown: 0, messages: 0, refused: [] },
    });
    this.summary = {
      ...{ ...read, contacts: 0, missing: 0, messageCounts: [] },
      differences: { enters: 0, stays_out: 0, other_path: 0, other_messages: 0, same: 0 },
      ...{ draft: empty(), published: empty() },
    };
  }

  add(difference: Difference, simulated: Record<Side, Simulated>): void {
    this.summary.contacts += 1;
    this.summary.differences[difference] += 1;
    for (const side of sides) {
      const counted = this.summary[side];
      const { runs, refused } = simulated[side];
      counted.runs += runs.length;
      if (runs.length > 0) counted.contacts += 1;
      for (const { end, unknown, messages } of runs) {
        if (end?.outcome === 'completed') counted.completed += 1;
        if (end?.outcome === 'failed') counted.failed += 1;
        if (unknown) counted.unknown += 1;
        counted.messages += messages.length;
      }
      countMessages(this.messages, simulated[side], side);
      for (const reason of refused) this.refused[side].set(reason, (this.refused[side].get(reason) ?? 0) + 1);
    }
  }

  told(): StoredSummary {
    const listRefused = (side: Side) =>
      [...this.refused[side]].map(([reason, n]) => ({ reason, n })).toSorted((a, b) => b.n - a.n);
    const { summary } = this;
    return {
      ...summary,
      draft: { ...summary.draft, refused: listRefused('draft') },
      published: { ...summary.published, refused: listRefused('published') },
      messageCounts: [...this.messages.values()].toSorted(
        (a, b) => b.draft + b.published - a.draft - a.published,
      ),
    };
  }
}

export type Contacts = [contactId: string | null, events: FoundEvent[]][];

/** Tries some contacts in both flows; answers with those whom the draft treats in another way. */
export async function simulateContacts(
  scope: ReadScope,
  tally: Tally,
  {
    workflowId,
    flows,
    contacts,
    span,
    samples,
  }: { workflowId: string; flows: Sides; contacts: Contacts; span: Span; samples: Samples },
): Promise<SimulatedRow[]> {
  const ids = contacts.flatMap(([id]) => id ?? []);
  const people = await readContacts(scope, ids);
  const workspace = await readWorkspace(scope);
  const history = await readHistory(scope, workflowId, ids, span.from);
  const meeting: Record<Side, Map<string, Set<string>>> = {
    draft: await findAllMeeting(scope, flows.draft, ids),
    published: flows.published ? await findAllMeeting(scope, flows.published, ids) : new Map(),
  };
  return contacts.flatMap(([contactId, events]): SimulatedRow[] => {
    const person = contactId === null ? undefined : people.get(contactId);
    if (contactId !== null && !person) {
      tally.summary.missing += 1;
      return [];
    }
    const known: Known = {
      ...{ ...workspace, contact: person?.contact ?? {}, seed: seedOf(contactId) },
      contactZone: person?.contactZone ?? workspace.workspaceZone,
    };
    const inOrder = events.toSorted((one, other) => one.at - other.at);
    const before = history.get(contactId ?? '');
    const simulateIn = (side: Side): Simulated => {
      const flow = flows[side];
      if (!flow) return { runs: [], refused: [] };
      return simulateContact(flow, {
        known,
        events: inOrder.filter((event) => (event.side ?? side) === side),
        hasEntered: before?.hasEntered ?? false,
        busyUntil: before?.busyUntil ?? null,
        meets: (id) => contactId !== null && meeting[side].get(id)?.has(contactId) === true,
        sampleOf: (stepId) => samples.get(stepId) ?? { status: 'done', values: { status: 200 } },
        knownUntil: span.to.getTime(),
      });
    };
    const simulated = { draft: simulateIn('draft'), published: simulateIn('published') };
    const difference = compareSimulated(simulated.draft, simulated.published);
    tally.add(difference, simulated);
    if (difference === 'same') return [];
    const { draft, published } = simulated;
    return [{ contactId, difference, draft: shorten(draft), published: shorten(published) }];
  });
}

/** The same draws for both flows: a difference is never one of chance. */
function seedOf(contactId: string | null): number {
  return contactId === null ? 0 : Number.parseInt(contactId.slice(-8), 16);
}

function shorten({ runs, refused }: Simulated): StoredSide {
  return {
    count: runs.length,
    messages: runs.reduce((sum, { messages }) => sum + messages.length, 0),
    refused: [...new Set(refused)],
    runs: runs.slice(0, MOST_RUNS).map(({ at, path, messages, end, unknown }) => ({
      ...{ at, path: path.slice(0, LONGEST_PATH), messages: messages.length, end, unknown },
    })),
  };
}

/** Who meets the conditions of each trigger and the rules of each step, by its id. */
async function findAllMeeting(
  scope: ReadScope,
  flow: FlowFile,
  ids: readonly string[],
): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  if (ids.length > 0)
    for (const { of, rules } of listFlowRules(flow)) found.set(of, await findMeeting(scope, ids, rules));
  return found;
}

type History = { hasEntered: boolean; busyUntil: number | null };

/** What each contact had done in the workflow before: an open run is in progress for as long as it is. */
async function readHistory(
  scope: ReadScope,
  workflowId: string,
  ids: readonly string[],
  from: Date,
): Promise<Map<string, History>> {
  if (ids.length === 0) return new Map();
  const { rows } = await scope.query<{ id: string; has_entered: boolean; busy_until: Date | null }>(
    `SELECT a.id, EXISTS (SELECT FROM flow_entries e WHERE e.flow_id = $2 AND e.contact_id = a.id AND e.entered_at < $4)
              OR count(r.id) > 0 AS has_entered,
            max(coalesce(r.ended_at, '9999-01-01')) FILTER (WHERE r.ended_at IS NULL OR r.ended_at > $4) AS busy_until
       FROM unnest($3::uuid[]) AS a (id)
       LEFT JOIN flow_runs r ON r.workspace_id = $1 AND r.contact_id = a.id AND r.flow_id = $2 AND r.started_at < $4 AND NOT r.is_test
      GROUP BY a.id`,
    [scope.workspaceId, workflowId, ids, from],
  );
  return new Map(
    rows.map(({ id, has_entered: hasEntered, busy_until: busyUntil }) => [
      id,
      { hasEntered, busyUntil: busyUntil?.getTime() ?? null },
    ]),
  );
}

/** What calls of each step brought last. */
export type Samples = ReadonlyMap<string, EffectOutcome & { status: 'done' }>;

const RUNS_SAMPLED = 1_000;

export async function readSamples(scope: ReadScope, workflowId: string): Promise<Samples> {
  const { rows } = await scope.query<{ step_id: string; outcome: EffectOutcome & { status: 'done' } }>(
    `SELECT DISTINCT ON (e.step_id) e.step_id, e.outcome FROM flow_effects e
       JOIN (SELECT id FROM flow_runs WHERE workspace_id = $1 AND flow_id = $2 ORDER BY started_at DESC LIMIT ${RUNS_SAMPLED}) AS r ON r.id = e.run_id
      WHERE e.workspace_id = $1 AND e.kind = 'webhook_call' AND e.state = 'done' ORDER BY e.step_id, e.ended_at DESC`,
    [scope.workspaceId, workflowId],
  );
  return new Map(rows.map(({ step_id: stepId, outcome }) => [stepId, outcome]));
}
