import { eachApart } from '@app/database/each-apart';
import type { SqlQueries } from '@app/database/sql-queries';
import type { FlowConfig, Json } from '@app/domain/flows/flow-file';
import {
  isByContact,
  meantDays,
  movedDue,
  nextOccurrence,
  type Occurrence,
} from '@app/domain/flows/flow-schedule';
import { zoneOf } from '@app/domain/flows/flow-times';
import { textOf } from '@app/domain/flows/step-type';
import { runClasses, type FlowHost } from '@app/flows/flow-host';
import { wakeFlows } from '@app/flows/flow-inputs';
import type { WorkspaceScope } from '../../../platform/workspace-scope.ts';
import { addSweeps, type Swept } from './sweep.ts';

/** An occurrence that was missed for longer, because nothing ran, is skipped: nobody wants a greeting of yesterday. */
const MISSED_MS = 12 * 3_600_000;
const AT_ONCE = 50;

type Scope = SqlQueries & { workspaceId: string };

/** Notes when the clock begins each trigger of the flow next. Call it where a flow is published or activated. */
export async function scheduleTriggers(scope: Scope, flowId: string, now: Date): Promise<void> {
  const { rows } = await scope.query<{ trigger_id: string; config: FlowConfig }>(
    `SELECT trigger_id, config FROM flow_triggers WHERE workspace_id = $1 AND flow_id = $2 AND type = 'time_based'`,
    [scope.workspaceId, flowId],
  );
  if (rows.length === 0) return;
  const workspaceZone = await readZone(scope);
  for (const { trigger_id: triggerId, config } of rows)
    await setNext(scope, {
      ...{ flowId, triggerId },
      next: nextOccurrence(config, workspaceZone, now.getTime())?.at ?? null,
    });
  await wakeFlows(scope, runClasses.bulk);
}

/** After the zone of the workspace was changed: what is planned by it comes when its clocks show the time. What is due already stays. */
export async function moveSchedules(scope: Scope, now: Date): Promise<void> {
  const { rows } = await scope.query<{
    flow_id: string;
    trigger_id: string;
    config: FlowConfig;
    next_at: Date;
  }>(
    `SELECT t.flow_id, t.trigger_id, t.config, t.next_at FROM flow_triggers t JOIN flows f ON f.id = t.flow_id
      WHERE t.workspace_id = $1 AND t.type = 'time_based' AND t.next_at > $2 AND f.status = 'active' AND f.published = t.version
      ORDER BY t.flow_id, t.trigger_id FOR UPDATE OF t`,
    [scope.workspaceId, now],
  );
  if (rows.length === 0) return;
  const workspaceZone = await readZone(scope);
  for (const { flow_id: flowId, trigger_id: triggerId, config, next_at: at } of rows) {
    const times = { planned: at.getTime(), now: now.getTime() };
    const next = isByContact(config)
      ? Math.min(times.planned, nextOccurrence(config, workspaceZone, times.now)?.at ?? Infinity)
      : movedDue(config, zoneFor(config, workspaceZone), times);
    if (next !== times.planned) await setNext(scope, { flowId, triggerId, next });
  }
  await wakeFlows(scope, runClasses.bulk);
}

export async function readZone(scope: Scope): Promise<string> {
  const { rows } = await scope.query<{ zone: string }>(
    `SELECT coalesce(settings->>'timeZone', 'UTC') AS zone FROM workspaces WHERE id = $1`,
    [scope.workspaceId],
  );
  return rows[0]?.zone ?? 'UTC';
}

async function setNext(
  scope: Scope,
  { flowId, triggerId, next }: { flowId: string; triggerId: string; next: number | null },
): Promise<void> {
  await scope.query(
    'UPDATE flow_triggers SET next_at = $4 WHERE workspace_id = $1 AND flow_id = $2 AND trigger_id = $3',
    [scope.workspaceId, flowId, triggerId, next === null ? null : new Date(next)],
  );
}

type Due = { workspace_id: string; flow_id: string; trigger_id: string };

/** Turns occurrences whose time has come into sweeps, each in a transaction of its own. */
export async function beginDueTriggers(
  host: Pick<FlowHost<WorkspaceScope>, 'systemPool' | 'inWorkspace' | 'now' | 'logger'>,
): Promise<void> {
  const { rows } = await host.systemPool.query<Due>(
    `SELECT t.workspace_id, t.flow_id, t.trigger_id FROM flow_triggers t JOIN flows f ON f.id = t.flow_id
      WHERE t.next_at <= $1 AND f.status = 'active' AND f.published = t.version ORDER BY t.next_at LIMIT ${AT_ONCE}`,
    [new Date(host.now())],
  );
  await eachApart(
    rows,
    (due) => host.inWorkspace(due.workspace_id, (transaction) => beginOne(transaction, due, host.now())),
    (err, { workspace_id: workspaceId, flow_id: flowId, trigger_id: triggerId }) =>
      host.logger.error({ err, workspaceId, flowId, triggerId }, 'a flow could not be begun at its time'),
  );
}

async function beginOne(scope: Scope, { flow_id: flowId, trigger_id: triggerId }: Due, now: number) {
  const { rows } = await scope.query<{ version: number; config: FlowConfig; next_at: Date }>(
    `SELECT version, config, next_at FROM flow_triggers
      WHERE workspace_id = $1 AND flow_id = $2 AND trigger_id = $3 AND next_at <= $4 FOR UPDATE SKIP LOCKED`,
    [scope.workspaceId, flowId, triggerId, new Date(now)],
  );
  const [trigger] = rows;
  if (!trigger) return;
  const { config, version, next_at: at } = trigger;
  const workspaceZone = await readZone(scope);
  const due = at.getTime();
  const occurrence = occurrenceAt(config, workspaceZone, due);
  if (occurrence && now - due <= MISSED_MS) {
    const values: { [name: string]: Json } = { due_at: at.toISOString() };
    await addSweeps(scope, [
      {
        ...{
          flowId,
          version,
          triggerId,
          source: `time/${at.toISOString()}`,
          at,
          dueAt: at,
          depth: 0,
          values,
        },
        chosen: chosenBy(config, occurrence),
      },
    ]);
  }
  // Of several that were missed one is enough; those of other zones are for other contacts.
  const from = isByContact(config) ? due : Math.max(due, now);
  const next = nextOccurrence(config, workspaceZone, now - due <= MISSED_MS ? from : now - MISSED_MS);
  await setNext(scope, { flowId, triggerId, next: next?.at ?? null });
}

/** Null where no zone of contacts has the time: the workspace has taken another zone since. */
function occurrenceAt(config: FlowConfig, workspaceZone: string, due: number): Occurrence | null {
  if (isByContact(config)) {
    const next = nextOccurrence(config, workspaceZone, due - 1);
    return next?.at === due ? next : null;
  }
  return { at: due, zone: zoneFor(config, workspaceZone), contacts: null };
}

/** Of a trigger that has one zone for all. */
function zoneFor(config: FlowConfig, workspaceZone: string): string {
  return zoneOf(textOf(config, 'zone'), { workspaceZone, contactZone: workspaceZone });
}

export function chosenBy(config: FlowConfig, { at, zone, contacts }: Occurrence): Swept {
  const of = contacts === null ? {} : { contacts };
  if (config['mode'] === 'date_field')
    return { kind: 'date', fieldId: textOf(config, 'field'), days: meantDays(config, zone, at), ...of };
  return config['runs'] === 'once' ? { kind: 'nobody' } : { kind: 'all', ...of };
}
