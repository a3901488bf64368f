import type { botSettings } from '@app/contracts/chatbot/bot-settings-values';
import { newId } from '@app/database/new-id';
import { answersFlow } from '@app/domain/chatbot/bot-flow';
import { readBotSettings, type BotSettings } from '@app/domain/chatbot/bot-settings';
import type { z } from 'zod';
import { publishBotFlow, setBotFlowActive, stopAllDialogues } from '../automation/bot-flows.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

export type StoredBotSettings = z.infer<typeof botSettings>;
type Row = { settings: Record<string, unknown>; version: number; answers_flow_id: string | null };

/** How the bot answers; version 0 where nobody changed anything. */
export async function findBotSettings(scope: ReadScope): Promise<StoredBotSettings> {
  const row = await findRow(scope);
  return { ...readBotSettings(row?.settings ?? null), version: row?.version ?? 0 };
}

export async function changeBotSettings(
  scope: WorkspaceScope,
  { version, ...changes }: Partial<BotSettings> & { version: number },
): Promise<StoredBotSettings | 'bot_settings_changed'> {
  const { version: before, ...kept } = await findBotSettings(scope);
  if (before !== version) return 'bot_settings_changed';
  const settings: BotSettings = { ...kept, ...changes };
  settings.senders = await keepKnown(scope, settings.senders);
  const { rowCount } = await scope.query(
    `INSERT INTO bot_settings AS s (workspace_id, settings, version) VALUES ($1, $2, 1)
     ON CONFLICT (workspace_id) DO UPDATE SET settings = excluded.settings, version = s.version + 1 WHERE s.version = $3`,
    [scope.workspaceId, JSON.stringify(settings), version],
  );
  if (rowCount === 0) return 'bot_settings_changed';
  if (settings.isEnabled) await prepareAnswers(scope);
  else if (kept.isEnabled) await stopAllDialogues(scope, 'bot_off');
  const { isEnabled } = settings;
  await scope.emit({ type: 'chatbot_settings.updated', subject: scope.workspaceId, values: { isEnabled } });
  return findBotSettings(scope);
}

/** Senders and flows that are of another workspace, or gone since the form was opened, are left out. */
async function keepKnown(scope: ReadScope, senders: BotSettings['senders']): Promise<BotSettings['senders']> {
  if (senders.length === 0) return [];
  const { rows } = await scope.query<{ id: string }>(
    `SELECT id FROM channels WHERE workspace_id = $1 AND id = ANY ($2::uuid[])
     UNION ALL SELECT id FROM bot_flows WHERE workspace_id = $1 AND id = ANY ($3::uuid[])`,
    [
      scope.workspaceId,
      senders.map(({ channelId }) => channelId),
      senders.flatMap(({ botFlowIds }) => botFlowIds ?? []),
    ],
  );
  const known = new Set(rows.map(({ id }) => id));
  return senders
    .filter(({ channelId }) => known.has(channelId))
    .map(({ botFlowIds, ...sender }) => ({
      ...sender,
      botFlowIds: botFlowIds?.filter((id) => known.has(id)) ?? null,
    }));
}

/** The flow through which the bot says what no flow of people says; null until the bot was turned on. */
export async function findAnswersFlow(scope: ReadScope): Promise<{ flowId: string; version: number } | null> {
  const { rows } = await scope.query<{ flowId: string; version: number }>(
    `SELECT f.id AS "flowId", f.published AS version FROM bot_settings s JOIN flows f ON f.id = s.answers_flow_id
      WHERE s.workspace_id = $1 AND f.status = 'active'`,
    [scope.workspaceId],
  );
  return rows[0] ?? null;
}

/** Makes that flow, or turns it on again where a restore paused it. The row of the settings is locked by the change. */
async function prepareAnswers(scope: WorkspaceScope): Promise<void> {
  const known = (await findRow(scope))?.answers_flow_id;
  if (known) return setBotFlowActive(scope, { flowId: known, isActive: true });
  const flowId = newId();
  const problems = await publishBotFlow(scope, { flowId, flow: answersFlow(), isActive: true });
  if (problems.length > 0) throw new Error(`The flow of built-in answers is wrong: ${problems[0]?.code}`);
  await scope.query('UPDATE bot_settings SET answers_flow_id = $2 WHERE workspace_id = $1', [
    scope.workspaceId,
    flowId,
  ]);
}

async function findRow({ query, workspaceId }: ReadScope): Promise<Row | undefined> {
  const { rows } = await query<Row>(
    'SELECT settings, version, answers_flow_id FROM bot_settings WHERE workspace_id = $1',
    [workspaceId],
  );
  return rows[0];
}
