import {
  knowledgeKinds,
  knowledgeLimits,
  knowledgeProblems,
} from '@app/domain/chatbot/knowledge/knowledge-rules';
import { z } from 'zod';
import { endpoint, EXAMPLE_ID, id, instant, page, pageInput, versioned } from '../endpoint.ts';

const question = z.string().trim().min(1).max(knowledgeLimits.question);
const answer = z.string().trim().min(1).max(knowledgeLimits.answer);
const one = z.object({ knowledgeId: id });

export const knowledgeEntry = z.object({
  id,
  kind: z.enum(knowledgeKinds),
  /** The question of a pair, the name of a file, the title of a page. */
  title: z.string(),
  /** Of a pair alone. */
  answer: z.string().nullable(),
  url: z.string().nullable(),
  characters: z.number(),
  /** Why the page could not be read last time; what was read before stays. */
  problem: z.enum(knowledgeProblems).nullable(),
  readAt: instant,
  updatedAt: instant,
  version: z.number(),
});

export const examplePair = {
  question: 'When are you open?',
  answer: 'From Monday to Friday, 9 to 17.',
};

export const botKnowledgeContract = {
  list: endpoint({
    method: 'GET',
    path: '/bot/knowledge',
    access: 'messages:read',
    forKeys: true,
    summary: 'What the bot may answer from, the newest first',
    input: pageInput,
    output: page(knowledgeEntry).extend({ total: z.number() }),
  }),
  search: endpoint({
    method: 'GET',
    path: '/bot/knowledge/search',
    access: 'messages:read',
    forKeys: { example: { question: 'When are you open?' } },
    summary: 'What a model would get for a question, the best first. By words alone',
    input: z.object({ question }),
    output: z.object({
      items: z.array(z.object({ knowledgeId: id, title: z.string(), text: z.string() })),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/bot/knowledge',
    access: 'campaigns:create',
    forKeys: { example: examplePair },
    repeat: 'keyed',
    summary: 'Adds a question with its answer',
    input: z.strictObject({ question, answer }),
    output: knowledgeEntry,
    errors: ['bot_knowledge_limit'],
  }),
  createFromAddress: endpoint({
    method: 'POST',
    path: '/bot/knowledge/addresses',
    access: 'campaigns:create',
    repeat: 'keyed-outside',
    summary: 'Reads a web page and adds its text',
    input: z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(2_000) }),
    output: knowledgeEntry,
    errors: ['bot_knowledge_limit', 'bot_knowledge_unreadable'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/bot/knowledge/{knowledgeId}',
    access: 'campaigns:update',
    forKeys: { example: { knowledgeId: EXAMPLE_ID, ...examplePair, version: 1 } },
    repeat: versioned,
    summary: 'Changes a question and its answer',
    input: z.strictObject({
      ...{ knowledgeId: id, question, answer },
      version: z.number().int().min(1).max(2_000_000_000),
    }),
    output: knowledgeEntry,
    errors: ['bot_knowledge_not_found', 'bot_knowledge_changed'],
  }),
  readAgain: endpoint({
    method: 'POST',
    path: '/bot/knowledge/{knowledgeId}/read',
    access: 'campaigns:update',
    repeat: { harmless: 'It reads the page and stores what it says now.' },
    summary: 'Reads a web page again. A page that cannot be read keeps what it said before',
    input: one,
    output: knowledgeEntry,
    errors: ['bot_knowledge_not_found'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/bot/knowledge/{knowledgeId}',
    access: 'campaigns:delete',
    forKeys: true,
    repeat: 'keyed',
    summary: 'Removes an entry. Answers that named it keep its title',
    input: one,
    output: z.object({}),
    errors: ['bot_knowledge_not_found'],
  }),
};
