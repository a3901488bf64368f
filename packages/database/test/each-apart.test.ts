import { expect, test } from 'vitest';
import { eachApart } from '../src/each-apart.ts';
import { NO_CONNECTION_FREE, QueryError } from '../src/query-error.ts';

async function doAll(failing: string, error: Error): Promise<{ done: string[]; faults: string[] }> {
  const done: string[] = [];
  const faults: string[] = [];
  await eachApart(
    ['a', 'b', 'c'],
    async (one) => {
      if (one === failing) throw error;
      done.push(one);
    },
    (_, one) => faults.push(one),
  );
  return { done, faults };
}

test.each([new Error('of one'), new QueryError({ code: '22P02' }), new QueryError({ code: '57014' })])(
  '%s keeps no other waiting',
  async (error) => expect(await doAll('a', error)).toEqual({ done: ['b', 'c'], faults: ['a'] }),
);

test.each([NO_CONNECTION_FREE, '53300', '57P01', 'ECONNREFUSED', '53100', '25006'])(
  '%s would meet all of them, and ends the work',
  async (code) => {
    const error = new QueryError({ code });
    await expect(doAll('b', error)).rejects.toBe(error);
  },
);
