import { knowledgeLimits } from '@app/domain/chatbot/knowledge/knowledge-rules';
import { toSearchQuery } from '@app/domain/chatbot/knowledge/search-words';
import { compareVectors, joinRanks, packVector } from '@app/domain/chatbot/knowledge/vectors';
import { promptLimits } from '@app/domain/chatbot/model/build-prompt';
import type { ReadScope } from '../../platform/workspace-scope.ts';

export type FoundPart = { knowledgeId: string; title: string; text: string };

/** Of each order so many are joined. */
const CANDIDATES = 20;
/** What is further away says something else. */
const LEAST_CLOSENESS = 0.25;

/** Parts of the knowledge that may answer a question, the best first: by words, and by meaning where a vector of the question is given. */
export async function searchKnowledge(
  scope: ReadScope,
  question: string,
  meaning: { vector: readonly number[]; model: string } | null,
): Promise<FoundPart[]> {
  const byWords = await findByWords(scope, question);
  const byMeaning = meaning ? await findByMeaning(scope, meaning) : [];
  const keys = joinRanks([byWords, byMeaning]).slice(0, promptLimits.sources);
  if (keys.length === 0) return [];
  const { rows } = await scope.query<FoundPart & { key: string }>(
    `SELECT p.knowledge_id || '/' || p.place AS key, p.knowledge_id AS "knowledgeId", k.title, p.text
       FROM bot_knowledge_parts p JOIN bot_knowledge k ON k.id = p.knowledge_id
      WHERE p.workspace_id = $1 AND p.knowledge_id || '/' || p.place = ANY ($2::text[])
        AND p.knowledge_id = ANY ($3::uuid[])`,
    [scope.workspaceId, keys, keys.map((key) => key.split('/')[0])],
  );
  const found = new Map(rows.map(({ key, ...part }) => [key, part]));
  return keys.flatMap((key) => found.get(key) ?? []);
}

async function findByWords(scope: ReadScope, question: string): Promise<string[]> {
  const query = toSearchQuery(question);
  if (query === null) return [];
  const { rows } = await scope.query<{ key: string }>(
    `SELECT knowledge_id || '/' || place AS key FROM bot_knowledge_parts, to_tsquery('simple', $2) AS q
      WHERE workspace_id = $1 AND to_tsvector('simple', words) @@ q
      ORDER BY ts_rank_cd(to_tsvector('simple', words), q, 1) DESC, knowledge_id, place LIMIT ${CANDIDATES}`,
    [scope.workspaceId, query],
  );
  return rows.map(({ key }) => key);
}

async function findByMeaning(
  scope: ReadScope,
  { vector, model }: { vector: readonly number[]; model: string },
): Promise<string[]> {
  const { rows } = await scope.query<{ key: string; embedding: Buffer }>(
    `SELECT knowledge_id || '/' || place AS key, embedding FROM bot_knowledge_parts
      WHERE workspace_id = $1 AND embedded_by = $2 AND embedding IS NOT NULL LIMIT ${knowledgeLimits.parts}`,
    [scope.workspaceId, model],
  );
  const asked = packVector(vector);
  return rows
    .map(({ key, embedding }) => ({ key, closeness: compareVectors(asked, embedding) }))
    .filter(({ closeness }) => closeness >= LEAST_CLOSENESS)
    .toSorted((one, other) => other.closeness - one.closeness)
    .slice(0, CANDIDATES)
    .map(({ key }) => key);
}
