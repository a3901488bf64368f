import type { BotFlow } from '@app/domain/chatbot/bot-flow';
import { emptyFlow, type FlowConfig, type FlowFile, type FlowStep } from '@app/domain/flows/flow-file';

/** A run of the sample, told by the place of its contact and by how long before the start it began. */
type SampleRun = { contact: number; daysAgo: number };

type SampleWorkflow = {
  flow: (templateIds: readonly string[]) => FlowFile;
  status: 'active' | 'paused' | 'draft';
  runs: readonly SampleRun[];
};

/** The active workflow starts with a tag that no sample contact has, so it sends nothing until a user adds that tag. */
export const sampleWorkflows: readonly SampleWorkflow[] = [
  {
    flow: ([welcome = '']) => ({
      ...emptyFlow(
        'workflow',
        'Welcome newsletter subscribers',
        'Greets each new subscriber, and marks those who were greeted two days later.',
      ),
      triggers: [
        { id: 'start', type: 'tag_added', config: { tags: ['spring newsletter'] }, conditions: notOptedOut },
      ],
      ...chain([
        {
          id: 'message',
          type: 'send_message',
          config: {
            ...{ content: 'template', template: welcome },
            variables: { name: '{{contact.name}}', business: '{{workspace.business}}' },
          },
        },
        { id: 'pause', type: 'wait', config: { mode: 'duration', duration: { amount: 2, unit: 'days' } } },
        { id: 'tag', type: 'add_tag', config: { tag: 'welcomed' } },
      ]),
      settings: { reentry: 'once', goal: null, runsPerMinute: null },
    }),
    status: 'active',
    runs: [
      { contact: 0, daysAgo: 12 },
      { contact: 1, daysAgo: 5 },
    ],
  },
  {
    flow: () => ({
      ...emptyFlow('workflow', 'Mark price questions', 'Tags contacts who ask what something costs.'),
      triggers: [
        {
          ...{ id: 'start', type: 'message_received', conditions: null },
          config: { match: 'contains', words: ['cost', 'price'] },
        },
      ],
      ...chain([{ id: 'tag', type: 'add_tag', config: { tag: 'asks for prices' } }]),
    }),
    status: 'paused',
    runs: [2, 3, 5, 8, 9, 13, 17, 21, 26].map((daysAgo, place) => ({ contact: place % 2, daysAgo })),
  },
  {
    flow: ([, order = '']) => ({
      ...emptyFlow('workflow', 'Ask for a review', 'Two hours after a conversation is resolved.'),
      triggers: [{ id: 'start', type: 'conversation_resolved', config: {}, conditions: notOptedOut }],
      ...chain([
        {
          ...{ id: 'message', type: 'send_message', delay: { amount: 2, unit: 'hours' } },
          config: { content: 'template', template: order, variables: { name: '{{contact.name}}' } },
        },
      ]),
    }),
    status: 'draft',
    runs: [],
  },
];

/** In the order in which they are asked. None is active, so that a bot that is turned on to try it gives its built-in answers. */
export const sampleBotFlows: readonly { flow: BotFlow; times: number }[] = [
  {
    flow: {
      ...{ name: 'Opening hours', description: 'When the shop is open.' },
      trigger: { type: 'keyword', value: 'opening hours|open|closed' },
      responses: [say('We are open Monday to Saturday, 9 am to 6 pm.')],
    },
    times: 14,
  },
  {
    flow: {
      ...{ name: 'Returns', description: 'How to send something back.' },
      trigger: { type: 'keyword', value: 'return|send back|refund' },
      responses: [
        {
          ...say('You can send anything back within 30 days. How would you like to do it?'),
          ...{ type: 'quick_reply', quickReplies: ['By post', 'In the shop'] },
        },
      ],
    },
    times: 6,
  },
];

const notOptedOut = { match: 'all', conditions: [{ kind: 'not_opted_out', value: '' }] };

type Link = { id: string; type: string; config: FlowConfig; delay?: FlowStep['delay'] };

/** One step after the other. */
function chain(links: readonly Link[]): Pick<FlowFile, 'start' | 'steps'> {
  const steps = links.map((link, place) => ({
    ...{ delay: null, ...link },
    next: { done: links[place + 1]?.id ?? null },
  }));
  return { start: steps[0]?.id ?? null, steps };
}

function say(content: string): BotFlow['responses'][number] {
  return { type: 'text', content, quickReplies: [], templateId: null, variables: {}, delay: 0 };
}
