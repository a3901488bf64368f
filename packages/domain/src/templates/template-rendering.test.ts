import { describe, expect, it } from 'vitest';
import {
  extractVariables,
  renderTemplate,
  renderText,
  sampleValues,
  templateVariables,
} from './template-rendering.ts';
import type { TemplateComponent } from './template.ts';

describe('variables of a body', () => {
  it.each([
    ['Hello {{name}}', ['name']],
    ['{{name}} {{business}} {{name}}', ['name', 'business']],
    ['{{first_name}} {{order2}}', ['first_name', 'order2']],
    ['{name} {{}} {{a b}} {{a-b}} {{a.b}} ${name} {{{', []],
    ['{{constructor}} {{__proto__}}', ['constructor', '__proto__']],
  ])('%s', (text, names) => {
    expect(extractVariables(text)).toEqual(names);
  });
});

describe('rendering', () => {
  it.each([
    ['Hi {{name}}!', { name: 'Ann' }, 'Hi Ann!'],
    ['Hi {{name}}!', {}, 'Hi {{name}}!'],
    ['Hi {{name}}!', { name: '' }, 'Hi {{name}}!'],
    ['{{a}}', { a: '{{b}}', b: 'never' }, '{{b}}'],
    ['{{a}}', { a: '$& $1 $`' }, '$& $1 $`'],
    ['{{constructor}} {{__proto__}} {{toString}}', {}, '{{constructor}} {{__proto__}} {{toString}}'],
    ['{{ Env "HOME" }} {{env.SECRET_KEY}} ${process.env.SECRET_KEY} <%= x %> {{#if a}}', { a: 'x' }, null],
    ['<script>alert(1)</script> {{a}}', { a: '<b>' }, '<script>alert(1)</script> <b>'],
  ])('%s', (text, values, rendered) => {
    expect(renderText(text, values)).toBe(rendered ?? text);
  });

  it('reaches header, body and button addresses, and nothing else', () => {
    const components: TemplateComponent[] = [
      { type: 'header', format: 'text', text: 'Order {{code}}' },
      { type: 'body', text: 'Hello {{name}}', example: { body_text: [['Ann', 'A-17']] } },
      { type: 'footer', text: '{{name}}' },
      {
        type: 'button',
        buttons: [
          { type: 'url', text: 'Track {{code}}', url: 'https://shop.example/t/{{code}}' },
          { type: 'quick_reply', text: '{{name}}' },
        ],
      },
    ];
    expect(templateVariables(components)).toEqual(['name', 'code']);
    expect(sampleValues(components)).toEqual({ name: 'Ann', code: 'A-17' });
    expect(renderTemplate(components, { name: 'Ben', code: 'B-1' })).toEqual([
      { type: 'header', format: 'text', text: 'Order B-1' },
      { type: 'body', text: 'Hello Ben' },
      { type: 'footer', text: '{{name}}' },
      {
        type: 'button',
        buttons: [
          { type: 'url', text: 'Track {{code}}', url: 'https://shop.example/t/B-1' },
          { type: 'quick_reply', text: '{{name}}' },
        ],
      },
    ]);
  });
});
