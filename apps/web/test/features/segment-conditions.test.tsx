import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { SegmentRules } from '@app/domain/segments/segment-rules';
import { conditionProblem } from '../../src/features/segments/condition-problem.ts';
import { SegmentConditions } from '../../src/features/segments/segment-conditions.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, findAll, press, pressKey, show, shownText, type } from '../screen.tsx';

beforeAll(() => loadMessages('contacts'));
// Tags and fields are on their way for good: what is asked here needs none.
beforeEach(() => vi.stubGlobal('fetch', () => new Promise(() => undefined)));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

function Editor({ showsProblems = false }: { showsProblems?: boolean }) {
  const [rules, setRules] = useState<SegmentRules>({
    match: 'all',
    conditions: [{ kind: 'has_tag', value: 'vip' }],
  });
  return (
    <>
      <SegmentConditions rules={rules} showsProblems={showsProblems} onChange={setRules} />
      <output>{JSON.stringify(rules)}</output>
    </>
  );
}
const now = () => JSON.parse(document.querySelector('output')?.textContent ?? '{}') as SegmentRules;
const open = (props = {}) =>
  show(
    <QueryClientProvider client={queryClient}>
      <Editor {...props} />
    </QueryClientProvider>,
  );

test('a group is added with the other word, counts as one condition, and goes with its last one', async () => {
  open();
  press(await find('button', 'Add group'));
  await eventually(() => expect(now().groups).toHaveLength(1));
  expect(now().groups).toEqual([{ match: 'any', conditions: [{ kind: 'has_tag', value: '' }] }]);
  press(await find('button', 'Add condition to group 1'));
  const third = await find('combobox', 'Value of condition 3');
  type(third, 'gold');
  await eventually(() =>
    expect(now().groups?.[0]?.conditions[1]).toEqual({ kind: 'has_tag', value: 'gold' }),
  );
  expect(conditionProblem(now())).toMatch(/^Condition 2 /);
  const joined = [...document.querySelectorAll('p')].map(({ textContent }) => textContent);
  expect(joined.filter((word) => word === 'and' || word === 'or')).toEqual(['and', 'or']);
  press(await find('button', 'Remove condition 3'));
  press(await find('button', 'Remove condition 2'));
  await eventually(() => expect(now().groups).toEqual([]));
  expect((await find('button', 'Remove condition 1')).hasAttribute('disabled')).toBe(true);
});

test('what a condition is about is found by typing, and chosen by the keyboard', async () => {
  open();
  const subject = await find('combobox', 'Condition 1');
  press(subject);
  type(subject, 'read a camp');
  await eventually(() =>
    expect(findAll('option').map(({ textContent }) => textContent)).toEqual([
      'Read a campaign in the last … days',
    ]),
  );
  pressKey('Enter');
  await eventually(() => expect(now().conditions).toEqual([{ kind: 'campaigns_read_within', value: '' }]));
  type(await find('spinbutton', 'Value of condition 1'), '30');
  await eventually(() => expect(conditionProblem(now())).toBeUndefined());
});

test('what is missing is said at its condition', async () => {
  open({ showsProblems: true });
  type(await find('combobox', 'Value of condition 1'), '');
  const field = await find('combobox', 'Value of condition 1');
  await eventually(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  expect(shownText()).toContain('Condition 1 needs a tag of at most 60 characters.');
});
