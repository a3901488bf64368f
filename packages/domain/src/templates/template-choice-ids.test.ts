import { expect, test } from 'vitest';
import type { MessageContent } from '../messaging/message-content.ts';
import type { SendableTemplate } from './template-content.ts';
import { templateContent } from './template-content.ts';
import { nameTemplateButtons } from './template-choice-ids.ts';

const template: SendableTemplate = {
  ...{ id: 'a', name: 'Booking', platformName: 'booking', language: 'en', category: 'utility' },
  components: [
    { type: 'body', text: 'Keep Friday?' },
    {
      type: 'button',
      buttons: [
        { type: 'quick_reply', text: 'Keep' },
        { type: 'url', text: 'Open', url: 'https://example.com/{{1}}' },
        { type: 'quick_reply', text: 'Move' },
      ],
    },
  ],
};

test('quick replies get the ids of their places in the template, at the places in which the platform has them', () => {
  const content = nameTemplateButtons(templateContent(template, {}), template, ['keep', null, 'move']);
  expect(content).toMatchObject({
    buttons: [
      { type: 'quick_reply', index: 0, payload: 'keep' },
      { type: 'quick_reply', index: 1, payload: 'move' },
      { type: 'url', index: 2 },
    ],
  });
});

test('buttons without an id, and content without buttons, stay as they are', () => {
  const content = templateContent(template, {});
  expect(nameTemplateButtons(content, template, [])).toBe(content);
  expect(nameTemplateButtons({ type: 'text', body: 'Hi' }, template, ['keep'])).toEqual({
    type: 'text',
    body: 'Hi',
  });
  const question: MessageContent = {
    type: 'interactive',
    body: 'Keep?',
    action: {
      type: 'reply_buttons',
      buttons: [
        { id: '0', title: 'Keep' },
        { id: '1', title: 'Move' },
      ],
    },
  };
  expect(nameTemplateButtons(question, template, [null, 'move'])).toMatchObject({
    action: { buttons: [{ id: '0' }, { id: 'move' }] },
  });
});
