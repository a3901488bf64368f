import { expect, test } from 'vitest';
import { filterRules } from '../../src/features/contacts/list/filter-rules.ts';
import { audienceFromChoice } from '../../src/features/sending/audience/audience-from-choice.ts';
import { toAudience } from '../../src/features/sending/audience/audience-selection.ts';

const ID = '0193a6f0-0000-7000-8000-000000000001';
const vip = { kind: 'has_tag', value: 'vip' } as const;
const segment = (match: 'all' | 'any', conditions = [vip]) => ({
  ...{ id: ID, name: 'Buyers', rules: { match, conditions }, version: 1 },
  ...{ createdAt: '2026-11-21T00:00:00Z', updatedAt: '2026-11-21T00:00:00Z' },
});

test('what the list is narrowed to can be kept as rules, where rules can say it', () => {
  expect(filterRules({ search: '', filter: 'all' }, [])).toBeUndefined();
  expect(filterRules({ search: 'ann', filter: 'tag:vip' }, [])).toEqual({
    match: 'all',
    conditions: [vip, { kind: 'search_matches', value: 'ann' }],
  });
  const searched = { search: 'ann', filter: `segment:${ID}` };
  expect(filterRules(searched, [segment('all')])?.conditions).toHaveLength(2);
  // One of several things is a group beside what was searched for.
  expect(filterRules(searched, [segment('any', [vip, vip])])).toEqual({
    match: 'all',
    conditions: [{ kind: 'search_matches', value: 'ann' }],
    groups: [{ match: 'any', conditions: [vip, vip] }],
  });
  expect(filterRules({ search: '', filter: 'language:de' }, [])?.conditions).toEqual([
    { kind: 'language_is', value: 'de' },
  ]);
  expect(filterRules({ search: '', filter: 'language:none' }, [])?.conditions).toEqual([
    { kind: 'language_unknown', value: '' },
  ]);
  // A segment alone is one already.
  expect(filterRules({ search: '', filter: `segment:${ID}` }, [segment('all')])).toBeUndefined();
});

test('people who were chosen in the list are the same ones in the audience', () => {
  expect(toAudience(audienceFromChoice({ choice: { contactIds: ['a', 'b'] } }))).toEqual({
    contactIds: ['a', 'b'],
  });
  expect(
    toAudience(audienceFromChoice({ choice: { filter: { tag: 'vip', search: 'ann' }, excludedIds: ['c'] } })),
  ).toEqual({ filter: { search: 'ann', tags: ['vip'] }, excludedIds: ['c'] });
  const ofSegment = { filter: { segment: ID } };
  expect(toAudience(audienceFromChoice({ choice: ofSegment, segment: segment('all') }))).toEqual({
    ...{ filter: { segmentId: ID }, excludedIds: [] },
  });
  const searched = audienceFromChoice({
    choice: { filter: { segment: ID, search: 'ann' } },
    segment: segment('any'),
  });
  expect(toAudience(searched)).toEqual({
    ...{ filter: { search: 'ann', rules: { match: 'any', conditions: [vip] } }, excludedIds: [] },
  });
});
