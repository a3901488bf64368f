import type { explanation, messageOrigin } from '@app/contracts/automation/workflow-values';
import { bindTo } from '@app/database/bind-value';
import { segmentSql } from '@app/database/segments/segment-filter';
import type { SegmentRules } from '@app/domain/segments/segment-rules';
import type { z } from 'zod';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { TRIGGER_TYPE } from './workflow-runs-queries.ts';
import { findFlowRow } from './workflows-queries.ts';

export type Explanation = z.infer<typeof explanation>;
export type MessageOrigin = z.infer<typeof messageOrigin>;

/** The run and the step that sent the message; null for one of no workflow. */
export async function findOrigin(
  scope: ReadScope,
  messageId: string,
): Promise<MessageOrigin | null | 'message_not_found'> {
  const { rowCount } = await scope.query('SELECT FROM messages WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    messageId,
  ]);
  if (!rowCount) return 'message_not_found';
  const { rows } = await scope.query<{
    flow_id: string;
    name: string;
    run_id: string;
    trigger_id: string | null;
    trigger_type: string | null;
    is_test: boolean;
    started_at: Date;
    step_id: string;
    visit: number;
    asked_at: Date;
  }>(
    `SELECT r.flow_id, f.name, e.run_id, r.trigger_id, ${TRIGGER_TYPE} AS trigger_type, r.is_test, r.started_at, e.step_id, e.visit, e.asked_at
       FROM flow_effects e JOIN flow_runs r ON r.id = e.run_id JOIN flows f ON f.id = r.flow_id AND f.kind = 'workflow'
      WHERE e.workspace_id = $1 AND e.message_id = $2`,
    [scope.workspaceId, messageId],
  );
  const [found] = rows;
  return found
    ? {
        ...{ workflowId: found.flow_id, workflowName: found.name, runId: found.run_id },
        ...{ trigger: found.trigger_id, triggerType: found.trigger_type, isTest: found.is_test },
        startedAt: found.started_at.toISOString(),
        ...{ stepId: found.step_id, visit: found.visit, askedAt: found.asked_at.toISOString() },
      }
    : null;
}

const MOST_STARTS = 50;

/** What became of each start of the contact, and what stands in the way by the data of today: nobody knows any more what held at the time. */
export async function explainEntry(
  scope: ReadScope,
  { workflowId, contactId }: { workflowId: string; contactId: string },
): Promise<Explanation | 'workflow_not_found' | 'contact_not_found'> {
  const flow = await findFlowRow(scope, workflowId);
  if (!flow) return 'workflow_not_found';
  const of = [scope.workspaceId, workflowId, contactId];
  const { rows: contacts } = await scope.query<{ blocked: boolean; entered: boolean; inside: boolean }>(
    `SELECT c.status = 'blocked' AS blocked, EXISTS (SELECT FROM flow_entries e WHERE e.flow_id = $2 AND e.contact_id = c.id) AS entered,
            EXISTS (SELECT FROM flow_runs r WHERE r.contact_id = c.id AND r.flow_id = $2 AND r.status = 'running' AND NOT r.is_test) AS inside
       FROM contacts c WHERE c.workspace_id = $1 AND c.id = $3`,
    of,
  );
  const [contact] = contacts;
  if (!contact) return 'contact_not_found';
  const { rows: starts } = await scope.query<{
    at: Date;
    trigger_id: string | null;
    state: 'open' | 'started' | 'refused';
    reason: string | null;
    run_id: string | null;
  }>(
    `SELECT at, trigger_id, state, reason, run_id FROM flow_starts
      WHERE workspace_id = $1 AND flow_id = $2 AND contact_id = $3 ORDER BY id DESC LIMIT ${MOST_STARTS}`,
    of,
  );
  const { triggers, settings } = flow.content ?? flow.draft;
  const asked: Explanation['today']['triggers'] = [];
  for (const { id, type, conditions } of triggers)
    asked.push({
      ...{ id, type },
      meetsConditions: await meets(scope, contactId, conditions as SegmentRules | null), // publishing looked at them
    });
  const found: Record<Explanation['today']['obstacles'][number], boolean> = {
    not_active: flow.status !== 'active',
    contact_blocked: contact.blocked,
    conditions_not_met: asked.length > 0 && asked.every(({ meetsConditions }) => !meetsConditions),
    entered_before: settings.reentry === 'once' && contact.entered,
    in_progress: settings.reentry === 'one_at_a_time' && contact.inside,
    trigger_not_seen: starts.length === 0,
  };
  return {
    starts: starts.map(({ at, trigger_id: trigger, state, reason, run_id: runId }) => ({
      ...{ at: at.toISOString(), trigger, state, reason, runId },
    })),
    today: {
      obstacles: (Object.keys(found) as (keyof typeof found)[]).filter((name) => found[name]), // its keys
      triggers: asked,
    },
  };
}

async function meets(scope: ReadScope, contactId: string, rules: SegmentRules | null): Promise<boolean> {
  if (rules === null) return true;
  const values: unknown[] = [scope.workspaceId, contactId];
  const condition = segmentSql(rules, bindTo(values), { workspaceId: scope.workspaceId, alias: 'c' });
  const { rowCount } = await scope.query(
    `SELECT FROM contacts c WHERE c.workspace_id = $1 AND c.id = $2 AND ${condition}`,
    values,
  );
  return rowCount !== 0;
}
