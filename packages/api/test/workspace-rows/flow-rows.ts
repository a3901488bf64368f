import { emptyFlow } from '@app/domain/flows/flow-file';
import { newRunState } from '@app/domain/flows/run-state';

type FlowRows = Record<
  | 'workspaceId'
  | 'workflowId'
  | 'runId'
  | 'contactId'
  | 'botFlowId'
  | 'knowledgeId'
  | 'knowledgePageId'
  | 'messageId'
  | 'channelId',
  string
>;

/** A workflow with a run, a bot with its flow and what it knows, and what it has answered. */
export async function addFlowRows(
  insert: (statement: string, values: unknown[]) => Promise<unknown>,
  rows: FlowRows,
  mark: string,
): Promise<void> {
  const step = { id: 'step', type: 'add_tag', config: { tag: 'seen' }, delay: null, next: {} };
  const trigger = { id: 'tagged', type: 'tag_added', config: { tags: ['customer'] }, conditions: null };
  await insert(
    `INSERT INTO flows (id, workspace_id, kind, name, draft, published, published_draft, published_at, status, created_at, updated_at)
     VALUES ($1, $2, 'workflow', $3, $4, 1, 1, now(), 'active', now(), now())`,
    [
      ...[rows.workflowId, rows.workspaceId, mark],
      JSON.stringify({
        ...emptyFlow('workflow', mark),
        ...{ triggers: [trigger], start: 'step', steps: [step] },
      }),
    ],
  );
  await insert(
    `INSERT INTO flow_versions (workspace_id, flow_id, number, content, published_at, published_by_name)
       SELECT workspace_id, id, 1, draft, now(), $2 FROM flows WHERE id = $1`,
    [rows.workflowId, mark],
  );
  await insert(
    `INSERT INTO flow_runs (id, workspace_id, flow_id, version, contact_id, trigger_id, status, state, step_id, wait, class, seed, started_at)
     VALUES ($1, $2, $3, 1, $4, 'tagged', 'running', $5, 'step', 'time', 1, 1, now())`,
    [
      ...[rows.runId, rows.workspaceId, rows.workflowId, rows.contactId],
      JSON.stringify(newRunState({ tag: mark }, 0)),
    ],
  );
  await insert(
    `INSERT INTO flows (id, workspace_id, kind, name, draft, published, published_draft, published_at, status, created_at, updated_at)
     VALUES ($1, $2, 'bot', $3, $4, 1, 1, now(), 'active', now(), now())`,
    [rows.botFlowId, rows.workspaceId, mark, JSON.stringify(emptyFlow('bot', mark))],
  );
  await insert('INSERT INTO bot_flows (id, workspace_id, priority) VALUES ($1, $2, 1)', [
    rows.botFlowId,
    rows.workspaceId,
  ]);
  await insert(
    `INSERT INTO bot_settings (workspace_id, settings, answers_flow_id) VALUES ($1, $2, NULL) ON CONFLICT DO NOTHING`,
    [rows.workspaceId, JSON.stringify({ closedMessage: mark })],
  );
  await insert(
    `INSERT INTO bot_knowledge (id, workspace_id, kind, title, answer, url, characters, read_at, created_at, updated_at)
     VALUES ($1, $2, 'pair', $3, $3, NULL, 10, now(), now(), now())`,
    [rows.knowledgeId, rows.workspaceId, mark],
  );
  // Nothing listens there.
  await insert(
    `INSERT INTO bot_knowledge (id, workspace_id, kind, title, answer, url, characters, read_at, created_at, updated_at)
     VALUES ($1, $2, 'address', $3, NULL, 'https://127.0.0.1:9/a-page', 10, now(), now(), now())`,
    [rows.knowledgePageId, rows.workspaceId, mark],
  );
  await insert(
    `INSERT INTO bot_knowledge_parts (workspace_id, knowledge_id, place, text, words) VALUES ($1, $2, 0, $3, $3)`,
    [rows.workspaceId, rows.knowledgeId, mark],
  );
  await insert(
    `INSERT INTO ai_connections (workspace_id, provider, base_url, key_hint, model) VALUES ($1, 'compatible', $2, $2, $2) ON CONFLICT DO NOTHING`,
    [rows.workspaceId, mark],
  );
  await insert(
    `INSERT INTO ai_calls (id, workspace_id, purpose, contact_id, channel_id, state, model, asked_at)
     VALUES ($1, $2, 'answer', $3, $4, 'done', $5, now())`,
    [rows.messageId, rows.workspaceId, rows.contactId, rows.channelId, mark],
  );
  await insert(
    `INSERT INTO bot_answers (message_id, workspace_id, contact_id, channel_id, rule, flow_id, flow_name, decided_at)
     VALUES ($1, $2, $3, $4, 'flow', $5, $6, now())`,
    [rows.messageId, rows.workspaceId, rows.contactId, rows.channelId, rows.botFlowId, mark],
  );
}
