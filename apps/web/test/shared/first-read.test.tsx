import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { whenFirstRead } from '../../src/shared/rpc/first-read.ts';

const queryKey = ['figures'];

test('the first drawing waits for what the page reads', async () => {
  const client = new QueryClient();
  const answer = Promise.withResolvers<number>();
  const reading = client.prefetchQuery({ queryKey, queryFn: () => answer.promise });
  const waiting = whenFirstRead(client, reading).then(() => client.getQueryData(queryKey));
  answer.resolve(7);
  expect(await waiting).toBe(7);
});

test('it does not wait for an answer that is late', async () => {
  const client = new QueryClient();
  const reading = client.prefetchQuery({ queryKey, queryFn: () => new Promise<number>(() => {}) });
  await whenFirstRead(client, reading);
  expect(client.getQueryData(queryKey)).toBeUndefined();
});

test('what an earlier visit has left is shown at once', async () => {
  const client = new QueryClient();
  client.setQueryData(queryKey, 5, { updatedAt: 1 });
  const answer = Promise.withResolvers<number>();
  const reading = client.prefetchQuery({ queryKey, queryFn: () => answer.promise });
  await whenFirstRead(client, reading);
  expect(client.getQueryData(queryKey)).toBe(5);
  answer.resolve(7);
  await reading;
});
