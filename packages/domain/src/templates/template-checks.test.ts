import { describe, expect, it } from 'vitest';
import { checkNames, checkTemplate, type CheckedTemplate } from './template-checks.ts';
import type { TemplateButton, TemplateComponent } from './template.ts';

const fine: CheckedTemplate = {
  name: 'Order update',
  category: 'utility',
  language: 'en',
  components: [
    { type: 'body', text: 'Hello {{name}}, your order is here.', example: { body_text: [['Ann']] } },
  ],
};
const body = (text: string, ...samples: string[]): TemplateComponent => ({
  type: 'body',
  text,
  ...(samples.length > 0 && { example: { body_text: [samples] } }),
});
const withParts = (...components: TemplateComponent[]) => ({
  components: [...fine.components, ...components],
});
const withButtons = (...buttons: TemplateButton[]) => withParts({ type: 'button', buttons });
const reply = (text: string): TemplateButton => ({ type: 'quick_reply', text });
const link = (text: string, url = 'https://shop.example/'): TemplateButton => ({ type: 'url', text, url });

describe('checks before submission', () => {
  it('pass for a plain template, each of them', () => {
    expect(checkTemplate(fine)).toEqual(checkNames.map((check) => ({ check, result: 'passed' })));
  });

  it.each<[string, Partial<CheckedTemplate>, string, string]>([
    ['no name', { name: '' }, 'name', 'error name_missing'],
    ['a name without Latin letters', { name: 'Привет' }, 'name', 'warning name_not_latin'],
    ['no body', { components: [] }, 'texts', 'error body_missing'],
    ['a long body', { components: [body('x'.repeat(1025))] }, 'texts', 'error text_too_long'],
    [
      'a variable at the start',
      { components: [body('{{name}}, hello', 'Ann')] },
      'variables',
      'error variable_at_edge',
    ],
    [
      'a variable at the end',
      { components: [body('Hello {{name}}\n', 'Ann')] },
      'variables',
      'error variable_at_edge',
    ],
    [
      'a full stop after the variable',
      { components: [body('Hello dear {{name}}.', 'Ann')] },
      'variables',
      'passed',
    ],
    [
      'variables side by side',
      { components: [body('Hello {{a}} {{b}} you there', '1', '2')] },
      'variables',
      'error variables_adjacent',
    ],
    [
      'few words',
      { components: [body('Hi {{a}}, {{b}} now', '1', '2')] },
      'variables',
      'error variables_too_many',
    ],
    [
      'a variable of two words',
      { components: [body('Hello {{first name}}, hello')] },
      'variables',
      'error variable_malformed',
    ],
    [
      'numbers and names',
      { components: [body('Hello {{1}}, your code {{code}} is here', '1', '2')] },
      'variables',
      'warning variables_mixed',
    ],
    [
      'numbers with a gap',
      { components: [body('Hello {{1}}, your code {{3}} is here', '1', '2')] },
      'variables',
      'warning variables_mixed',
    ],
    [
      'no samples',
      { components: [body('Hello {{name}}, hello')] },
      'samples',
      'warning samples_missing {{name}}',
    ],
    [
      'two variables above',
      withParts({ type: 'header', format: 'text', text: '{{a}} and {{b}}' }),
      'header',
      'error header_variables',
    ],
    [
      'an emoji above',
      withParts({ type: 'header', format: 'text', text: 'Hello 🎉' }),
      'header',
      'error header_formatting',
    ],
    [
      'no file above',
      withParts({ type: 'header', format: 'image', media: null }),
      'header',
      'error header_file_missing',
    ],
    [
      'Word above',
      withParts({ type: 'header', format: 'document', media: { id: '1', name: 'a.docx', size: 1 } }),
      'header',
      'warning header_file_type a.docx',
    ],
    [
      'a variable below',
      withParts({ type: 'footer', text: 'Hi {{name}}' }),
      'footer',
      'error footer_variables',
    ],
    ['a button without address', withButtons(link('Go', '')), 'buttons', 'error button_incomplete'],
    ['buttons alike', withButtons(reply('Yes'), reply('yes ')), 'buttons', 'error button_texts_equal'],
    [
      'a variable inside the address',
      withButtons(link('Go', 'https://a.example/{{a}}/b')),
      'buttons',
      'error button_address_variable',
    ],
    [
      'a variable at the end of the address',
      withButtons(link('Go', 'https://a.example/{{a}}')),
      'buttons',
      'passed',
    ],
    [
      'replies around a link',
      withButtons(reply('Yes'), link('Go'), reply('No')),
      'buttons',
      'warning button_order',
    ],
    ['replies, then a link', withButtons(reply('Yes'), reply('No'), link('Go')), 'buttons', 'passed'],
    [
      'advertising as utility',
      { components: [body('Get 20% off in our summer sale, a free gift included.')] },
      'category',
      'warning promotional_words sale, % off, free',
    ],
    [
      'advertising as promotion',
      { category: 'promotion', components: [body('Summer sale today.')] },
      'category',
      'passed',
    ],
    [
      'a word that only contains one',
      { components: [body('Your wholesale delivery is here.')] },
      'category',
      'passed',
    ],
    [
      'advertising in German',
      { language: 'de', components: [body('Heute 20 Prozent Rabatt.')] },
      'category',
      'warning promotional_words rabatt',
    ],
  ])('%s', (_case, values, check, expected) => {
    const found = checkTemplate({ ...fine, ...values }).find((one) => one.check === check);
    expect(
      [found?.result, found?.advice, found?.advice === 'text_too_long' ? undefined : found?.detail]
        .filter(Boolean)
        .join(' '),
    ).toBe(expected);
  });
});
