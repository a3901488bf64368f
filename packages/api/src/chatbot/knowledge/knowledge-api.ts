import { botKnowledgeContract } from '@app/contracts/chatbot/bot-knowledge-contract';
import { newId } from '@app/database/new-id';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import {
  addKnowledge,
  changePair,
  findKnowledge,
  listKnowledge,
  removeKnowledge,
  storeReading,
  textOfPair,
} from './knowledge-entries.ts';
import { readAddress } from './read-address.ts';
import { searchKnowledge } from './search-knowledge.ts';

const os = implementEndpoints(botKnowledgeContract);

export const botKnowledgeApi = os.router({
  list: os.list.handler(({ input, context }) => context.read((scope) => listKnowledge(scope, input))),

  search: os.search.handler(({ input, context }) =>
    context.read(async (scope) => ({ items: await searchKnowledge(scope, input.question, null) })),
  ),

  create: os.create.handler(({ input: { question, answer }, context, errors }) =>
    context.change(async (scope) => {
      const added = await addKnowledge(scope, context.jobs, {
        ...{ id: newId(), kind: 'pair', title: question, answer },
        text: textOfPair(question, answer),
      });
      if (typeof added === 'string') throw errors[added]();
      return added!; // its id is new
    }),
  ),

  createFromAddress: os.createFromAddress.handler(async ({ input: { url }, context, errors }) => {
    const { session, jobs } = context;
    const read = await readAddress(context, { url, workspaceId: session.workspaceId });
    if ('problem' in read)
      throw errors.bot_knowledge_unreadable({ data: { field: 'url', values: { word: read.problem } } });
    return context.change(async (scope) => {
      const added = await addKnowledge(scope, jobs, { id: newId(), kind: 'address', url, ...read });
      if (typeof added === 'string') throw errors[added]();
      return added!; // its id is new
    });
  }),

  update: os.update.handler(({ input: { knowledgeId, ...pair }, context, errors }) =>
    context.change(async (scope) => {
      const changed = await changePair(scope, context.jobs, { id: knowledgeId, ...pair });
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),

  readAgain: os.readAgain.handler(async ({ input: { knowledgeId }, context, errors }) => {
    const { session, jobs } = context;
    const known = await context.read((scope) => findKnowledge(scope, knowledgeId));
    if (!known?.url) throw errors.bot_knowledge_not_found();
    const read = await readAddress(context, { url: known.url, workspaceId: session.workspaceId });
    const stored = await context.change((scope) => storeReading(scope, jobs, knowledgeId, read));
    if (typeof stored === 'string') throw errors[stored]();
    return stored;
  }),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const refused = await removeKnowledge(scope, input.knowledgeId);
      if (refused) throw errors[refused]();
      return {};
    }),
  ),
});
