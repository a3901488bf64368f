import { describe, expect, test } from 'vitest';
import {
  assignRecipients,
  mergeContacts,
  findConsentOwners,
  undoFields,
  type ConsentSince,
  type MergeableContact,
  type MergePicks,
  type RunRecipient,
} from './merge-rules.ts';

function contact(id: string, fields: Partial<MergeableContact> = {}): MergeableContact {
  return {
    id,
    name: `Name ${id}`,
    phone: `+4470000000${id.codePointAt(0)}`,
    platformUserId: null,
    email: null,
    language: null,
    tags: [],
    status: 'active',
    optedOutAt: null,
    lastMessage: null,
    lastMessageAt: null,
    windowExpiresAt: null,
    customValues: {},
    ...fields,
  };
}

const nothing: MergePicks = { fields: {}, custom: {} };

describe('what stays of merged contacts', () => {
  type Case = [
    string,
    Partial<MergeableContact>,
    Partial<MergeableContact>,
    MergePicks,
    Partial<MergeableContact>,
  ];
  test.each<Case>([
    ['the survivor without a pick', { name: 'Ann' }, { name: 'Anne' }, nothing, { id: 'a', name: 'Ann' }],
    [
      'the picked value',
      {},
      { name: 'Anne' },
      { fields: { name: 'b' }, custom: {} },
      { id: 'a', name: 'Anne' },
    ],
    ['what only the other has', { email: null }, { email: 'b@x.io' }, nothing, { email: 'b@x.io' }],
    ['a picked nothing', { email: 'a@x.io' }, {}, { fields: { email: 'b' }, custom: {} }, { email: null }],
    [
      'a pick of a stranger counts as none',
      { name: 'Ann' },
      {},
      { fields: { name: 'z' }, custom: {} },
      { name: 'Ann' },
    ],
    [
      'all tags, case alike once',
      { tags: ['vip', 'new'] },
      { tags: ['VIP', 'late'] },
      nothing,
      { tags: ['vip', 'new', 'late'] },
    ],
    ['a block of the other', {}, { status: 'blocked' }, nothing, { status: 'blocked' }],
    ['a block of the survivor', { status: 'blocked' }, {}, nothing, { status: 'blocked' }],
    ['an opt-out of the other', {}, { optedOutAt: 5 }, nothing, { optedOutAt: 5 }],
    ['the later of two opt-outs', { optedOutAt: 9 }, { optedOutAt: 5 }, nothing, { optedOutAt: 9 }],
    [
      'an opt-out when the other number stays',
      { optedOutAt: 5 },
      {},
      { fields: { phone: 'b' }, custom: {} },
      { optedOutAt: 5 },
    ],
    [
      'the newest message',
      { lastMessage: 'old', lastMessageAt: 1 },
      { lastMessage: 'new', lastMessageAt: 2 },
      nothing,
      { lastMessage: 'new', lastMessageAt: 2 },
    ],
    [
      'the window of the number that stays',
      { windowExpiresAt: 1 },
      { windowExpiresAt: 2 },
      nothing,
      { windowExpiresAt: 1 },
    ],
    [
      'the window of the picked number',
      { windowExpiresAt: 1 },
      { windowExpiresAt: 2 },
      { fields: { phone: 'b' }, custom: {} },
      { windowExpiresAt: 2 },
    ],
    [
      'the number of the other when the survivor hides its own',
      { phone: null, platformUserId: 'U1' },
      { phone: '+1' },
      nothing,
      { phone: '+1', platformUserId: 'U1' },
    ],
    [
      'the platform id of the number that stays',
      { platformUserId: 'U1' },
      { platformUserId: 'U2' },
      { fields: { phone: 'b' }, custom: {} },
      { platformUserId: 'U2' },
    ],
    [
      'custom values: survivor, only one, picked',
      { customValues: { f: 1, g: true } },
      { customValues: { f: 2, g: false, h: 'x' } },
      { fields: {}, custom: { g: 'b' } },
      { customValues: { f: 1, g: false, h: 'x' } },
    ],
  ])('%s', (_, survivor, other, picks, expected) => {
    expect(mergeContacts([contact('a', survivor), contact('b', other)], picks)).toMatchObject(expected);
  });

  test('no more tags than a contact may have', () => {
    const many = (word: string) => Array.from({ length: 40 }, (_, index) => `${word}${index}`);
    const merged = mergeContacts(
      [contact('a', { tags: many('x') }), contact('b', { tags: many('y') })],
      nothing,
    );
    expect(merged.tags).toHaveLength(50);
    expect(merged.tags).toContain('x39');
  });
});

describe('recipients of campaigns after a merge of b and c into a', () => {
  type Row = [seq: number, contactId: string, progress: RunRecipient['progress']];
  test.each<[string, Row[], [number, string][]]>([
    [
      'what was sent goes to the survivor',
      [
        [0, 'a', 'handed'],
        [1, 'b', 'handed'],
      ],
      [[1, 'a']],
    ],
    ['what was left out goes to the survivor', [[1, 'b', 'ended']], [[1, 'a']]],
    ['the only one that waits is not lost', [[4, 'b', 'waiting']], [[4, 'a']]],
    [
      'of several that wait the first goes on',
      [
        [4, 'b', 'waiting'],
        [7, 'a', 'waiting'],
        [2, 'c', 'waiting'],
      ],
      [
        [7, 'gone'],
        [2, 'a'],
      ],
    ],
    [
      'the survivor that waits first goes on as it is',
      [
        [1, 'a', 'waiting'],
        [4, 'b', 'waiting'],
      ],
      [],
    ],
    [
      'nobody who waits is sent to once the person was',
      [
        [1, 'b', 'handed'],
        [4, 'a', 'waiting'],
        [5, 'c', 'waiting'],
      ],
      [
        [1, 'a'],
        [4, 'gone'],
      ],
    ],
    [
      'a refusal does not stop the one that waits',
      [
        [1, 'a', 'ended'],
        [4, 'b', 'waiting'],
      ],
      [[4, 'a']],
    ],
  ])('%s', (_, rows, changes) => {
    const recipients = rows.map(([seq, contactId, progress]) => ({ runNo: '1', seq, contactId, progress }));
    const result = assignRecipients(recipients, 'a', 'gone');
    expect(result.map(({ seq, contactId }) => [seq, contactId])).toEqual(changes);
  });

  test('runs do not disturb each other', () => {
    const of = (runNo: string) => ({ runNo, seq: 1, contactId: 'b', progress: 'waiting' as const });
    expect(assignRecipients([of('1'), of('2')], 'a', 'gone')).toHaveLength(2);
  });
});

describe('the survivor after an undo', () => {
  const before = contact('a', { name: 'Ann', tags: ['x'], customValues: { f: 1 } });
  const after = contact('a', {
    name: 'Anne',
    tags: ['x', 'y'],
    status: 'blocked',
    customValues: { f: 1, g: 2 },
  });
  test('is as before when nothing changed since', () => {
    expect(undoFields(before, after, after)).toMatchObject({
      fields: { name: 'Ann', tags: ['x'], status: 'active', customValues: { f: 1 } },
      kept: [],
    });
  });
  test('keeps what somebody changed since, and names it', () => {
    const now = { ...after, name: 'Anna', tags: ['y', 'z'], customValues: { f: 9, g: 2 } };
    expect(undoFields(before, after, now)).toMatchObject({
      fields: { name: 'Anna', tags: ['z'], status: 'active', customValues: { f: 9 } },
      kept: ['name'],
    });
  });
});

describe('words about consent after an undo, of the survivor a and the merged b', () => {
  const parts = [{ contactId: 'b', identifiers: ['+2', 'GB.2'] }];
  test.each<[string, ConsentSince, string[]]>([
    ['STOP from the own number', { kind: 'opt_out', source: 'person', sender: '+2' }, ['b']],
    ['START under the own platform id', { kind: 'opt_in', source: 'person', sender: 'GB.2' }, ['b']],
    ['STOP from the number of the survivor', { kind: 'opt_out', source: 'person', sender: '+1' }, ['a']],
    ['an opt-out of unknown origin', { kind: 'opt_out', source: 'person', sender: null }, ['a', 'b']],
    ['an opt-out that staff noted', { kind: 'opt_out', source: 'staff', sender: null }, ['a', 'b']],
    ['an opt-in of a form', { kind: 'opt_in', source: 'form', sender: '+2' }, ['b']],
    ['an opt-in of the bot', { kind: 'opt_in', source: 'bot', sender: null }, []],
    ['an opt-in that staff noted', { kind: 'opt_in', source: 'staff', sender: null }, ['a']],
    ['an opt-in of another service', { kind: 'opt_in', source: 'integration', sender: null }, ['a']],
    ['an opt-in of unknown origin widens nothing', { kind: 'opt_in', source: 'person', sender: null }, []],
  ])('%s', (_, word, owners) => {
    expect(findConsentOwners(word, 'a', parts)).toEqual(owners);
  });
});
