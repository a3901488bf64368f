import { botFlowSettings } from '@app/domain/chatbot/bot-flow';
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

const anHour = { amount: 1, unit: 'hours' };

/** In the order in which they are asked. None is active, so that a bot that is turned on to try it gives its built-in answers. */
export const sampleBotFlows: readonly { flow: FlowFile; times: number }[] = [
  {
    flow: {
      ...botFlow(
        'Opening hours',
        'When the shop is open, how to find it, and a way to your team.',
        'opening hours|open|closed',
      ),
      start: 'hours',
      steps: [
        offer(
          'hours',
          'We are open Monday to Saturday, 9 am to 6 pm. What else would you like to know?',
          { holidays: 'On holidays', way: 'How to find you', person: 'Talk to a person' },
          { other: 'person' },
        ),
        say('holidays', 'On public holidays we are closed.'),
        say('way', 'You find us at 1 Main Street, next to the station.'),
        people('person', 'I am connecting you with our team. Please wait a moment.'),
      ],
    },
    times: 14,
  },
  {
    flow: {
      ...botFlow(
        'Returns',
        'Asks how and what a customer sends back, and hands over with a note.',
        'return|send back|refund',
      ),
      start: 'how',
      steps: [
        offer(
          'how',
          'You can send anything back within 30 days. How would you like to do it?',
          { post: 'By post', shop: 'In the shop' },
          { post: 'order', other: 'person' },
        ),
        ask('order', 'What is your order number?', { answer: 'number' }, { done: 'mail', invalid: 'person' }),
        ask(
          'mail',
          'To which email address do we send the label?',
          { answer: 'email', save_to: 'email' },
          { done: 'tag', invalid: 'person' },
        ),
        stepOf('tag', 'add_tag', { tag: 'return' }, { done: 'label' }),
        say('label', 'The label for order {{steps.order.answer}} goes to {{steps.mail.answer}}.'),
        say('shop', 'Bring it to our shop with the receipt, Monday to Saturday from 9 am to 6 pm.'),
        people('person', 'I am connecting you with our team. Please wait a moment.'),
      ],
    },
    times: 6,
  },
];

function botFlow(name: string, description: string, keywords: string): FlowFile {
  return {
    ...emptyFlow('bot', name, description),
    triggers: [{ id: 'begin', type: 'keyword', config: { value: keywords }, conditions: null }],
    settings: botFlowSettings,
  };
}

function stepOf(id: string, type: string, config: FlowConfig, next: FlowStep['next'] = {}): FlowStep {
  return { id, type, config, delay: null, next };
}

function say(id: string, text: string): FlowStep {
  return stepOf(id, 'send_message', { content: 'text', text, buttons: [] });
}

function ask(id: string, text: string, config: FlowConfig, next: FlowStep['next']): FlowStep {
  return stepOf(id, 'ask', { text, save_to: 'flow', attempts: 2, timeout: anHour, ...config }, next);
}

/** Each choice leads to the step of its name, unless `next` says otherwise. */
function offer(id: string, text: string, titles: Record<string, string>, next: FlowStep['next']): FlowStep {
  const choices = Object.entries(titles).map(([name, title]) => ({ name, title }));
  const own = Object.fromEntries(choices.map(({ name }) => [name, name]));
  return stepOf(id, 'offer_choices', { text, choices, attempts: 2, timeout: anHour }, { ...own, ...next });
}

function people(id: string, text: string): FlowStep {
  return stepOf(id, 'handoff', { to: 'anyone', text });
}

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
