import { expect, test } from 'vitest';
import { campaignParametersOf, tagLink } from './tagged-links.ts';

const SPRING = campaignParametersOf({ name: '  Spring & Sale — 2026! ', channelKind: 'rcs' });
const TAGS = 'utm_source=rcs&utm_medium=messaging&utm_campaign=spring-sale-2026';

test.each([
  ['https://shop.example/', `https://shop.example/?${TAGS}`],
  ['https://shop.example', `https://shop.example?${TAGS}`],
  ['https://shop.example/a?size=M', `https://shop.example/a?size=M&${TAGS}`],
  ['https://shop.example/a?', `https://shop.example/a?${TAGS}`],
  ['https://shop.example/a?x=1&', `https://shop.example/a?x=1&${TAGS}`],
  ['https://shop.example/a#top', `https://shop.example/a?${TAGS}#top`],
  ['https://shop.example/a?x=1#/b?c', `https://shop.example/a?x=1&${TAGS}#/b?c`],
  ['https://shop.example/{{order}}?who={{name}}', `https://shop.example/{{order}}?who={{name}}&${TAGS}`],
])('%s is tagged', (address, tagged) => {
  expect(tagLink(address, SPRING)).toBe(tagged);
  // Tagged once, it stays so.
  expect(tagLink(tagged, SPRING)).toBe(tagged);
});

test.each([
  'https://shop.example/?utm_source=newsletter',
  'https://shop.example/?a=1&UTM_Campaign=x',
  'https://shop.example/?utm_id',
  '{{link}}',
  'https://{{host}}/a',
  'tel:+34612345678',
  'geo:41,2',
  '',
])('%s stays as it is', (address) => {
  expect(tagLink(address, SPRING)).toBe(address);
});

test.each([
  ['Primavera/Verão', 'primavera-verão'],
  ['春のセール', '春のセール'],
  ['!!!', 'campaign'],
  ['x'.repeat(200), 'x'.repeat(100)],
])('the campaign %s is called %s', (name, campaign) => {
  expect(campaignParametersOf({ name, channelKind: 'mail' })).toEqual({
    ...{ source: 'mail', medium: 'messaging', campaign },
  });
});
