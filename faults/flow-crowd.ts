import { createHmac, randomUUID } from 'node:crypto';
import { newId } from '@app/database/new-id';
import { emptyFlow, type FlowFile } from '@app/domain/flows/flow-file';
import { newRunState } from '@app/domain/flows/run-state';
import type { TwoHosts } from './two-hosts.ts';

// What the scenarios of crowds share: flows, a second workspace with very many runs, customers who write, and times.

/** The sandbox's secret, with which the sample workspace is connected. */
const APP_SECRET = 'sandbox-app-secret';
const SLICE = 100_000;

export async function change<Body = { id: string }>(
  product: TwoHosts,
  path: string,
  body: object = {},
  method: 'POST' | 'PUT' = 'POST',
): Promise<Body> {
  const answer = await product.ask({ method, path, body, key: newId() });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
  return answer.body as Body;
}

export async function publishWorkflow(product: TwoHosts, flow: object): Promise<string> {
  const { id } = await change(product, '/api/workflows', flow);
  await change(product, `/api/workflows/${id}/publish`, { version: 1 });
  return id;
}

/** Turns the bot on: who asks for a size gets an answer at once. */
export async function turnOnBot(product: TwoHosts): Promise<void> {
  const { id } = await change(product, '/api/bot-flows', {
    ...{ name: 'Sizes', trigger: { type: 'keyword', value: 'size' } },
    responses: [{ type: 'text', content: 'We have all sizes.' }],
  });
  await change(product, `/api/bot-flows/${id}/active`, { isActive: true }, 'PUT');
  const { body } = await product.ask({ method: 'GET', path: '/api/bot/settings' });
  const { version } = body as { version: number };
  await change(product, '/api/bot/settings', { isEnabled: true, responseDelay: 0, version }, 'PUT');
}

export type Elsewhere = { workspaceId: string; flowId: string };

/** A second workspace, with an active workflow of one step that ends its run. */
export async function openElsewhere({ database: { systemPool: pool } }: TwoHosts): Promise<Elsewhere> {
  const [workspaceId, flowId] = [randomUUID(), randomUUID()];
  await pool.query(`INSERT INTO workspaces (id, slug, name) VALUES ($1, 'elsewhere', 'Elsewhere')`, [
    workspaceId,
  ]);
  const flow: FlowFile = {
    ...{ ...emptyFlow('workflow', 'Crowd'), start: 'end' },
    steps: [{ id: 'end', type: 'stop', config: { outcome: 'completed' }, delay: null, next: {} }],
  };
  await pool.query(
    `INSERT INTO flows (id, workspace_id, kind, name, description, status, draft, published, created_at, updated_at)
     VALUES ($1, $2, 'workflow', 'Crowd', '', 'active', $3, 1, now(), now())`,
    [flowId, workspaceId, JSON.stringify(flow)],
  );
  await pool.query(
    `INSERT INTO flow_versions (workspace_id, flow_id, number, content, published_at, published_by_name) VALUES ($1, $2, 1, $3, now(), '')`,
    [workspaceId, flowId, JSON.stringify(flow)],
  );
  return { workspaceId, flowId };
}

/** Runs that have not begun, all due at one moment; of these contacts, or of none. */
export async function addDueRuns(
  { database: { systemPool: pool } }: TwoHosts,
  { workspaceId, flowId }: Elsewhere,
  { count, at, contactIds = [] }: { count: number; at: Date; contactIds?: readonly string[] },
): Promise<void> {
  for (let first = 1; first <= count; first += SLICE)
    await pool.query(
      `INSERT INTO flow_runs (id, workspace_id, flow_id, version, contact_id, status, state, class, due_at, seed, started_at)
       SELECT gen_random_uuid(), $1, $2, 1, ($6::uuid[])[n], 'running', $3, 1, $4, n, now() FROM generate_series($5::integer, $7::integer) AS n`,
      [
        ...[workspaceId, flowId, JSON.stringify(newRunState({}, Date.now())), at, first, contactIds],
        Math.min(first + SLICE - 1, count),
      ],
    );
}

/** How many runs elsewhere stand where. */
export async function countRuns(
  { database }: TwoHosts,
  { flowId }: Pick<Elsewhere, 'flowId'>,
): Promise<{ running: number; completed: number; other: number }> {
  const { rows } = await database.systemPool.query(
    `SELECT count(*) FILTER (WHERE status = 'running')::int AS running, count(*) FILTER (WHERE status = 'completed')::int AS completed,
            count(*) FILTER (WHERE status NOT IN ('running', 'completed'))::int AS other FROM flow_runs WHERE flow_id = $1`,
    [flowId],
  );
  return rows[0];
}

/** A webhook as the platform sends it, with its signature. */
export async function deliver(product: TwoHosts, field: string, value: object): Promise<void> {
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '100000000000001',
        changes: [
          {
            field,
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '447700900100', phone_number_id: '200000000000001' },
              ...value,
            },
          },
        ],
      },
    ],
  });
  const answer = await fetch(`${product.url}/webhooks/whatsapp/sample`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`,
    },
    body,
  });
  if (!answer.ok) throw new Error(`The webhook was refused: ${answer.status} ${await answer.text()}`);
}

/** The value below which this share of the numbers lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
