import { knowledgeLimits, typeOfFile } from '@app/domain/chatbot/knowledge/knowledge-rules';
import { isUuid } from '@app/domain/uuid';
import type { FileRoute } from '../../platform/http-edge/file-routes.ts';
import { refuse } from '../../platform/http-edge/refuse.ts';
import type { SignedInContext } from '../../platform/request-context.ts';
import { addKnowledge, findKnowledge } from './knowledge-entries.ts';

const LONGEST_NAME = 200;

/** Files of the knowledge. The id is the caller's own, so that the same request again adds nothing. Only the text is kept. */
export const knowledgeFiles: readonly FileRoute[] = [
  {
    method: 'POST',
    path: '/api/bot/knowledge/files/:knowledgeId',
    access: 'campaigns:create',
    forKeys: {
      ...{ name: 'botKnowledge.upload', tag: 'Chatbot', gives: ['application/json'] },
      takes: ['application/octet-stream'],
      summary: 'Adds a file that the bot may answer from, under an id of your own: the bytes, as they are',
      query: { name: 'Its name: the end says what it is (pdf, docx, md, txt or csv).' },
    },
    body: { most: knowledgeLimits.file, isFile: true },
    answer: (request, context, parameter) => receive(request, context, parameter('knowledgeId')),
  },
];

async function receive(request: Request, context: SignedInContext, knowledgeId: string): Promise<Response> {
  if (!isUuid(knowledgeId)) return refuse('bot_knowledge_not_found');
  const name = (new URL(request.url).searchParams.get('name') ?? '')
    .trim()
    .slice(-LONGEST_NAME)
    .toWellFormed();
  const bytes = new Uint8Array(await request.arrayBuffer());
  const known = await context.read((scope) => findKnowledge(scope, knowledgeId));
  if (known) return Response.json(known);
  const type = typeOfFile(name);
  const read = type
    ? await context.readText(type, bytes)
    : ({ outcome: 'refused', problem: 'wrong_type' } as const);
  if (read.outcome === 'refused')
    return refuse('bot_knowledge_unreadable', { details: { values: { word: read.problem } } });
  const { text } = read;
  const added = await context.change((scope) =>
    addKnowledge(scope, context.jobs, { id: knowledgeId, kind: 'file', title: name, text }),
  );
  if (added === null) return refuse('bot_knowledge_not_found');
  return typeof added === 'string' ? refuse(added) : Response.json(added);
}
