import { QueryClientProvider } from '@tanstack/react-query';
import { beforeAll, expect, test } from 'vitest';
import { OperationList } from '../../src/shared/operations/operation-list.tsx';
import type { Operation } from '../../src/shared/operations/operations.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, findAll, press, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('operations'));

let count = 0;
const operation = (name: string, state: Operation['state']) =>
  ({
    ...{ id: `act-${(count += 1)}`, kind: 'contact-import', state, isOwn: true, mayCancel: false },
    ...{ name, subject: null, file: null, fileGone: null, error: null },
    ...{ result: { successful: 3, failed: 0, total: 3 }, done: 3, total: 3, phase: null, secondsLeft: null },
  }) as unknown as Operation; // what a line shows

const open = (operations: Operation[]) =>
  show(
    <QueryClientProvider client={queryClient}>
      <OperationList operations={operations} ended={undefined} />
    </QueryClientProvider>,
  );

test('of those that have ended the last one stands, and the others are shown when somebody asks', async () => {
  open([operation('c.csv', 'done'), operation('b.csv', 'done'), operation('a.csv', 'done')]);
  await find('button', '2 more');
  expect(findAll('listitem')).toHaveLength(1);
  press(await find('button', '2 more'));
  await eventually(() => expect(findAll('listitem')).toHaveLength(3));
  press(await find('button', 'Show fewer'));
  await eventually(() => expect(findAll('listitem')).toHaveLength(1));
});

test('one that failed stands before the last one, and all that goes on is shown', async () => {
  open([
    operation('new.csv', 'running'),
    operation('newer.csv', 'running'),
    operation('good.csv', 'done'),
    operation('bad.csv', 'failed'),
  ]);
  await find('button', '1 more');
  expect(findAll('listitem')).toHaveLength(3);
  expect(shownText()).toContain('bad.csv');
  expect(shownText()).not.toContain('good.csv');
});

test('one alone has nothing to unfold', async () => {
  open([operation('a.csv', 'done')]);
  await eventually(() => expect(findAll('listitem')).toHaveLength(1));
  expect(findAll('button', /more|Put all away/)).toHaveLength(0);
});
