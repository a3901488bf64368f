import { describe, expect, it } from 'vitest';
import { derivePlatformName, platformLanguage } from './platform-name.ts';
import { isMarketingCategory } from './template-category.ts';
import { templateContent, toChannelDraft, type SendableTemplate } from './template-content.ts';

const template: SendableTemplate = {
  id: '0190a1b2-0000-7000-8000-00000000cafe',
  name: 'Order Update',
  platformName: null,
  language: 'pt',
  category: 'utility',
  components: [
    { type: 'header', format: 'text', text: 'Order {{code}}' },
    { type: 'body', text: 'Hello {{name}}, {{firstName}} too.', example: { body_text: [['Bea']] } },
    { type: 'footer', text: 'Reply STOP to opt out' },
    {
      type: 'button',
      buttons: [
        { type: 'url', text: 'Track', url: 'https://shop.example/t/{{code}}' },
        { type: 'phone_number', text: 'Call', phone_number: '+44 7700 900100' },
      ],
    },
  ],
};

describe('a template as a message', () => {
  it('carries each value by its name on the platform', () => {
    expect(templateContent(template, { name: 'Ann', firstName: 'Ann', code: 'A/17' })).toEqual({
      type: 'template',
      name: 'order_update',
      language: 'pt_BR',
      header: { type: 'text', text: 'A/17', name: 'code' },
      body: { format: 'named', values: { name: 'Ann', first_name: 'Ann' } },
      buttons: [{ type: 'url', index: 0, suffix: 'A%2F17' }],
    });
  });

  it('keeps the placeholder of a missing value, in the address too', () => {
    const content = templateContent(template, { name: 'Ann' });
    expect(content.body).toEqual({ format: 'named', values: { name: 'Ann', first_name: '{{firstName}}' } });
    expect(content.buttons).toEqual([{ type: 'url', index: 0, suffix: '{{code}}' }]);
  });

  it('shows its file as header', () => {
    const components = [
      { type: 'header', format: 'document', media: { id: 'm', name: 'a.pdf', size: 3 } } as const,
    ];
    const content = templateContent(
      { ...template, components },
      {},
      { source: { id: '900' }, filename: 'a.pdf' },
    );
    expect(content.header).toEqual({ type: 'document', media: { id: '900' }, filename: 'a.pdf' });
  });
});

describe('a template as the platform reviews it', () => {
  it('has a sample for every variable', () => {
    const draft = toChannelDraft(template);
    expect(draft).toMatchObject({
      name: 'order_update',
      category: 'utility',
      footer: 'Reply STOP to opt out',
    });
    expect(draft.samples).toEqual({ name: 'Bea', firstName: 'Example', code: 'Example' });
    expect(draft.buttons?.[1]).toEqual({
      type: 'phone_number',
      text: 'Call',
      phoneNumber: '+44 7700 900100',
    });
  });
});

describe('the name on the platform', () => {
  it.each([
    ['Welcome Message', 'welcome_message'],
    ['  Été – Soldes 50 % ', 'ete_soldes_50'],
    ['order_update', 'order_update'],
    ['Приветствие', 'template_00000000cafe'],
    ['!!!', 'template_00000000cafe'],
  ])('%s is %s', (name, expected) => {
    const derived = derivePlatformName({ id: template.id, name });
    expect(derived).toBe(expected);
    expect(derived).toMatch(/^[a-z0-9_]+$/);
  });

  it('comes with a language that the platform has', () => {
    expect(['en', 'pt', 'it'].map((language) => platformLanguage(language as 'en'))).toEqual([
      'en',
      'pt_BR',
      'it',
    ]);
  });
});

describe('marketing', () => {
  it.each([
    ['promotion', null, true],
    ['general', null, true],
    ['utility', null, false],
    ['utility', 'MARKETING', true],
    ['promotion', 'utility', false],
  ] as const)('%s, on the platform %s: %s', (category, onPlatform, expected) => {
    expect(isMarketingCategory({ category, platformCategory: onPlatform })).toBe(expected);
  });
});
