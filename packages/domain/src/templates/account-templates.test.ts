import { expect, test } from 'vitest';
import type { ChannelTemplate } from '../messaging/channel-template.ts';
import { findDifferences, readAccountTemplate } from './account-templates.ts';
import { templateContent, toChannelDraft, type SendableTemplate } from './template-content.ts';
import { templateVariables } from './template-rendering.ts';
import { findTemplateFaults, mostButtonsOf } from './template-rules.ts';

const ours: SendableTemplate = {
  id: '1',
  name: 'Spring',
  platformName: 'spring',
  language: 'pt',
  category: 'promotion',
  components: [
    { type: 'header', format: 'text', text: 'Hello {{Name}}' },
    { type: 'body', text: 'Dear {{Name}}, come to {{shopName}}.' },
    { type: 'footer', text: 'Stop ends this' },
    {
      type: 'button',
      buttons: [
        { type: 'url', text: 'Open', url: 'https://shop.example/{{code}}' },
        { type: 'phone_number', text: 'Call', phone_number: '+44 7700 900123' },
      ],
    },
  ],
};
const there: ChannelTemplate = {
  ...{ id: '7', name: 'spring', language: 'pt_BR', status: 'APPROVED', category: 'marketing', quality: null },
  ...{ rejectedReason: null, parameterFormat: 'named' },
  header: { format: 'text', text: 'Hello {{name}}' },
  body: 'Dear {{name}}, come to {{shop_name}}.',
  footer: 'Stop ends this',
  buttons: [
    { type: 'url', text: 'Open', url: 'https://shop.example/{{1}}' },
    { type: 'phone_number', text: 'Call', phoneNumber: '+447700900123' },
  ],
};

test.each<[string, Partial<ChannelTemplate>, string[]]>([
  ['the platform’s names for variables and digits of numbers', {}, []],
  ['another text', { body: 'Dear {{name}}.' }, ['body']],
  ['no header and no footer', { header: null, footer: null }, ['header', 'footer']],
  ['a picture in place of the header’s text', { header: { format: 'image' } }, ['header']],
  ['a button less', { buttons: there.buttons.slice(0, 1) }, ['buttons']],
])('against %s', (_, changes, parts) => {
  expect(findDifferences(ours, { ...there, ...changes })).toEqual(parts);
});

test('what is taken over reads as it does there', () => {
  const taken = readAccountTemplate(there);
  if (typeof taken === 'string') throw new Error(taken);
  expect(taken).toMatchObject({ name: 'spring', language: 'pt', category: 'promotion' });
  expect(findDifferences({ ...taken, id: '2', platformName: 'spring' }, there)).toEqual([]);
});

test.each([
  ['en_US', 'en_US'],
  ['en_GB', 'en_GB'],
  ['es_MX', 'es_MX'],
  ['pt_PT', 'pt_PT'],
  ['pt_BR', 'pt'],
  ['fil', 'fil'],
])('%s is kept as %s and sent as it was', (language, ours) => {
  const taken = readAccountTemplate({ ...there, language });
  if (typeof taken === 'string') throw new Error(taken);
  expect(taken.language).toBe(ours);
  expect(toChannelDraft({ ...taken, id: '2', platformName: 'spring' }).language).toBe(language);
});

test.each(['image', 'video', 'document'] as const)('a header with %s waits for its file', (format) => {
  const withFile = { ...there, header: { format } };
  const taken = readAccountTemplate(withFile);
  if (typeof taken === 'string') throw new Error(taken);
  expect(taken.components[0]).toEqual({ type: 'header', format, media: null });
  expect(findDifferences({ ...taken, id: '2', platformName: 'spring' }, withFile)).toEqual([]);
});

test('each part has variables of its own, as there', () => {
  const counted: ChannelTemplate = {
    ...{ ...there, parameterFormat: 'positional', header: { format: 'text', text: 'Offer {{1}}' } },
    body: 'Dear {{1}}, until {{2}}.',
    buttons: [
      { type: 'url', text: 'Open', url: 'https://shop.example/{{1}}' },
      { type: 'url', text: 'Read', url: 'https://news.example/{{1}}' },
    ],
  };
  const taken = readAccountTemplate(counted);
  if (typeof taken === 'string') throw new Error(taken);
  const template = { ...taken, id: '2', platformName: 'spring' };
  expect(findDifferences(template, counted)).toEqual([]);
  expect(templateVariables(taken.components)).toEqual(['1', '2', 'header_1', 'button_1', 'button_2']);
  const values = { '1': 'Ann', '2': 'May', header_1: 'Ten', button_1: 'a', button_2: 'b' };
  expect(templateContent(template, values)).toEqual({
    ...{ type: 'template', name: 'spring', language: 'pt_BR', header: { type: 'text', text: 'Ten' } },
    body: { format: 'positional', values: ['Ann', 'May'] },
    buttons: [
      { type: 'url', index: 0, suffix: 'a' },
      { type: 'url', index: 1, suffix: 'b' },
    ],
  });
});

test('more buttons than the editor gives are kept', () => {
  const buttons = ['One', 'Two', 'Three', 'Four'].map((text) => ({ type: 'quick_reply' as const, text }));
  const taken = readAccountTemplate({ ...there, buttons });
  if (typeof taken === 'string') throw new Error(taken);
  expect(taken.components.at(-1)).toEqual({ type: 'button', buttons });
  expect(findTemplateFaults(taken)).toMatchObject([{ problem: 'too_many_buttons' }]);
  expect(findTemplateFaults(taken, mostButtonsOf(taken.components))).toEqual([]);
});

test('numbered variables stay numbered', () => {
  const numbered = { ...there, header: null, body: 'Dear {{1}}, until {{2}}.', buttons: [] };
  const taken = readAccountTemplate(numbered);
  if (typeof taken === 'string') throw new Error(taken);
  expect(findDifferences({ ...taken, id: '2', platformName: 'spring' }, numbered)).toEqual([]);
});

test.each<[Partial<ChannelTemplate>, string]>([
  [{ language: '' }, 'language'],
  [{ language: 'Deutsch' }, 'language'],
  [{ header: { format: 'location' } }, 'part'],
  [{ category: 'authentication' }, 'part'],
  [{ buttons: [{ type: 'other', vendorType: 'FLOW', text: 'Begin' }] }, 'part'],
  [{ body: '' }, 'part'],
])('%j is not taken over', (changes, obstacle) => {
  expect(readAccountTemplate({ ...there, ...changes })).toBe(obstacle);
});
