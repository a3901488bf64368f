import { expect, test } from 'vitest';
import { rcsCarousel, rcsText } from '../channel-kinds/rcs/rcs-contents.ts';
import { compileRunMessage, type RunMessage } from '../delivery/run-message.ts';
import type { MessageContent } from '../messaging/message-content.ts';
import { mapAddresses, readTarget, type CountedLink } from './counted-link.ts';
import { isPreview } from './preview-robots.ts';
import { rewriteLinks, type Rewriting } from './rewrite-links.ts';

const ownOrigin = 'https://ours.example';
const how = (over: Partial<Rewriting> = {}): Rewriting => ({
  ...{ ownOrigin, base: `${ownOrigin}/l/`, isOn: true, buttonsOf: () => [] },
  mapLinksOf: ({ contentType }) => [rcsText, rcsCarousel].find(({ name }) => name === contentType)?.mapLinks,
  ...over,
});
const run = (content: MessageContent, variables: RunMessage['variables'] = {}): RunMessage => ({
  ...{ content, variables, businessName: 'Shop' },
});

/** As it leaves to one person, with the number of a link in place of its code; and the targets. */
function send(message: RunMessage, over: Partial<Rewriting> = {}) {
  const rewritten = rewriteLinks(message, how(over));
  if (rewritten === 'no_target') return rewritten;
  const links = Object.fromEntries(
    rewritten.links.map(({ name, target, isSuffix }, n) => [
      name,
      { base: `${ownOrigin}/l/`, code: String(n), key: '', target, ...(isSuffix && { isSuffix }) },
    ]),
  ) as Record<string, CountedLink>;
  const fill = compileRunMessage({ ...rewritten.message, links });
  const person = { name: 'Ann', phone: '+1', email: null };
  const writeLink = (link: CountedLink) => (link.isSuffix ? link.code : link.base + link.code);
  return {
    leaves: fill({ ...person, writeLink }),
    shown: fill(person),
    targets: rewritten.links.map(({ target }) => target),
  };
}
const sendText = (body: string, over?: Partial<Rewriting>) => {
  const sent = send(run({ type: 'text', body }), over);
  if (sent === 'no_target' || sent.leaves.type !== 'text') throw new Error('no text');
  return { body: sent.leaves.body, targets: sent.targets };
};

test.each([
  [
    'Look: https://shop.example/a?b=1&c=2.',
    'Look: https://ours.example/l/0.',
    ['https://shop.example/a?b=1&c=2'],
  ],
  ['(https://shop.example/x_(y))', '(https://ours.example/l/0)', ['https://shop.example/x_(y)']],
  [
    'http://a.example and http://a.example',
    `${'https://ours.example/l/0'} and https://ours.example/l/0`,
    ['http://a.example'],
  ],
  [
    '*Sale: https://shop.example/sale* and _*https://shop.example/new!*_',
    '*Sale: https://ours.example/l/0* and _*https://ours.example/l/1!*_',
    ['https://shop.example/sale', 'https://shop.example/new'],
  ],
  ['https://shop.example/a_', 'https://ours.example/l/0', ['https://shop.example/a_']],
  [
    '看这里：https://shop.example/秋。谢谢',
    '看这里：https://ours.example/l/0。谢谢',
    ['https://shop.example/秋'],
  ],
  [
    'https://shop.example/go?to=https://other.example/x&y=1',
    'https://ours.example/l/0',
    ['https://shop.example/go?to=https://other.example/x&y=1'],
  ],
  // These stay as they are.
  ['https://shop.example/u/{{name}}', 'https://shop.example/u/Ann', []],
  ['https://ours.example/forms/sale', 'https://ours.example/forms/sale', []],
  ['https://user:pass@shop.example/', 'https://user:pass@shop.example/', []],
  ['https://shop.example/unsubscribe?u=1', 'https://shop.example/unsubscribe?u=1', []],
  ['https://shop.example/de/newsletter-abmelden', 'https://shop.example/de/newsletter-abmelden', []],
  ['https://optout.shop.example', 'https://optout.shop.example', []],
  [
    'javascript:alert(1) ftp://shop.example shop.example',
    'javascript:alert(1) ftp://shop.example shop.example',
    [],
  ],
])('of “%s” leaves “%s”', (body, leaves, targets) =>
  expect(sendText(body)).toEqual({ body: leaves, targets }),
);

test('switched off, and in a text that is nearly too long, links stay', () => {
  const body = 'https://shop.example/a';
  expect(sendText(body, { isOn: false })).toEqual({ body, targets: [] });
  const long = `${'x'.repeat(1_800)} ${body}`;
  expect(sendText(long)).toEqual({ body: long, targets: [] });
});

test('the caption of a file is rewritten, its own address is not', () => {
  const media = { link: 'https://files.example/price.pdf' };
  const file = {
    type: 'media',
    kind: 'document',
    media,
    caption: 'All: https://shop.example/prices',
  } as const;
  expect(send(run(file))).toMatchObject({
    leaves: { media, caption: `All: ${ownOrigin}/l/0` },
    targets: ['https://shop.example/prices'],
  });
});

test('a placeholder that a person named like ours is still theirs', () => {
  const content = { type: 'text', body: '{{counted_link_1}} https://a.example' } as const;
  const sent = send(run(content, { counted_link_1: { text: 'Mine' } }));
  expect(sent).toMatchObject({ leaves: { body: 'Mine https://ours.example/l/0' } });
});

test('suggestions and texts of cards are rewritten, pictures are not', () => {
  const card = (n: number) => ({
    ...{ title: `Card ${n}`, description: 'More at https://shop.example/more' },
    media: { link: 'https://shop.example/picture.png', height: 'short' },
    suggestions: [{ type: 'url', text: 'Buy', data: 'buy', url: `https://shop.example/${n}` }],
  });
  const value = { width: 'small', cards: [card(1), card(2)], suggestions: [] };
  const sent = send(run({ type: 'kind_content', kind: 'rcs', contentType: 'carousel', value }));
  if (sent === 'no_target') throw new Error(sent);
  expect(sent.targets).toEqual([
    'https://shop.example/more',
    'https://shop.example/1',
    'https://shop.example/2',
  ]);
  expect(sent.leaves).toMatchObject({
    value: {
      cards: [
        {
          media: { link: 'https://shop.example/picture.png' },
          suggestions: [{ url: 'https://ours.example/l/1' }],
        },
        {
          description: 'More at https://ours.example/l/0',
          suggestions: [{ url: 'https://ours.example/l/2' }],
        },
      ],
    },
  });
  // A conversation shows where they lead.
  expect(sent.shown).toMatchObject({ value });
});

test('of an approved template only values are rewritten, and buttons that lead here', () => {
  const content: MessageContent = {
    ...{ type: 'template', name: 'sale', language: 'en' },
    body: { format: 'positional', values: ['{{name}}', '{{page}}'] },
    buttons: [{ type: 'url', index: 1, suffix: '{{code}}' }],
  };
  const variables = {
    page: { text: 'See https://shop.example/p' },
    code: { text: 'https://shop.example/b?x=1' },
  };
  const ours = { buttonsOf: () => [{ index: 1, text: 'Open', url: `${ownOrigin}/l/{{code}}` }] };
  const sent = send(run(content, variables), ours);
  expect(sent).toMatchObject({
    targets: ['https://shop.example/b?x=1', 'https://shop.example/p'],
    leaves: {
      body: { values: ['Ann', 'See https://ours.example/l/1'] },
      buttons: [{ type: 'url', index: 1, suffix: '0' }],
    },
  });
  // Off, the button still needs a code; nothing else is touched.
  expect(send(run(content, variables), { ...ours, isOn: false })).toMatchObject({
    leaves: { body: { values: ['Ann', 'See https://shop.example/p'] }, buttons: [{ suffix: '0' }] },
  });
  expect(send(run(content, { code: { field: 'name' } }), ours)).toBe('no_target');
  const elsewhere = { buttonsOf: () => [{ index: 1, text: 'Open', url: 'https://shop.example/{{code}}' }] };
  expect(send(run(content, { code: { text: 'A-17' } }), elsewhere)).toMatchObject({
    leaves: { buttons: [{ suffix: 'A-17' }] },
  });
});

test('targets are read as they are written', () => {
  expect(readTarget(' https://bücher.example/ß?q=%20#x ', ownOrigin)).toBe(
    'https://bücher.example/ß?q=%20#x',
  );
  expect(readTarget('https://OURS.example', ownOrigin)).toBe(null);
  expect(readTarget(`https://a.example/${'x'.repeat(2_048)}`, ownOrigin)).toBe(null);
  expect(mapAddresses('no link', () => 'x')).toBe('no link');
});

test.each([
  [
    'GET',
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36',
    null,
    false,
  ],
  [
    'GET',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1',
    null,
    false,
  ],
  ['HEAD', 'Mozilla/5.0 (Linux; Android 15)', null, true],
  ['GET', 'Example/2.24.1 A', null, true],
  ['GET', 'Mozilla/5.0 (compatible; Googlebot/2.1)', null, true],
  ['GET', 'Mozilla/5.0 (Linux; Android 15) Chrome/130.0', 'prefetch;prerender', true],
  ['GET', null, null, true],
])('%s by %s (%s) is a preview: %s', (method, userAgent, purpose, expected) =>
  expect(isPreview({ method, userAgent, purpose, agents: [/example\//i] })).toBe(expected),
);

test.each([true, false])('targets are tagged, whether links are counted or not (%s)', (isOn) => {
  const tag = (target: string) => `${target}?utm_source=x`;
  const { body, targets } = sendText('Look: https://shop.example/a, https://ours.example/b', { isOn, tag });
  const tagged = 'https://shop.example/a?utm_source=x';
  expect(targets).toEqual(isOn ? [tagged] : []);
  expect(body).toBe(`Look: ${isOn ? 'https://ours.example/l/0' : tagged}, https://ours.example/b`);
  // Nothing grows beyond what a platform takes.
  const long = `${'x'.repeat(1_780)} https://a.example`;
  expect(sendText(long, { isOn: false, tag }).body).toBe(long);
});
