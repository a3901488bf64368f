import { expect, test } from 'vitest';
import { findFlowProblems } from '../flows/check-flow.ts';
import {
  answersFlow,
  compileBotFlow,
  findBotFlowProblem,
  matchTrigger,
  type BotResponse,
} from './bot-flow.ts';

const response = (rest: Partial<BotResponse> = {}): BotResponse => ({
  ...{ type: 'text', content: 'Hello', quickReplies: [], templateId: null, variables: {}, delay: 0 },
  ...rest,
});

test.each([
  ['greeting', 'hello|hi', 'Hi there', 'hi'],
  ['greeting', 'hello|hi', 'Hello!', 'hello'],
  ['greeting', 'hello|hi', 'hi, where is my order?', null],
  ['greeting', 'good morning', 'Good morning everybody', 'good morning'],
  ['greeting', '', 'Bom dia', 'bom dia'],
  ['greeting', 'hello', 'Bom dia', null],
  ['keyword', 'price|cost', 'What does it cost?', 'cost'],
  ['keyword', '', 'anything', null],
] as const)('a %s with %j begins with %j by %j', (type, value, text, keyword) =>
  expect(matchTrigger({ type, value }, text)).toBe(keyword),
);

test('a flow of responses is a flow of the engine, one step after the other with its delay', () => {
  const flow = compileBotFlow({
    ...{ name: 'Hours', description: '', trigger: { type: 'keyword', value: 'open' } },
    responses: [
      response({ delay: 750 }),
      response({ type: 'quick_reply', content: 'More?', quickReplies: ['Yes', 'No'] }),
      response({
        ...{
          type: 'template',
          templateId: '0193a6f0-0000-7000-8000-000000000001',
          variables: { name: 'Ann' },
        },
        delay: 60_000,
      }),
    ],
  });
  expect(findFlowProblems(flow)).toEqual([]);
  expect(flow.steps.map(({ config, delay, next }) => [config['content'], delay, next['done']])).toEqual([
    ['text', { amount: 0.75, unit: 'seconds' }, 'response-2'],
    ['text', null, 'response-3'],
    ['template', { amount: 60, unit: 'seconds' }, null],
  ]);
  expect(flow.steps[1]!.config['buttons']).toEqual(['Yes', 'No']);
});

test('so is what the bot says by itself', () => expect(findFlowProblems(answersFlow())).toEqual([]));

test.each([
  [{ type: 'keyword', value: ' | ' }, [response()], { code: 'keywords_missing', place: null }],
  [{ type: 'greeting', value: '' }, [response()], null],
  [{ type: 'greeting', value: '' }, [], { code: 'responses_missing', place: null }],
  [{ type: 'greeting', value: '' }, [response({ content: ' ' })], { code: 'content_missing', place: 0 }],
  [
    { type: 'greeting', value: '' },
    [response(), response({ type: 'quick_reply' })],
    { code: 'quick_replies_missing', place: 1 },
  ],
  [
    { type: 'greeting', value: '' },
    [response({ type: 'template', content: '' })],
    { code: 'template_missing', place: 0 },
  ],
] as const)('%j with %j: %j', (trigger, responses, problem) =>
  expect(findBotFlowProblem({ trigger, responses })).toEqual(problem),
);
