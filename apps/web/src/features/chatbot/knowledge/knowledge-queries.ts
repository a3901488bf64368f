import { ApiError } from '../../../shared/rpc/api-error.ts';
import { knowledgeProblems } from '@app/domain/chatbot/knowledge/knowledge-rules';
import { orpc, type api } from '../../../shared/api.ts';
import { errorMessageOf } from '../../../shared/error-message.ts';
import { t } from '../../../shared/messages.ts';
import { workspaceHeader } from '../../../shared/workspaces/tab-workspace.ts';

export type KnowledgeEntry = Awaited<ReturnType<typeof api.botKnowledge.list>>['items'][number];

export const knowledgeOptions = orpc.botKnowledge.list.infiniteOptions({
  input: (cursor: string | undefined) => ({ limit: 50, ...(cursor && { cursor }) }),
  initialPageParam: undefined,
  getNextPageParam: (last) => last.nextCursor ?? undefined,
});

/** Only how many there are, for the settings. */
export const knowledgeCountOptions = orpc.botKnowledge.list.queryOptions({ input: { limit: 1 } });

export const knowledgeError = errorMessageOf({
  bot_knowledge_limit: 'chatbot.knowledge.error.limit',
  bot_knowledge_changed: 'chatbot.knowledge.error.changed',
  bot_knowledge_not_found: 'chatbot.knowledge.error.gone',
  body_too_large: 'chatbot.knowledge.error.fileSize',
  bot_knowledge_unreadable: ({ word }) =>
    t(`chatbot.knowledge.problem.${knowledgeProblems.find((one) => one === word) ?? 'unreadable'}`),
});

/** Under an id of its own, so that a second try adds nothing. */
export async function uploadKnowledge(id: string, file: File): Promise<KnowledgeEntry> {
  const response = await fetch(`/api/bot/knowledge/files/${id}?name=${encodeURIComponent(file.name)}`, {
    method: 'POST',
    body: file,
    headers: { 'content-type': 'application/octet-stream', ...workspaceHeader() },
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as KnowledgeEntry; // the route says what it answers
  const { error } = (answer ?? {}) as { error?: { code?: string; details?: object } }; // every refusal has this form
  throw new ApiError(error?.code ?? 'internal', { status: response.status, data: error?.details });
}
