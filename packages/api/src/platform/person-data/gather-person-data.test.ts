import { expect, test } from 'vitest';
import type { ReadScope, WorkspaceScope } from '../workspace-scope.ts';
import { gatherPersonData } from './gather-person-data.ts';
import type { PersonData } from './person-data.ts';

const scope = {} as WorkspaceScope & ReadScope; // nothing here looks at it
const section = (name: string) => ({ section: name, read: async () => ({ rows: [], next: null }) });
const keeping = (tables: PersonData['tables'], more: Partial<PersonData> = {}) => ({
  name: `keeper of ${Object.keys(tables).join()}`,
  personData: { tables, erase: async () => {}, merge: null, unmerge: null, ...more },
});

test('a section is that of one table', () => {
  const notes = keeping({ notes: section('notes') });
  expect(() => gatherPersonData([notes, keeping({ calls: section('notes') })])).toThrow(
    'the same section: notes',
  );
});

test('a person is asked after until nobody knows more', async () => {
  const { identify } = gatherPersonData([
    keeping(
      { a: section('a') },
      { identify: async (_, { ids }) => ({ names: ids.includes('earlier') ? ['Ann'] : [] }) },
    ),
    keeping(
      { b: section('b') },
      { identify: async (_, { identifiers }) => ({ ids: identifiers.length > 0 ? ['earlier'] : [] }) },
    ),
    keeping({ c: section('c') }, { identify: async () => ({ identifiers: ['+14155552671'] }) }),
  ]);
  expect(await identify(scope, 'now')).toEqual({
    ...{ contactId: 'now', ids: ['now', 'earlier'], identifiers: ['+14155552671'], names: ['Ann'] },
  });
});

test('each feature gets back what it gave for a merge, and nothing of a merge before its time', async () => {
  const got: unknown[] = [];
  const people = gatherPersonData([
    keeping(
      { a: section('a') },
      { merge: async () => ({ moved: 1 }), unmerge: async (_, __, moved) => void got.push(moved) },
    ),
    keeping({ b: section('b') }, { unmerge: async (_, __, moved) => void got.push(moved) }),
  ]);
  const moved = await people.merge(scope, { survivorId: 's', otherIds: ['o'] });
  await people.unmerge(scope, { survivorId: 's', mergedAt: new Date(), parts: [] }, moved);
  expect(got).toEqual([{ moved: 1 }, {}]);
});
