import { newId } from '@app/database/new-id';
import type { BotSettings } from '@app/domain/chatbot/bot-settings';
import type { AiModels, AiProblem, AiPurpose } from '@app/domain/chatbot/model/ai-models';
import { readAssistAnswer } from '@app/domain/chatbot/model/assist-prompt';
import type { Prompt } from '@app/domain/chatbot/model/build-prompt';
import type { SecretBox } from '../../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { readUsage, settleReply, storeAiCall } from './ai-calls.ts';
import {
  findAiConnection,
  noteAiProblem,
  openAiConnection,
  type StoredAiConnection,
} from './ai-connections.ts';

const MOST_TOKENS = 1_200;
/** How long an agent waits for a text, in milliseconds, with all attempts. */
const LONGEST_MS = 45_000;

/** The model that may write now, or what keeps it from that: none is connected, or the budget of the day is used up. */
export async function findWriter(
  scope: ReadScope,
  { modelTokensPerDay }: Pick<BotSettings, 'modelTokensPerDay'>,
): Promise<StoredAiConnection | 'not_connected' | 'budget'> {
  const connection = await findAiConnection(scope);
  if (!connection?.is_enabled) return 'not_connected';
  return (await readUsage(scope)).tokens >= modelTokensPerDay ? 'budget' : connection;
}

export type WrittenText = { text: string; problem: null } | { text: null; problem: AiProblem };

/**
 * Asks a model for a text between two transactions: the first one commits that the call begins, the second one what came of it, with its cost.
 * `id` names the call; without one it gets an id of its own.
 */
export async function writeText(
  {
    workspaceId,
    change,
    aiModels,
    secrets,
  }: {
    workspaceId: string;
    change<Result>(work: (scope: WorkspaceScope) => Promise<Result>): Promise<Result>;
    aiModels: Pick<AiModels, 'write'>;
    secrets: Pick<SecretBox, 'open'>;
  },
  {
    id = newId(),
    purpose,
    connection,
    contactId,
    channelId,
    prompt,
    signal = AbortSignal.timeout(LONGEST_MS),
  }: {
    id?: string;
    purpose: AiPurpose;
    connection: StoredAiConnection;
    contactId: string;
    channelId: string;
    prompt: Prompt;
    signal?: AbortSignal;
  },
): Promise<WrittenText> {
  const { model } = connection;
  await change((scope) =>
    storeAiCall(scope, { ...{ id, purpose, contactId, channelId, model }, state: 'begun' }),
  );
  const opened = await openAiConnection(workspaceId, connection, secrets);
  const reply = await aiModels.write(opened, { ...prompt, model, mostTokens: MOST_TOKENS, signal });
  const written = readReply(reply);
  await change(async (scope) => {
    await settleReply(scope, id, reply, connection);
    await noteAiProblem(scope, written.problem);
  });
  return written;
}

function readReply(reply: Awaited<ReturnType<AiModels['write']>>): WrittenText {
  // Only the time-out cancels.
  if (!reply.ok) return { text: null, problem: reply.problem === 'cancelled' ? 'timeout' : reply.problem };
  const text = readAssistAnswer(reply.value);
  return text === null ? { text: null, problem: 'invalid_answer' } : { text, problem: null };
}
