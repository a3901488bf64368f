import { expect, test } from 'vitest';
import { formSubmission, readForm } from './form-trigger.ts';

const config = {
  ...{ slug: 'offer', title: 'Offer', consent: 'I want news.' },
  fields: [
    { name: 'name', label: 'Name', type: 'text', isRequired: true },
    { name: 'mail', label: 'Mail', type: 'email', isRequired: false },
    { name: 'seats', label: 'Seats', type: 'number', isRequired: false },
    { name: 'day', label: 'Day', type: 'date', isRequired: false },
    { name: 'size', label: 'Size', type: 'choice', isRequired: false, options: ['S', 'M'] },
    { name: 'gift', label: 'Gift', type: 'yes_no', isRequired: false },
  ],
};

test.each<[string, Record<string, string>, object, object]>([
  [
    'everything',
    {
      name: ' Bo ',
      mail: 'bo@acme.test',
      seats: '2,5',
      day: '2026-02-28',
      size: 'M',
      gift: 'yes',
      'opt-in': 'yes',
    },
    { name: 'Bo', mail: 'bo@acme.test', seats: 2.5, day: '2026-02-28', size: 'M', gift: true, consent: true },
    {},
  ],
  [
    'only what it must have',
    { name: 'Bo' },
    { name: 'Bo', mail: null, seats: null, day: null, size: null, gift: false, consent: false },
    {},
  ],
  [
    'all wrong',
    { name: ' ', mail: 'bo', seats: 'two', day: '2026-02-31', size: 'XL', gift: 'yes', extra: '1' },
    { gift: true, consent: false },
    { name: 'required', mail: 'email', seats: 'number', day: 'date', size: 'choice' },
  ],
  ['too much', { name: 'x'.repeat(2_001) }, {}, { name: 'too_long' }],
  ['a number that can mean two', { name: 'Bo', seats: '1.500' }, {}, { seats: 'number' }],
  ['a number for machines', { name: 'Bo', seats: '0x10' }, {}, { seats: 'number' }],
])('a form with %s', (_, given, values, problems) => {
  const read = readForm(config, given);
  expect(read.problems).toEqual(problems);
  expect(read.values).toMatchObject(values);
});

test('a field may be called as a control of the page is meant: its answer is taken, and consent is the box alone', () => {
  const field = (name: string) => ({ name, label: name, type: 'text', isRequired: false });
  const of = { ...config, fields: [field('consent'), field('website'), field('form_key')] };
  const given = { consent: 'yes', website: 'acme.test', form_key: 'mine' };
  expect(readForm(of, given)).toEqual({ values: given, hasConsented: false, problems: {} });
});

test('its fields are values of the trigger', () => {
  expect(formSubmission.values(config)).toEqual(['name', 'mail', 'seats', 'day', 'size', 'gift', 'consent']);
});

test.each([
  ['a form on a page', config, { answers: { rating: '4' } }, false],
  ['any form in the chat', { source: 'chat' }, { answers: {} }, true],
  ['one with a named answer', { source: 'chat', answers: ['rating'] }, { answers: { rating: '4' } }, true],
  ['one without it', { source: 'chat', answers: ['rating'] }, { answers: { size: 'M' } }, false],
  ['one of another channel', { source: 'chat', channel: 'a' }, { answers: {}, channel_id: 'b' }, false],
  ['a message that answers nothing', { source: 'chat' }, { text: 'Hi' }, false],
])('answers in the chat begin %s', (_, given, values, isMatch) => {
  expect(formSubmission.matches(given, values)).toBe(isMatch);
});
