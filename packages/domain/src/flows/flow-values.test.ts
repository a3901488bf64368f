import { expect, test } from 'vitest';
import { fillValues, findReferences, pathName, readPath, soleReference } from './flow-values.ts';

const body = {
  ...{ 'Phone number': '+1', größe: 'M', 'data[email]': 'a@b.test', plain: { a_b: 1 }, list: [{ id: 2 }] },
  ...{ 'order.id': 7, ' !': 'marks' },
};

test.each([
  ['Phone_number', '+1'],
  ['Phone number', '+1'],
  ['größe', 'M'],
  ['data_email', 'a@b.test'],
  ['order_id', 7],
  ['plain.a_b', 1],
  ['list.0.id', 2],
  ['', undefined],
  ['constructor', undefined],
  ['__proto__', undefined],
])('a path %j leads to %j', (path, value) => expect(readPath(body, path)).toEqual(value));

test('each key is reached by its name, and texts may hold it', () => {
  for (const key of ['Phone number', 'größe', 'data[email]', '電話'])
    expect(findReferences(`{{trigger.body.${pathName(key)}}}`)).toEqual([`trigger.body.${pathName(key)}`]);
  const values = { ...{ trigger: { body }, contact: {}, steps: {}, workspace: {} } };
  expect(fillValues('{{trigger.body.Phone_number}} {{ trigger.body.größe | S }}', values)).toBe('+1 M');
});

test.each([
  [' {{steps.a.total}} ', 'steps.a.total'],
  ['{{a}}{{b}}', null],
  ['{{a}} €', null],
  ['5', null],
])('%j is one reference: %j', (text, path) => expect(soleReference(text)).toBe(path));
