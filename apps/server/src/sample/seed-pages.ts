import { addWorkflow, publishDraft, setWorkflowStatus } from '@app/api/automation/workflow-changes';
import { addPublishedFlow } from '@app/api/chatbot/bot-flows-queries';
import type { SecretBox } from '@app/api/platform/request-context';
import { openScope, type WorkspaceScope } from '@app/api/platform/workspace-scope';
import { addRcsMessage } from '@app/api/rcs/rcs-messages-queries';
import type { Queries } from '@app/database/database';
import { newId } from '@app/database/new-id';
import { newBotState } from '@app/domain/chatbot/bot-state';
import { defaultRolePermissions } from '@app/domain/auth/permissions';
import { advance } from '@app/domain/flows/advance';
import type { FlowFile } from '@app/domain/flows/flow-file';
import { newRunState, type LogEntry, type RunInput, type RunState } from '@app/domain/flows/run-state';
import type pg from 'pg';
import { sampleContacts } from './sample-content.ts';
import { sampleBotFlows, sampleWorkflows } from './sample-flows.ts';
import { sampleRcsMessages } from './sample-rcs-messages.ts';

type Seeding = {
  tx: Queries;
  client: pg.PoolClient;
  secrets: SecretBox;
  workspaceId: string;
  contactIds: readonly string[];
  templateIds: readonly string[];
  now: Date;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Adds workflows with their runs, bot flows and RCS messages, so that their pages show something in a new sample workspace. */
export async function seedPages(seeding: Seeding): Promise<void> {
  await seedWorkflows(seeding);
  await seedBot(seeding);
  const scope = await openQuietly(seeding, 20);
  for (const message of sampleRcsMessages)
    await addRcsMessage(scope, { ...message, language: 'en', translations: {} });
}

/** In the name of the admin of the sample, so many days before its start. Nothing that is made here follows from a fact, and nothing follows from it. */
async function openQuietly(
  { tx, client, workspaceId, now }: Seeding,
  daysAgo: number,
): Promise<WorkspaceScope> {
  const { rows } = await client.query<{ id: string; name: string }>(
    `SELECT u.id, u.name FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1 AND m.role = 'admin' LIMIT 1`,
    [workspaceId],
  );
  const [admin] = rows;
  if (!admin) throw new Error('The sample has no admin.');
  const clock = () => new Date(now.getTime() - daysAgo * DAY_MS);
  const caller = {
    ...admin,
    kind: 'person',
    workspaceId,
    permissions: defaultRolePermissions.admin,
  } as const;
  const scope = openScope({ caller, origin: null, tx, client, clock, afterwards: [] });
  const nothing = async () => {};
  return { ...scope, emit: nothing, emitMany: nothing };
}

async function seedWorkflows(seeding: Seeding): Promise<void> {
  const { client, secrets, workspaceId, templateIds, contactIds, now } = seeding;
  for (const [place, { flow, status, runs }] of sampleWorkflows.entries()) {
    const scope = await openQuietly(seeding, 30 + sampleWorkflows.length - place);
    const file = flow(templateIds);
    const added = await addWorkflow(scope, secrets, file);
    if (typeof added === 'string') throw new Error(`A workflow of the sample was refused: ${added}`);
    const workflowId = added.id;
    if (status === 'draft') continue;
    const { version } = added;
    const published = await publishDraft(scope, { workflowId, version, runs: 'finish' });
    if (typeof published === 'string' || Array.isArray(published))
      throw new Error(`A workflow of the sample was not published: ${JSON.stringify(published)}`);
    if (status === 'paused') await setWorkflowStatus(scope, workflowId, 'paused');
    const times = runs.map(({ daysAgo }) => now.getTime() - daysAgo * DAY_MS);
    for (const [number, { contact }] of runs.entries())
      await insertRun(client, {
        ...{ workspaceId, workflowId, flow: file, at: times[number]! }, // of the same runs
        ...{ contactId: contactIds[contact] ?? null, name: sampleContacts[contact]?.name ?? '' },
      });
    await client.query(
      'UPDATE flows SET triggered = $2, completed = $2, last_triggered_at = $3 WHERE id = $1',
      [workflowId, runs.length, new Date(Math.max(...times))],
    );
  }
}

type SampleRun = {
  workspaceId: string;
  workflowId: string;
  flow: FlowFile;
  contactId: string | null;
  name: string;
  at: number;
};

/** A run that is over, with the log that the engine would have written. */
async function insertRun(
  client: pg.PoolClient,
  { workspaceId, workflowId, flow, contactId, name, at }: SampleRun,
): Promise<void> {
  const id = newId();
  const { state, log } = playRun(flow, name, at);
  const endedAt = new Date(log.at(-1)?.endedAt ?? at);
  await client.query(
    `INSERT INTO flow_runs (id, workspace_id, flow_id, version, contact_id, trigger_id, status, state, class, seed, started_at, ended_at)
     VALUES ($1, $2, $3, 1, $4, $5, $6, $7, 1, 0, $8, $9)`,
    [
      ...[id, workspaceId, workflowId, contactId, flow.triggers[0]?.id ?? null],
      ...[state.end?.outcome ?? 'completed', JSON.stringify(state), new Date(at), endedAt],
    ],
  );
  for (const entry of log)
    await client.query(
      `INSERT INTO flow_log (id, workspace_id, run_id, flow_id, visit, step_id, type, event, exit, code, details, attempt, began_at, ended_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1, $12, $13)`,
      [
        ...[newId(), workspaceId, id, workflowId, entry.visit, entry.stepId, entry.type, entry.event],
        ...[entry.exit, entry.code, JSON.stringify(entry.details)],
        ...[new Date(entry.beganAt), new Date(entry.endedAt)],
      ],
    );
}

/** Through the core of the engine: waits pass, and what a step asks of the world is done a second later. */
function playRun(flow: FlowFile, name: string, at: number): { state: RunState; log: readonly LogEntry[] } {
  const known = {
    ...{ contact: { name }, workspace: { business: 'Sample Business' }, seed: 0 },
    ...{ contactZone: 'UTC', workspaceZone: 'UTC' },
  };
  const log: LogEntry[] = [];
  let state = newRunState({}, at);
  let now = at;
  let input: RunInput = { kind: 'start' };
  while (state.end === null) {
    const moved = advance(flow, state, input, known, now);
    log.push(...moved.log);
    ({ state } = moved);
    const [effect] = moved.effects;
    if (!effect && moved.wait?.kind !== 'time') break;
    now = effect ? now + 1000 : (moved.wait?.until ?? now);
    input = effect
      ? { kind: 'outcome', visit: effect.visit, number: effect.number, outcome: { status: 'done' } }
      : { kind: 'time' };
  }
  return { state, log };
}

/** The bot of the sample is off. Its last conversation was handed to people. */
async function seedBot(seeding: Seeding): Promise<void> {
  const { client, workspaceId, contactIds } = seeding;
  const scope = await openQuietly(seeding, 25);
  for (const { flow, times } of sampleBotFlows) {
    const added = await addPublishedFlow(scope, flow);
    if (typeof added === 'string') throw new Error(`A flow of the sample was refused: ${added}`);
    await client.query('UPDATE flows SET triggered = $2, completed = $2 WHERE id = $1', [added.id, times]);
  }
  const { rows } = await client.query<{ id: string; channel_id: string; contact_id: string; at: Date }>(
    `SELECT id, channel_id, contact_id, occurred_at AS at FROM messages WHERE workspace_id = $1 AND contact_id = $2 AND direction = 'in'
      ORDER BY occurred_at DESC LIMIT 1`,
    [workspaceId, contactIds.at(-1)],
  );
  const [last] = rows;
  if (!last) return;
  const handedOverAt = last.at.getTime();
  const state = {
    ...newBotState(handedOverAt - 40 * MINUTE_MS),
    ...{ status: 'waiting', messages: 4, unmatched: 2, reason: 'fallback', handedOverAt },
  };
  await client.query('UPDATE conversations SET bot_state = $3 WHERE workspace_id = $1 AND contact_id = $2', [
    workspaceId,
    last.contact_id,
    JSON.stringify(state),
  ]);
  await client.query(
    `INSERT INTO bot_answers (message_id, workspace_id, contact_id, channel_id, rule, handoff, decided_at)
     VALUES ($1, $2, $3, $4, 'fallback', 'fallback', $5)`,
    [last.id, workspaceId, last.contact_id, last.channel_id, last.at],
  );
}
