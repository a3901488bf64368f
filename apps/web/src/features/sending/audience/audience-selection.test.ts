import { describe, expect, it } from 'vitest';
import { audienceFromChoice } from './audience-from-choice.ts';
import {
  addFilter,
  clearChosen,
  emptySelection,
  fromAudience,
  hasFilter,
  isChosen,
  isSelectionEmpty,
  packSelection,
  removeFilter,
  segmentsIn,
  toAudience,
  toggleContact,
  unpackSelection,
} from './audience-selection.ts';

const contact = (id: string, tags: string[] = []) => ({
  id,
  name: `Person ${id}`,
  phone: `+44770090020${id}`,
  email: null,
  tags,
  status: 'active',
});
const ann = contact('1', ['vip']);
const bob = contact('2', ['vip', 'lead']);
const cleo = contact('3');

describe('an audience selection', () => {
  it('picks and drops people one by one', () => {
    const picked = toggleContact(toggleContact(emptySelection, ann), cleo);
    expect(toAudience(picked)).toEqual({ contactIds: ['1', '3'] });
    expect(isSelectionEmpty(toggleContact(toggleContact(picked, ann), cleo))).toBe(true);
  });

  it('takes somebody out of a tag, and the tag brings them back', () => {
    const tagged = addFilter(emptySelection, { tags: ['vip'] });
    const without = toggleContact(tagged, bob);
    expect(isChosen(without, ann)).toBe(true);
    expect(isChosen(without, bob)).toBe(false);
    expect(toAudience(without)).toEqual({ filter: { tags: ['vip'] }, excludedIds: ['2'] });
    expect(isChosen(addFilter(without, { tags: ['lead'] }), bob)).toBe(true);
    expect(isChosen(toggleContact(without, bob), bob)).toBe(true);
  });

  it('keeps picked people beside a tag', () => {
    const both = addFilter(toggleContact(emptySelection, cleo), { tags: ['vip'] });
    expect(toAudience(both)).toEqual({ anyOf: [{ tags: ['vip'] }], contactIds: ['3'], excludedIds: [] });
    expect(toAudience(removeFilter(both, { tags: ['vip'] }))).toEqual({ contactIds: ['3'] });
  });

  it('swallows everything else when everybody is chosen', () => {
    const everybody = addFilter(addFilter(toggleContact(emptySelection, cleo), { tags: ['vip'] }), {});
    expect(toAudience(everybody)).toEqual({ filter: {}, excludedIds: [] });
  });

  it('knows a filter again whatever its order and case', () => {
    const selection = addFilter(emptySelection, { search: 'Ann', tags: ['a', 'b'] });
    expect(hasFilter(selection, { search: 'ann', tags: ['b', 'a'] })).toBe(true);
    expect(addFilter(selection, { search: 'ann', tags: ['b', 'a'] }).filters).toHaveLength(1);
  });

  it('finds people as the server does: a part of name, phone or address, upper and lower case alike', () => {
    const found = addFilter(emptySelection, { search: 'PERSON 3' });
    expect([ann, bob, cleo].map((person) => isChosen(found, person))).toEqual([false, false, true]);
  });

  it('asks the server whom a segment names, and takes people out of it by hand', () => {
    const buyers = { segmentId: 's1', name: 'Buyers' };
    const chosen = addFilter(emptySelection, buyers);
    const named = new Set([ann.id]);
    expect([ann, bob].map((person) => isChosen(chosen, person, named))).toEqual([true, false]);
    const without = toggleContact(chosen, ann, named);
    expect(toAudience(without)).toEqual({ filter: { segmentId: 's1' }, excludedIds: ['1'] });
    const withBob = toggleContact(without, bob, named);
    expect(toAudience(withBob)).toEqual({
      anyOf: [{ segmentId: 's1' }],
      contactIds: ['2'],
      excludedIds: ['1'],
    });
    expect(fromAudience(toAudience(withBob), [{ id: 's1', name: 'Buyers' }]).filters).toEqual([buyers]);
    expect(removeFilter(chosen, { ...buyers, name: 'Renamed since' }).filters).toEqual([]);
  });

  it('never takes rules or a segment for everybody', () => {
    const rules = { match: 'all', conditions: [{ kind: 'has_tag', value: 'vip' }] } as const;
    for (const filter of [{ rules }, { segmentId: 's1', name: 'Buyers' }]) {
      const selection = addFilter(emptySelection, filter);
      expect(hasFilter(selection, {})).toBe(false);
      expect(isChosen(selection, cleo)).toBe(false);
    }
  });

  it('keeps whom it leaves out, whatever else is chosen, and nothing of it where there is none', () => {
    const leftOut = { except: [{ tags: ['lead'] }, { segmentId: 's1', name: 'Buyers' }], restDays: 7 };
    const sent = { except: [{ tags: ['lead'] }, { segmentId: 's1' }], restDays: 7 };
    const picked = toggleContact({ ...emptySelection, ...leftOut }, cleo);
    expect(toAudience(picked)).toEqual({ contactIds: ['3'], ...sent });
    const everybody = addFilter(picked, {});
    expect(toAudience(everybody)).toEqual({ filter: {}, excludedIds: [], ...sent });
    expect(fromAudience(toAudience(everybody), [{ id: 's1', name: 'Buyers' }])).toMatchObject(leftOut);
    expect(segmentsIn(everybody)).toEqual([{ segmentId: 's1', name: 'Buyers' }]);
    expect(unpackSelection(JSON.parse(JSON.stringify(packSelection(everybody))))).toEqual(everybody);
    const earlier = { filters: [{}], picked: [], excluded: [] };
    expect(unpackSelection(earlier)).toMatchObject({ except: [], restDays: null });
  });

  it('keeps whom it leaves out when those who were chosen are cleared, or others are handed over', () => {
    const leftOut = { except: [{ tags: ['vip'] }], restDays: 7 };
    const chosen = toggleContact(addFilter({ ...emptySelection, ...leftOut }, { tags: ['lead'] }), bob);
    const cleared = clearChosen(chosen);
    expect(cleared).toEqual({ ...emptySelection, ...leftOut });
    expect(isSelectionEmpty(cleared)).toBe(true);
    expect(toAudience(addFilter(cleared, { tags: ['other'] }))).toMatchObject(leftOut);
    const byHand = audienceFromChoice({ choice: { contactIds: ['3'] } }, chosen);
    expect(toAudience(byHand)).toEqual({ contactIds: ['3'], ...leftOut });
    const filter = { campaignId: 'c', outcome: 'failed', reason: '131026' } as const;
    const handed = audienceFromChoice({ choice: { filter } }, chosen);
    expect(toAudience(handed)).toEqual({ filter, excludedIds: [], ...leftOut });
    expect(audienceFromChoice({ choice: { filter } })).toMatchObject({ except: [], restDays: null });
  });

  it('survives being stored and a round through the API', () => {
    const selection = toggleContact(toggleContact(addFilter(emptySelection, { tags: ['vip'] }), bob), cleo);
    const stored = unpackSelection(JSON.parse(JSON.stringify(packSelection(selection))));
    expect(stored).toEqual(selection);
    expect(toAudience(fromAudience(toAudience(stored)))).toEqual(toAudience(selection));
  });
});
