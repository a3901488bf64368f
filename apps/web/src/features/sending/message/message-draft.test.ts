import { describe, expect, it } from 'vitest';
import {
  emptyMessage,
  isMessageEmpty,
  sourceOf,
  toMessageChoice,
  toVariables,
  unfilledVariables,
  variablesOf,
  variablesWithoutFallback,
} from './message-draft.ts';

describe('a message draft', () => {
  it.each([
    [emptyMessage, null],
    [{ ...emptyMessage, customMessage: '  \n ' }, null],
    [{ ...emptyMessage, customMessage: ' Hi {{name}} ' }, { customMessage: 'Hi {{name}}' }],
    [
      { ...emptyMessage, templateId: 't1' },
      { templateId: 't1', inContactLanguage: true },
    ],
    [{ ...emptyMessage, templateId: 't1', inContactLanguage: false }, { templateId: 't1' }],
  ])('%j is sent as %j', (draft, choice) => {
    expect(toMessageChoice(draft)).toEqual(choice);
    expect(isMessageEmpty(draft)).toBe(choice === null);
  });

  it('names the placeholders of text and template alike', () => {
    expect(
      variablesOf({ ...emptyMessage, customMessage: '{{name}} {{ code }} {{name}}' }, undefined),
    ).toEqual(['name', 'code']);
    const components = [
      { type: 'header', format: 'text', text: 'For {{city}}' } as const,
      { type: 'body', text: 'Hi {{name}}' } as const,
    ];
    expect(variablesOf({ ...emptyMessage, templateId: 't1' }, { components })).toEqual(['name', 'city']);
  });

  it.each([
    ['name', { field: 'name' }],
    ['first_name', { field: 'first_name' }],
    ['Phone', { field: 'phone' }],
    ['business', { field: 'business' }],
    ['code', null],
    ['constructor', null],
  ])('fills {{%s}} with %j unless told otherwise', (name, source) => {
    expect(sourceOf(name, {}, [])).toEqual(source);
  });

  it('sends what was chosen and tells what is missing', () => {
    const chosen = { name: { text: 'friend' }, code: { text: '' } };
    expect(toVariables(['name', 'code', 'phone'], chosen, [])).toEqual({
      name: { text: 'friend' },
      phone: { field: 'phone' },
    });
    expect(unfilledVariables(['name', 'code', 'phone', 'shoe'], chosen, [])).toEqual(['code', 'shoe']);
  });

  describe('with custom fields', () => {
    const fields = [{ id: 'f1', key: 'company' }];

    it.each([
      ['company', {}, { customField: 'f1' }],
      ['name', {}, { field: 'name' }],
      ['company', { company: { field: 'business' } }, { field: 'business' }],
      ['code', { code: { customField: 'f1', fallback: 'x' } }, { customField: 'f1', fallback: 'x' }],
      ['code', { code: { customField: 'gone' } }, null],
    ] as const)('fills {{%s}} of %j with %j', (name, variables, source) => {
      expect(sourceOf(name, variables, fields)).toEqual(source);
    });

    it('keeps a choice as long as nobody knows the fields', () => {
      expect(sourceOf('code', { code: { customField: 'f1' } }, undefined)).toEqual({ customField: 'f1' });
    });

    it('tells which placeholders stay as written for people without a value', () => {
      const variables = {
        email: { field: 'email' },
        tier: { customField: 'f1', fallback: 'none' },
        code: { customField: 'f1' },
      } as const;
      const names = ['name', 'email', 'tier', 'code', 'company', 'shoe'];
      expect(variablesWithoutFallback(names, variables, fields)).toEqual(['email', 'code', 'company']);
    });
  });
});
