import pg from 'pg';
import { expect, test } from 'vitest';
import { NO_CONNECTION_FREE, QueryError } from '@app/database/query-error';
import { faultOfEvent, isOfSome } from '../../src/webhooks/dead-letter-events.ts';

const failed = (code: string) => Object.assign(new pg.DatabaseError('no', 1, 'error'), { code });

test.each(['21000', '22001', '22P05', '23502', '23514', '54000'])(
  '%s lies in what was to be stored',
  (code) => {
    expect(faultOfEvent(failed(code))).toBe(code);
    expect(faultOfEvent(new Error('wrapped', { cause: failed(code) }))).toBe(code);
  },
);

test.each(['23503', '23505', '40P01', '40001', '42703', '53300', '57014'])('%s does not', (code) => {
  expect(faultOfEvent(failed(code))).toBeUndefined();
});

test('a mistake of our own code never counts as one of the event', () => {
  for (const error of [new TypeError(), new RangeError(), new SyntaxError(), 'thrown'])
    expect(faultOfEvent(error)).toBeUndefined();
});

test.each(['21000', '22001', '23505', '23514', '42703', '54000'])(
  'others may do without one that met %s',
  (code) => {
    expect(isOfSome(failed(code))).toBe(true);
  },
);

test.each([
  NO_CONNECTION_FREE,
  '53300',
  '53100',
  '57014',
  '57P01',
  '40P01',
  '08006',
  'ECONNREFUSED',
  undefined,
])('%s concerns all', (code) => {
  expect(isOfSome(new QueryError({ code }))).toBe(false);
});

test('a mistake of our own may be of one event alone', () => {
  for (const error of [new TypeError(), new RangeError(), 'thrown']) expect(isOfSome(error)).toBe(true);
});
