import { describe, expect, test } from 'vitest';
import { factTypes, isFactType, readDefinition } from './fact-catalogue.ts';
import { fieldChange, findWrongValue, flag, listOf, oneOf, orNull, text, whole } from './fact-values.ts';

describe('every fact', () => {
  test.each(factTypes.map((type) => [type]))('%s is named as things that happened', (type) => {
    expect(type).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
    const { values, personal = [], version } = readDefinition(type);
    expect(version).toBeGreaterThan(0);
    for (const name of personal) expect(Object.keys(values)).toContain(name);
    // Else they would tell who somebody was merged into.
    if ('otherIds' in values) expect(personal).toContain('otherIds');
  });
});

test('a type is known by its own name alone', () => {
  expect(isFactType('custom_field.created')).toBe(true);
  expect(isFactType('toString')).toBe(false);
});

test('values are those of the shape, no more and no less', () => {
  const shape = {
    name: text,
    count: whole,
    isNew: flag,
    kind: oneOf(['a', 'b']),
    ids: listOf(text),
    note: orNull(text),
    changes: listOf(fieldChange),
  };
  const right = {
    name: 'Ann',
    count: 2,
    isNew: true,
    kind: 'a',
    ids: ['x'],
    note: null,
    changes: [{ field: 'custom.size', before: null, after: 4 }],
  };
  expect(findWrongValue(shape, right)).toBeUndefined();
  expect(findWrongValue(shape, { ...right, count: 1.5 })).toBe('count');
  expect(findWrongValue(shape, { ...right, kind: 'c' })).toBe('kind');
  expect(findWrongValue(shape, { ...right, ids: ['x', 1] })).toBe('ids');
  expect(findWrongValue(shape, { ...right, note: undefined })).toBe('note');
  expect(findWrongValue(shape, { ...right, phone: '+1' })).toBe('phone');
  const changes = [{ field: 'name', before: 'Ann', after: undefined }];
  expect(findWrongValue(shape, { ...right, changes })).toBe('changes');
});
