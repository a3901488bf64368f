import { QueryClientProvider } from '@tanstack/react-query';
import { beforeAll, expect, test } from 'vitest';
import { ActList } from '../../src/shared/long-acts/act-list.tsx';
import type { LongAct } from '../../src/shared/long-acts/long-acts.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, findAll, press, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('long-acts'));

let count = 0;
const act = (name: string, state: LongAct['state']) =>
  ({
    ...{ id: `act-${(count += 1)}`, kind: 'contact-import', state, isOwn: true, mayCancel: false },
    ...{ name, subject: null, file: null, fileGone: null, error: null },
    ...{ result: { successful: 3, failed: 0, total: 3 }, done: 3, total: 3, phase: null, secondsLeft: null },
  }) as unknown as LongAct; // what a line shows

const open = (acts: LongAct[]) =>
  show(
    <QueryClientProvider client={queryClient}>
      <ActList acts={acts} ended={undefined} />
    </QueryClientProvider>,
  );

test('of those that have ended the last one stands, and the others are shown when somebody asks', async () => {
  open([act('c.csv', 'done'), act('b.csv', 'done'), act('a.csv', 'done')]);
  await find('button', '2 more');
  expect(findAll('listitem')).toHaveLength(1);
  press(await find('button', '2 more'));
  await eventually(() => expect(findAll('listitem')).toHaveLength(3));
  press(await find('button', 'Show fewer'));
  await eventually(() => expect(findAll('listitem')).toHaveLength(1));
});

test('one that failed stands before the last one, and all that goes on is shown', async () => {
  open([
    act('new.csv', 'running'),
    act('newer.csv', 'running'),
    act('good.csv', 'done'),
    act('bad.csv', 'failed'),
  ]);
  await find('button', '1 more');
  expect(findAll('listitem')).toHaveLength(3);
  expect(shownText()).toContain('bad.csv');
  expect(shownText()).not.toContain('good.csv');
});

test('one alone has nothing to unfold', async () => {
  open([act('a.csv', 'done')]);
  await eventually(() => expect(findAll('listitem')).toHaveLength(1));
  expect(findAll('button', /more|Put all away/)).toHaveLength(0);
});
