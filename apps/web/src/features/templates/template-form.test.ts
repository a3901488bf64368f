import { expect, test } from 'vitest';
import { emptyButton, emptyHeader, fieldOfFault, type TemplateFormValues } from './template-form.ts';

const values: TemplateFormValues = {
  name: 'Sale',
  category: 'general',
  language: 'en',
  status: 'draft',
  header: { ...emptyHeader, shown: true },
  body: 'Hello',
  footer: { shown: false, text: '' },
  buttons: [{ ...emptyButton }, { ...emptyButton, type: 'url', text: 'Go', url: 'nowhere' }],
  content: null,
  samples: [],
};

test('a fault of the rules stands at the field that the person filled in, whatever was left empty', () => {
  // The empty first button is dropped before the rules see the rest.
  expect(fieldOfFault('buttons.0.url', values)).toBe('buttons.1.url');
  expect(fieldOfFault('buttons', values)).toBe('buttons');
  expect(fieldOfFault('header', values)).toBe('header.text');
  expect(fieldOfFault('header', { ...values, header: { ...values.header, format: 'image' } })).toBe(
    'header.media',
  );
  expect(fieldOfFault('name', values)).toBe('name');
});
