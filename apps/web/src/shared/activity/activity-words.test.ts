import type { ValueFit } from '@app/domain/activity/fit-search';
import { auditedFactTypes, readDefinition } from '@app/domain/events/fact-catalogue';
import { beforeAll, expect, test } from 'vitest';
import { splitWords, type SourceTexts } from '../languages/split-words.ts';
import { loadMessages } from '../messages.ts';
import { describeActivity, resourceName } from './activity-words.ts';
import { findSaid } from './said-facts.ts';

const files = import.meta.glob<SourceTexts>('../../messages/*.json', { import: 'default', eager: true });
const facts = splitWords(files, 'en')['activity-facts'] ?? {};

beforeAll(() => loadMessages('ui', 'common', 'activity', 'activity-facts'));

test.each(auditedFactTypes.map((type) => [type]))(
  'the words of %s hold no value that it does not have',
  (type) => {
    const words = facts[`activity.fact.${type}`] ?? 'nothing {at all}';
    const used = [...words.matchAll(/\{(\w+)(?=[,}])/g)].map(([, name]) => name);
    expect(Object.keys(readDefinition(type).values)).toEqual(expect.arrayContaining(used));
  },
);

test('an entry is said in the words of its fact, and an older one has its own', () => {
  const say = (type: (typeof auditedFactTypes)[number], values: Record<string, string | number | null>) =>
    describeActivity({ fact: { type, values }, description: null });
  expect(say('custom_field.created', { label: 'Tier' })).toBe('Added custom field Tier');
  expect(say('contact.consent_recorded', { name: 'Ann', kind: 'opt_in' })).toBe('Recorded an opt-in of Ann');
  expect(say('contact.consent_recorded', { name: 'Ann', kind: 'opt_out' })).toBe(
    'Recorded an opt-out of Ann',
  );
  expect(say('contacts.edited', { changed: 12 })).toBe('Edited 12 contacts at once');
  expect(say('contact.updated', { name: null })).toBe('Updated contact (erased)');
  expect(say('user.role_changed', { name: 'admin', from: 'agent', to: 'manager' })).toBe(
    'Changed the role of admin from Agent to Manager',
  );
  expect(say('team.member_role_changed', { name: 'Ann', role: 'admin', team: 'Shop' })).toBe(
    'Made Ann an admin of team Shop',
  );
  expect(describeActivity({ fact: null, description: 'Signed in' })).toBe('Signed in');
});

test('what an entry is about is said in words', () => {
  const resources = new Set(auditedFactTypes.map((type) => readDefinition(type).audit?.resource ?? ''));
  expect([...resources].filter((resource) => resourceName(resource) === resource)).toEqual([]);
});

/** What is found by a piece, read once: most pieces stand in many sentences. */
const found = new Map<string, ReturnType<typeof findSaid>>();
function findOnce(search: string): ReturnType<typeof findSaid> {
  const said = found.get(search) ?? findSaid(search);
  found.set(search, said);
  return said;
}

// As the server reads it: its entries hold their values, and lower case is made of both sides.
function isFound(type: string, values: Record<string, string | number>, search: string): boolean {
  const of = (name: string) => String(values[name]).toLowerCase();
  const isFit = ({ name, at, text }: ValueFit) =>
    at === 'whole' ? of(name) === text : at === 'start' ? of(name).startsWith(text) : of(name).endsWith(text);
  return (
    Object.values(values).some((value) => String(value).toLowerCase().includes(search.toLowerCase())) ||
    findOnce(search).some((said) => said.type === type && (said.values ?? []).every(isFit))
  );
}

test.each(auditedFactTypes.map((type) => [type]))(
  'an entry of %s is found by pieces of what is read there, and by no other',
  (type) => {
    const shape = Object.entries(readDefinition(type).values);
    const values = Object.fromEntries(
      shape.map(([name, { words }], place) => [name, words?.[0] ?? (place === 0 ? 'Ann to Lee' : place)]),
    );
    const sentence = describeActivity({ fact: { type, values }, description: null });
    // From each place one, of every length by turns.
    const lengths = [1, 3, 9, 14, sentence.length];
    const pieces = [...sentence].map((_, from) =>
      sentence.slice(from, from + lengths[from % lengths.length]!).trim(),
    );
    const others = [`x${sentence}`, `${sentence}x`, sentence.replace(' ', ' and '), 'zzz'];
    expect(pieces.filter((piece) => piece !== '' && !isFound(type, values, piece))).toEqual([]);
    expect(others.filter((other) => isFound(type, values, other))).toEqual([]);
  },
);

test('nothing is asked for without a text', () => {
  expect(findSaid('  ')).toEqual([]);
});
