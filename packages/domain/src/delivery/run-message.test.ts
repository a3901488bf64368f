import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileRunMessage, type RunVariable } from './run-message.ts';

const ann = { name: 'Ann', phone: '+447700900001', email: null };

function fillText(body: string, variables: Record<string, RunVariable> = {}, person = ann): string {
  const content = compileRunMessage({ content: { type: 'text', body }, variables, businessName: 'Shop' })(
    person,
  );
  return content.type === 'text' ? content.body : '';
}

test.each([
  ['Hi {{name}}, from {{ business }}', 'Hi Ann, from Shop'],
  ['{{phone}} {{email}}', '+447700900001 {{email}}'],
  ['{{code}} {{other}}', 'X1 {{other}}'],
  ['{{who}}', 'Ann'],
  [
    '{{constructor}} {{__proto__}} {{process.env.SECRET}} {{{name}}}',
    '{{constructor}} {{__proto__}} {{process.env.SECRET}} {Ann}',
  ],
  ['{{empty}}', '{{empty}}'],
])('%s becomes %s', (body, filled) => {
  expect(fillText(body, { code: { text: 'X1' }, who: { field: 'name' }, empty: { text: '' } })).toBe(filled);
});

test('a person without a name is called by the number', () => {
  expect(fillText('{{name}}', {}, { ...ann, name: ' ' })).toBe('+447700900001');
});

test('a value that looks like a placeholder stays text', () => {
  expect(fillText('{{name}}', {}, { ...ann, name: '{{phone}} $& $1' })).toBe('{{phone}} $& $1');
});

test('placeholders are filled wherever they stand in a template, and content without any is shared', () => {
  const fill = compileRunMessage({
    content: {
      type: 'template',
      name: 'offer',
      language: 'en',
      body: { format: 'named', values: { first_name: '{{name}}', code: 'X' } },
      buttons: [{ type: 'url', index: 0, suffix: '?who={{phone}}' }],
    },
    variables: {},
    businessName: '',
  });
  expect(fill(ann)).toEqual({
    type: 'template',
    name: 'offer',
    language: 'en',
    body: { format: 'named', values: { first_name: 'Ann', code: 'X' } },
    buttons: [{ type: 'url', index: 0, suffix: '?who=+447700900001' }],
  });
  const shared = compileRunMessage({
    content: { type: 'text', body: 'Hi' },
    variables: {},
    businessName: '',
  });
  expect(shared(ann)).toBe(shared({ ...ann, name: 'Bob' }));
});

test('text without braces is never changed', () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !text.includes('{{')),
      (text) => {
        expect(fillText(text)).toBe(text);
      },
    ),
  );
});
