import type { BotSettings } from '@app/domain/chatbot/bot-settings';
import type { BotState } from '@app/domain/chatbot/bot-state';
import type { ActiveBotFlow, BotAnswer, BotDecision, TalkingRun } from '@app/domain/chatbot/decide-answer';
import { triggersOf } from '@app/domain/chatbot/bot-flow';
import type { FlowFile } from '@app/domain/flows/flow-file';
import { addInputs, type NewInput } from '@app/flows/flow-inputs';
import { addStarts } from '@app/flows/flow-starts';
import { runClasses } from '@app/flows/flow-host';
import { stopBotRuns, stopDialogues } from '../automation/bot-flows.ts';
import { findWaitText } from './handoff/expected-wait.ts';
import { writeBotState } from '../conversations/bot-states.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import type { Arrived } from './arrived-messages.ts';
import type { AnswerModel } from './model/answer-model.ts';

export type ActiveFlow = ActiveBotFlow & { version: number };

/**
 * Does what was decided, in the transaction that decided it: stores the answer with its reason, starts the run that says it, and writes the state of the
 * bot. The caller has locked contact and conversation.
 */
export async function applyDecision(
  scope: WorkspaceScope,
  decision: Exclude<BotDecision, { ask: true } | { later: true }>,
  {
    message,
    settings,
    flows,
    builtIn,
    depth,
    model = null,
    talking = null,
    askedAt,
  }: {
    message: Arrived;
    settings: BotSettings;
    flows: readonly ActiveFlow[];
    /** The flow through which the bot says what no flow of people says. */
    builtIn: { flowId: string; version: number };
    depth: number;
    /** What a model had to do with it. */
    model?: AnswerModel | null;
    /** The run that gets the message as an answer. */
    talking?: TalkingRun | null;
    /** From when the delay of the settings counts. */
    askedAt: Date;
  },
): Promise<void> {
  const { conversationId, contactId, channelId, messageId, writtenAt } = message;
  if ('silent' in decision) {
    if (decision.silent !== 'loop') return;
    await writeBotState(scope, conversationId, decision.state);
    await emitHandoff(scope, message, decision.state);
    return;
  }
  const { answer: chosen, state } = decision;
  if (state.status === 'waiting') await stopBotRuns(scope, { contactId, channelId, code: 'handed_over' });
  const run = chosen.rule === 'run' ? talking : null;
  const flow = run ? undefined : flows.find(({ id }) => id === chosen.flowId);
  const { flowId, version } = flow ? { flowId: flow.id, version: flow.version } : builtIn;
  await storeAnswer(scope, message, chosen, {
    flow: { flowId: run?.flowId ?? flowId, name: run?.name ?? flow?.name ?? null },
    ...{ runId: run?.runId ?? null, model },
  });
  if (state.status === 'waiting') await countHandoff(scope, message);
  // One dialogue at a time.
  if (flow) await stopDialogues(scope, { contactId, channelId, code: 'replaced' });
  if (run) await addInputs(scope, [replyFor(run, message)], askedAt);
  else
    await addStarts(scope, [
      {
        ...{ flowId, version, triggerId: 'begin', contactId, channelId, source: `bot/${messageId}` },
        values: {
          ...{
            answer: await completeText(scope, decision, { settings, message }),
            keyword: chosen.keyword ?? '',
            text: message.text,
          },
          ...{ channel_id: channelId, message_id: messageId },
        },
        ...{ class: runClasses.person, depth, at: new Date(writtenAt) },
        // Those of a flow say themselves when they come.
        notBefore: flow ? undefined : new Date(askedAt.getTime() + settings.responseDelay),
      },
    ]);
  await writeBotState(scope, conversationId, state);
  const contactIds = [contactId];
  await scope.emit({
    type: 'chatbot.answered',
    subject: conversationId,
    values: { contactIds, rule: chosen.rule },
  });
  await emitHandoff(scope, message, state);
}

/** A customer who is handed over hears how long it usually takes as well. */
async function completeText(
  scope: ReadScope,
  { answer: { text }, state }: Extract<BotDecision, { answer: BotAnswer }>,
  { settings, message: { language } }: { settings: BotSettings; message: Arrived },
): Promise<string> {
  const wait =
    state.status === 'waiting' && text !== null ? await findWaitText(scope, settings, language) : null;
  return wait === null ? (text ?? '') : `${text}\n\n${wait}`;
}

function replyFor({ runId }: TalkingRun, { messageId, text, button, writtenAt }: Arrived): NewInput {
  const input = { kind: 'reply' as const, messageId, text, button, at: writtenAt };
  return { runId, source: `bot/${messageId}`, input };
}

async function emitHandoff(
  scope: WorkspaceScope,
  { conversationId, contactId }: Arrived,
  { status, reason }: BotState,
): Promise<void> {
  if (status !== 'waiting' || reason === null) return;
  const values = { contactIds: [contactId], reason };
  await scope.emit({ type: 'chatbot.handed_over', subject: conversationId, values });
}

export async function isAnswered(scope: ReadScope, messageId: string): Promise<boolean> {
  const { rowCount } = await scope.query(
    'SELECT FROM bot_answers WHERE workspace_id = $1 AND message_id = $2',
    [scope.workspaceId, messageId],
  );
  return rowCount !== 0;
}

async function storeAnswer(
  scope: WorkspaceScope,
  { messageId, contactId, channelId }: Arrived,
  { rule, builtIn, keyword, intent, confidence, handoff }: BotAnswer,
  {
    flow,
    runId,
    model,
  }: { flow: { flowId: string; name: string | null }; runId: string | null; model: AnswerModel | null },
): Promise<void> {
  await scope.query(
    `INSERT INTO bot_answers (message_id, workspace_id, contact_id, channel_id, rule, flow_id, flow_name, built_in, keyword, intent, confidence,
       handoff, decided_at, model, run_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      ...[messageId, scope.workspaceId, contactId, channelId, rule, flow.flowId, flow.name, builtIn, keyword],
      ...[intent, confidence, handoff, scope.clock(), model && JSON.stringify(model), runId],
    ],
  );
}

/** The flow that spoke last is the one that did not get further. */
async function countHandoff(scope: WorkspaceScope, { contactId, channelId }: Arrived): Promise<void> {
  await scope.query(
    `UPDATE bot_flows b SET handoffs = b.handoffs + 1 FROM (
       SELECT flow_id FROM bot_answers WHERE workspace_id = $1 AND contact_id = $2 AND channel_id = $3 AND rule IN ('flow', 'run')
        ORDER BY decided_at DESC LIMIT 1) AS last
      WHERE b.workspace_id = $1 AND b.id = last.flow_id`,
    [scope.workspaceId, contactId, channelId],
  );
}

export async function findActiveFlows(scope: ReadScope): Promise<ActiveFlow[]> {
  const { rows } = await scope.query<Omit<ActiveFlow, 'triggers'> & Pick<FlowFile, 'triggers'>>(
    `SELECT f.id, f.name, f.published AS version, f.published || '@' || extract(epoch FROM v.published_at) AS stamp, v.content->'triggers' AS triggers
       FROM bot_flows b JOIN flows f ON f.id = b.id JOIN flow_versions v ON v.flow_id = f.id AND v.number = f.published
      WHERE b.workspace_id = $1 AND f.status = 'active' ORDER BY b.priority, b.id`,
    [scope.workspaceId],
  );
  return rows.map((flow) => ({ ...flow, triggers: triggersOf(flow) }));
}
