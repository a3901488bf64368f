import { expect, test } from 'vitest';
import { beginsAnew } from './begins-anew.ts';

const tag = (edit: string | null) => ({ type: 'tag_added', edit });

test.each<[string, Parameters<typeof beginsAnew>[1][], boolean[]]>([
  ['several tags of one edit', [tag('1'), tag('1'), tag('1')], [true, false, false]],
  ['tags of two edits', [tag('1'), tag('2'), tag('1')], [true, true, false]],
  ['tags of which no edit is known', [tag(null), tag(null)], [true, true]],
  [
    'other events',
    [
      { type: 'message_received', edit: '1' },
      { type: 'message_received', edit: '1' },
    ],
    [true, true],
  ],
  ['another event before a tag', [{ type: 'new_contact', edit: '1' }, tag('1')], [true, true]],
])('%s', (_, events, begin) => {
  const begun = new Set<string>();
  expect(events.map((event) => beginsAnew(begun, event))).toEqual(begin);
});
