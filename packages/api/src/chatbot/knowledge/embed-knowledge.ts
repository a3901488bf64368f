import { newId } from '@app/database/new-id';
import { packVector } from '@app/domain/chatbot/knowledge/vectors';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { settleReply, storeAiCall } from '../model/ai-calls.ts';
import { findAiConnection, noteAiProblem, openAiConnection } from '../model/ai-connections.ts';

/** Texts of one call. */
const AT_ONCE = 48;
/** Calls of one run of the job: the rest follows in the next one. */
const MOST_CALLS = 150;

/** Gives each part of the knowledge its vector, where the connection names a model for it. Parts without one are found by their words. */
export const botKnowledgeEmbed = defineJob<Record<string, never>>({
  ...{ name: 'bot-knowledge-embed', as: 'upkeep', payload: z.object({}), repeat: 'while-waiting' },
  ...{ attempts: 5, pauseSeconds: 10, longestPauseSeconds: 600, timeoutSeconds: 600, atOnce: 2 },
  async run({ read, change, aiModels, secrets }, { workspaceId, signal }) {
    let embedded = 0;
    for (let call = 0; call < MOST_CALLS && !signal.aborted; call += 1) {
      const found = await read(async (scope) => {
        const connection = await findAiConnection(scope);
        if (!connection?.is_enabled || connection.embedding_model === null) return null;
        const { rows } = await scope.query<{ knowledge_id: string; place: number; text: string }>(
          `SELECT knowledge_id, place, text FROM bot_knowledge_parts
            WHERE workspace_id = $1 AND embedded_by IS DISTINCT FROM $2 ORDER BY knowledge_id, place LIMIT ${AT_ONCE}`,
          [scope.workspaceId, connection.embedding_model],
        );
        return { connection, model: connection.embedding_model, rows };
      });
      if (!found || found.rows.length === 0) break;
      const { connection, model, rows } = found;
      const id = newId();
      await change((scope) => storeAiCall(scope, { id, purpose: 'knowledge', state: 'begun', model }));
      const opened = await openAiConnection(workspaceId ?? '', connection, secrets);
      const reply = await aiModels.embed(opened, { model, texts: rows.map(({ text }) => text), signal });
      await change(async (scope) => {
        await settleReply(scope, id, reply, connection);
        if (!reply.ok) return noteAiProblem(scope, reply.problem);
        // What was changed meanwhile has another text, and gets its vector next time.
        await scope.query(
          `UPDATE bot_knowledge_parts p SET embedding = decode(v.embedding, 'base64'), embedded_by = $2
             FROM jsonb_to_recordset($3::jsonb) AS v (id uuid, place integer, text text, embedding text)
            WHERE p.workspace_id = $1 AND p.knowledge_id = v.id AND p.place = v.place AND p.text = v.text`,
          [
            ...[scope.workspaceId, model],
            JSON.stringify(
              rows.map(({ knowledge_id, place, text }, index) => ({
                ...{ id: knowledge_id, place, text },
                embedding: Buffer.from(packVector(reply.value[index] ?? [])).toString('base64'),
              })),
            ),
          ],
        );
      });
      if (!reply.ok) throw new Error(`no embeddings: ${reply.problem}`);
      embedded += rows.length;
    }
    return { embedded };
  },
});
