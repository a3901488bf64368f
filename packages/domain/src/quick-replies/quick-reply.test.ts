import { describe, expect, test } from 'vitest';
import {
  fillQuickReply,
  longestText,
  rankQuickReplies,
  readQuickReplyValues,
  readShortcut,
  type QuickReplyFacts,
} from './quick-reply.ts';

test.each([
  ['Hello', 'hello'],
  [' /thanks ', 'thanks'],
  ['größe-2', 'größe-2'],
  ['привет', 'привет'],
  ['Two  words', 'two-words'],
  ['', undefined],
  ['/', undefined],
  ['a'.repeat(32), 'a'.repeat(32)],
  ['a'.repeat(33), undefined],
  ['a/b', undefined],
])('the shortcut of %j is %j', (typed, shortcut) => expect(readShortcut(typed)).toBe(shortcut));

test.each([
  [false, [], 4096],
  [true, [], 1024],
  [false, ['Yes'], 1024],
])('with a file %s and buttons %j a text has at most %d characters', (hasMedia, buttons, longest) =>
  expect(longestText({ hasMedia, buttons })).toBe(longest),
);

describe('what is found behind the slash', () => {
  const reply = (shortcut: string, title: string, text: string, used = 0) => ({
    shortcut,
    title,
    text,
    used,
  });
  const all = [
    reply('bye', 'Goodbye', 'See you'),
    reply('thanks', 'Thank you', 'Thanks, {{name}}!', 2),
    reply('hi', 'Hello there', 'Good morning', 9),
    reply('thanks-vip', 'For regulars', 'Many thanks'),
  ];
  test.each([
    ['', ['hi', 'thanks', 'bye', 'thanks-vip']],
    ['thanks', ['thanks', 'thanks-vip']],
    ['THA', ['thanks', 'thanks-vip']],
    ['vip', ['thanks-vip']],
    ['good', ['bye', 'hi']],
    ['zzz', []],
  ])('%j finds %j', (typed, found) =>
    expect(rankQuickReplies(all, typed).map(({ shortcut }) => shortcut)).toEqual(found),
  );
});

describe('the variables of a text', () => {
  const facts: QuickReplyFacts = {
    person: {
      name: 'Ann',
      phone: '+14155552671',
      email: null,
      customValues: { f1: '2026-11-22', f2: 1234.5 },
    },
    customFields: [
      { id: 'f1', key: 'due', type: 'date' },
      { id: 'f2', key: 'amount', type: 'number' },
      { id: 'f3', key: 'city', type: 'text' },
    ],
    agentName: 'Maria',
    businessName: 'Acme',
    language: 'en',
  };
  test.each([
    ['Hi {{name}}, {{ agent }} of {{business}} here', 'Hi Ann, Maria of Acme here', []],
    ['Due {{due}}: {{amount}}', 'Due November 22, 2026: 1234.5', []],
    ['{{email}} in {{city}}, {{phone}}', '{{email}} in {{city}}, +14155552671', ['email', 'city']],
    ['{{nobody}} {{constructor}}', '{{nobody}} {{constructor}}', ['nobody', 'constructor']],
    ['no variable {name}', 'no variable {name}', []],
  ])('%j becomes %j', (text, filled, missing) => {
    const values = readQuickReplyValues(text, facts);
    expect(fillQuickReply(text, values)).toBe(filled);
    expect([...values].filter(([, value]) => value === null).map(([name]) => name)).toEqual(missing);
  });

  test('a name that looks like a variable stays a name, and nobody is greeted by a number', () => {
    const named = { ...facts, person: { ...facts.person, name: '{{business}}' } };
    expect(fillQuickReply('{{name}}', readQuickReplyValues('{{name}}', named))).toBe('{{business}}');
    const nameless = { ...facts, person: { ...facts.person, name: ' ' } };
    expect(readQuickReplyValues('{{name}}', nameless).get('name')).toBeNull();
  });
});
