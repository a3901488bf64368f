import type { simulatedContact, simulation } from '@app/contracts/automation/workflow-simulations-contract';
import type { Difference } from '@app/domain/flows/simulation/compare-simulated';
import type { z } from 'zod';
import { cutPage, readNumberCursor } from '../../platform/keyset.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import type { StoredSide, StoredSummary } from './simulate-contacts.ts';

type Simulation = z.infer<typeof simulation>;
type SimulatedContact = z.infer<typeof simulatedContact>;

export async function findSimulation(scope: ReadScope, workflowId: string): Promise<Simulation | null> {
  const { rows } = await scope.query<{
    made_at: Date;
    draft: number;
    published: number | null;
    from_at: Date;
    to_at: Date;
    summary: StoredSummary;
  }>(
    'SELECT made_at, draft, published, from_at, to_at, summary FROM flow_simulations WHERE workspace_id = $1 AND flow_id = $2',
    [scope.workspaceId, workflowId],
  );
  const [row] = rows;
  if (!row) return null;
  const { messageCounts, draft, published, ...counts } = row.summary;
  const names = await readTemplateNames(
    scope,
    messageCounts.flatMap(({ templateId }) => templateId ?? []),
  );
  return {
    ...{ madeAt: row.made_at.toISOString(), from: row.from_at.toISOString(), to: row.to_at.toISOString() },
    ...counts,
    ...{ draft: row.draft, published: row.published, sides: { draft, published } },
    messages: messageCounts.map(({ templateId, text, ...sent }) => ({
      ...{ templateId, text, ...sent },
      templateName: templateId === null ? null : (names.get(templateId) ?? null),
    })),
  };
}

async function readTemplateNames(scope: ReadScope, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await scope.query<{ id: string; name: string }>(
    'SELECT id, name FROM templates WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
    [scope.workspaceId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function listSimulatedContacts(
  scope: ReadScope,
  {
    workflowId,
    difference,
    limit,
    cursor,
  }: {
    workflowId: string;
    difference?: Difference | undefined;
    limit: number;
    cursor?: string | undefined;
  },
): Promise<{ items: SimulatedContact[]; nextCursor: string | null }> {
  const { rows } = await scope.query<{
    place: number;
    contact_id: string | null;
    name: string | null;
    phone: string | null;
    difference: Difference;
    draft: StoredSide;
    published: StoredSide;
  }>(
    `SELECT s.place, k.id AS contact_id, k.name, k.phone, s.difference, s.draft, s.published
       FROM flow_simulation_contacts s LEFT JOIN contacts k ON k.id = s.contact_id AND k.workspace_id = s.workspace_id
      WHERE s.workspace_id = $1 AND s.flow_id = $2 AND s.place > $3 AND ($4::text IS NULL OR s.difference = $4)
        AND (s.contact_id IS NULL OR k.id IS NOT NULL)
      ORDER BY s.place LIMIT $5`,
    [scope.workspaceId, workflowId, readNumberCursor(cursor) ?? 0, difference ?? null, limit + 1],
  );
  const found = cutPage(rows, limit, ({ place }) => ({ key: String(place), id: '' }));
  return {
    items: found.items.map((row) => ({
      contact:
        row.contact_id === null ? null : { id: row.contact_id, name: row.name ?? '', phone: row.phone },
      difference: row.difference,
      ...{ draft: presentSide(row.draft), published: presentSide(row.published) },
    })),
    nextCursor: found.nextCursor,
  };
}

function presentSide({ runs, ...rest }: StoredSide): SimulatedContact['draft'] {
  return { ...rest, runs: runs.map((run) => ({ ...run, at: new Date(run.at).toISOString() })) };
}
