import type { addRcsMessage } from '@app/api/rcs/rcs-messages-queries';

type RcsParts = Omit<Parameters<typeof addRcsMessage>[1], 'language' | 'translations'>;

/** The newest last. */
export const sampleRcsMessages: readonly RcsParts[] = [
  {
    ...{ name: 'Repair finished', type: 'text', status: 'draft', category: 'transactional' },
    content: {
      text: 'Hello {{name}}, your repair is finished. Shall we send it, or will you come by?',
      suggestions: [
        { type: 'reply', text: 'Please send it', data: 'send' },
        { type: 'reply', text: 'I will come by', data: 'collect' },
      ],
    },
  },
  {
    ...{ name: 'Spring collection', type: 'carousel', status: 'active', category: 'marketing' },
    content: {
      width: 'medium',
      cards: [
        {
          ...{ title: 'Walking boots', description: 'Waterproof, in four colours.' },
          suggestions: [
            { type: 'url', text: 'Look at boots', data: 'boots', url: 'https://shop.example/boots' },
          ],
        },
        {
          ...{ title: 'Rain jackets', description: 'Light enough for every bag.' },
          suggestions: [
            { type: 'url', text: 'Look at jackets', data: 'jackets', url: 'https://shop.example/jackets' },
          ],
        },
      ],
      suggestions: [{ type: 'reply', text: 'Ask a question', data: 'question' }],
    },
  },
];
