import { describe, expect, it } from 'vitest';
import { findTemplateFaults, isDialable, isWebAddress, pruneComponents } from './template-rules.ts';
import type { TemplateButton, TemplateComponent } from './template.ts';

const body: TemplateComponent = { type: 'body', text: 'Hello' };
const withButtons = (...buttons: TemplateButton[]): TemplateComponent[] => [
  body,
  { type: 'button', buttons },
];

describe('pruning', () => {
  it('drops parts without text, buttons and media, and keeps the rest as it was', () => {
    const media = { id: 'a', name: 'a.png', size: 1 };
    const kept: TemplateComponent[] = [
      { type: 'header', format: 'image', media },
      body,
      { type: 'footer', text: ' x ' },
    ];
    expect(pruneComponents(kept)).toEqual(kept);
    expect(
      pruneComponents([
        { type: 'header', format: 'video', media: null },
        { type: 'header', format: 'text', text: '\n' },
        { type: 'footer', text: '' },
        { type: 'button', buttons: [] },
      ]),
    ).toEqual([]);
    expect(
      pruneComponents(
        withButtons({ type: 'quick_reply', text: '' }, { type: 'url', text: '', url: 'https://a.example' }),
      ),
    ).toEqual(withButtons({ type: 'url', text: '', url: 'https://a.example' }));
  });
});

describe('faults', () => {
  it.each<[string, { name?: string; components?: TemplateComponent[] }, [string, string][]]>([
    ['nothing wrong', {}, []],
    ['no name', { name: ' ' }, [['name', 'name_missing']]],
    ['no body', { components: [] }, [['body', 'body_missing']]],
    [
      '60 emoji in the header',
      { components: [{ type: 'header', format: 'text', text: '😀'.repeat(60) }, body] },
      [],
    ],
    [
      '61 in the header',
      { components: [{ type: 'header', format: 'text', text: 'x'.repeat(61) }, body] },
      [['header', 'text_too_long']],
    ],
    [
      'two footers',
      { components: [body, { type: 'footer', text: 'a' }, { type: 'footer', text: 'b' }] },
      [['footer', 'component_repeated']],
    ],
    [
      'a button without label',
      { components: withButtons({ type: 'url', text: '', url: 'https://a.example' }) },
      [['buttons.0.text', 'button_text_missing']],
    ],
    [
      'a long label',
      { components: withButtons({ type: 'quick_reply', text: 'x'.repeat(26) }) },
      [['buttons.0.text', 'text_too_long']],
    ],
    [
      'a wrong number',
      { components: withButtons({ type: 'phone_number', text: 'Call', phone_number: 'abc' }) },
      [['buttons.0.phone_number', 'phone_number_invalid']],
    ],
  ])('%s', (_case, values, faults) => {
    const found = findTemplateFaults({ name: 'Name', components: [body], ...values });
    expect(found.map(({ field, problem }) => [field, problem])).toEqual(faults);
  });

  it.each([
    ['https://shop.example/t/{{code}}', true],
    ['http://localhost:3000', true],
    ['javascript:alert(1)', false],
    [' https://a.example', false],
    ['https://a.example/<script>', false],
    ['//a.example', false],
    ['https://', false],
    ['data:text/html,x', false],
  ])('address %s: %s', (text, expected) => {
    expect(isWebAddress(text)).toBe(expected);
  });

  it.each([
    ['+44 7700 900100', true],
    ['(020) 7946-0000', true],
    ['12', false],
    ['+44;ext=1', false],
  ])('number %s: %s', (text, expected) => {
    expect(isDialable(text)).toBe(expected);
  });
});
