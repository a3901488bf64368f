import { expect, test } from 'vitest';
import type { ChannelTemplate } from '../messaging/channel-template.ts';
import { findDifferences, readAccountTemplate } from './account-templates.ts';
import type { SendableTemplate } from './template-content.ts';

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

test('numbered variables stay numbered', () => {
  const numbered = { ...there, header: null, body: 'Dear {{1}}, until {{2}}.', buttons: [] };
  const taken = readAccountTemplate(numbered);
  if (typeof taken === 'string') throw new Error(taken);
  expect(findDifferences({ ...taken, id: '2', platformName: 'spring' }, numbered)).toEqual([]);
});

test.each<[Partial<ChannelTemplate>, string]>([
  [{ language: 'en_US' }, 'language'],
  [{ header: { format: 'image' } }, 'file'],
  [{ header: { format: 'location' } }, 'part'],
  [{ category: 'authentication' }, 'part'],
  [{ buttons: [{ type: 'other', vendorType: 'FLOW', text: 'Begin' }] }, 'part'],
  [{ body: '' }, 'part'],
])('%j is not taken over', (changes, obstacle) => {
  expect(readAccountTemplate({ ...there, ...changes })).toBe(obstacle);
});
