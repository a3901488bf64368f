import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CustomValue } from '../custom-fields/custom-field.ts';
import type { MessageContent } from '../messaging/message-content.ts';
import {
  compileMissingValue,
  compileRunMessage,
  needsCustomValues,
  type RunVariable,
} from './run-message.ts';

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

test('a value of a day that is none leaves as it is', () => {
  const content = compileRunMessage({
    ...{ content: { type: 'text', body: '{{day}}' }, businessName: 'Shop' },
    variables: { day: { customField: 'day', type: 'date' } },
  })({ ...ann, customValues: { day: 'soon' } });
  expect(content).toEqual({ type: 'text', body: 'soon' });
});

test('a person without a name is called by the number', () => {
  expect(fillText('{{name}}', {}, { ...ann, name: ' ' })).toBe('+447700900001');
});

describe('a custom field', () => {
  const born = '0190a0e4-2b1c-7c55-9d5e-0a4b6f1c2d3e';
  const fill = (value: CustomValue | undefined, variable: object = {}, language = 'en') => {
    const content = compileRunMessage({
      content: { type: 'template', name: 'x', language, body: { format: 'positional', values: ['{{v}}'] } },
      variables: { v: { customField: born, ...variable } },
      businessName: '',
    })({ ...ann, customValues: value === undefined ? {} : { [born]: value } });
    return content.type === 'template' && content.body?.format === 'positional' ? content.body.values[0] : '';
  };

  test.each<[CustomValue, object, string, string]>([
    ['Gold', {}, 'en', 'Gold'],
    ['{{name}}', {}, 'en', '{{name}}'],
    ['1990-02-01', { type: 'date' }, 'en', 'February 1, 1990'],
    ['1990-02-01', { type: 'date' }, 'en_GB', '1 February 1990'],
    ['1990-02-01', { type: 'date' }, 'de', '1. Februar 1990'],
    ['1990-02-01', { type: 'text' }, 'de', '1990-02-01'],
    ['1990-02-01', { type: 'date' }, 'not a language', 'February 1, 1990'],
    [12345.5, {}, 'en', '12345.5'],
    [-12345.5, {}, 'de', '-12345,5'],
    [0, {}, 'en', '0'],
    [true, {}, 'en_US', 'yes'],
    [false, {}, 'pt_BR', 'não'],
    [true, {}, 'constructor', 'yes'],
  ])('with %j (%j, %s) is written %s', (value, variable, language, text) => {
    expect(fill(value, variable, language)).toBe(text);
  });

  test('without a value is written as its fallback, else stays as it is', () => {
    expect(fill(undefined, { fallback: 'friend' })).toBe('friend');
    expect(fill(undefined)).toBe('{{v}}');
    expect(fill('Gold', { fallback: 'friend' })).toBe('Gold');
  });

  test('is asked for only by messages that have one', () => {
    expect(needsCustomValues({ variables: { a: { customField: born } } })).toBe(true);
    expect(needsCustomValues({ variables: { a: { field: 'name' }, b: { text: 'x' } } })).toBe(false);
  });
});

test('a fallback stands in for a name or address that is not there', () => {
  const variables: Record<string, RunVariable> = {
    name: { field: 'name', fallback: 'friend' },
    email: { field: 'email', fallback: 'no address' },
  };
  expect(fillText('{{name}} {{email}}', variables, { ...ann, name: '' })).toBe('friend no address');
  expect(fillText('{{name}}', variables)).toBe('Ann');
});

test('values of a template are one line, and encoded in the address of a button; in a text they stay as they are', () => {
  const content: MessageContent = {
    ...{ type: 'template', name: 'x', language: 'en', body: { format: 'positional', values: ['{{name}}'] } },
    buttons: [{ type: 'url', index: 0, suffix: 'o/{{name}}' }],
  };
  const person = { ...ann, name: 'Ann\r\n\tof      Wye' };
  expect(compileRunMessage({ content, variables: {}, businessName: '' })(person)).toMatchObject({
    body: { values: ['Ann of    Wye'] },
    buttons: [{ suffix: 'o/Ann%0D%0A%09of%20%20%20%20%20%20Wye' }],
  });
  expect(fillText('{{name}}', {}, person)).toBe(person.name);
});

test.each<[string, Record<string, RunVariable>, Partial<typeof ann>, string | null]>([
  ['Hi {{name}}', {}, { name: '' }, null],
  ['Hi {{name}} {{email}}', {}, {}, 'email'],
  ['{{email}}', { email: { field: 'email', fallback: ' ' } }, {}, 'email'],
  ['{{email}}', { email: { field: 'email', fallback: 'none' } }, {}, null],
  ['{{code}}', { code: { text: ' ' } }, {}, 'code'],
  ['{{other}} {{name}}', {}, {}, 'other'],
])('in %s with %j for %j the value that is missing is %s', (body, variables, person, missing) => {
  const message = { content: { type: 'text', body }, variables, businessName: 'Shop' } as const;
  expect(compileMissingValue(message)({ ...ann, ...person })).toBe(missing);
  expect(compileMissingValue({ ...message, allowsMissingValues: true })({ ...ann, ...person })).toBe(null);
});

test('a value is missing only in the language that has its placeholder', () => {
  const body = (text: string): MessageContent => ({ type: 'text', body: text });
  const missing = compileMissingValue({
    ...{ content: body('Hi'), language: 'en', inLanguages: { de: body('Hallo {{email}}') } },
    ...{ variables: {}, businessName: '' },
  });
  expect(missing({ ...ann, language: 'de' })).toBe('email');
  expect(missing({ ...ann, language: 'en' })).toBe(null);
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
    buttons: [{ type: 'url', index: 0, suffix: '?who=%2B447700900001' }],
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

describe('a message in several languages', () => {
  const template = (language: string, code: string): MessageContent =>
    ({
      type: 'template',
      ...{ name: 'offer', language },
      body: { format: 'named', values: { code, since: '{{since}}', price: '{{price}}' } },
    }) as const;
  const fill = compileRunMessage({
    content: template('en', 'main'),
    inLanguages: { de: template('de', 'other'), pt_BR: template('pt_BR', 'third') },
    variables: { since: { customField: 'f1', type: 'date' }, price: { customField: 'f2', type: 'number' } },
    businessName: '',
  });
  const values = { f1: '2026-11-05', f2: 1234.5 };
  const got = (language?: string | null) => fill({ ...ann, customValues: values, language });

  test.each([
    ['de', 'de', '5. November 2026', '1234,5'],
    ['de_AT', 'de', '5. November 2026', '1234,5'],
    ['pt', 'pt_BR', '5 de novembro de 2026', '1234,5'],
    ['fr', 'en', 'November 5, 2026', '1234.5'],
    [null, 'en', 'November 5, 2026', '1234.5'],
    [undefined, 'en', 'November 5, 2026', '1234.5'],
  ])(
    'who wants %s gets %s, with days and numbers as people write them there',
    (wanted, language, since, price) => {
      expect(got(wanted)).toMatchObject({ language, body: { values: { since, price } } });
    },
  );

  test('that is no template has values written in the language that was chosen', () => {
    const text = compileRunMessage({
      ...{ content: { type: 'text', body: 'Since {{since}}' }, language: 'en', businessName: '' },
      inLanguages: { de: { type: 'text', body: 'Seit {{since}}' } },
      variables: { since: { customField: 'f1', type: 'date' } },
    });
    const bodyFor = (language: string) => text({ ...ann, customValues: values, language });
    expect(bodyFor('de_DE')).toEqual({ type: 'text', body: 'Seit 5. November 2026' });
    expect(bodyFor('en_GB')).toEqual({ type: 'text', body: 'Since November 5, 2026' });
  });
});
