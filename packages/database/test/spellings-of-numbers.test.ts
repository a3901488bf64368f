import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';
import { identityOfNumber, otherSpellingsOf } from '@app/domain/contacts/number-spellings';
import { createTestDatabase, type TestDatabase } from '../src/testing/test-database.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Numbers around the rules of each country: every digit at each of the places that a rule looks at. */
const numbers = ['52', '54', '55', '225', '229', '49', '1'].flatMap((code) =>
  Array.from({ length: 600 }, (_, seed) => {
    const length = 8 + (seed % 6);
    const head = String(seed * 7919)
      .padStart(4, '0')
      .slice(-4);
    return `+${code}${(head + '98765432101234').slice(0, length)}`;
  }),
);
const edges = ['1', '9', '01', '05', '07', '21', '25', '27'].flatMap((start) =>
  ['225', '229', '52', '54'].flatMap((code) =>
    Array.from({ length: 100 }, (_, digits) => `+${code}${start}${String(digits).padStart(2, '0')}345678`),
  ),
);

test('the database spells numbers as the rules do', async () => {
  const asked = [...numbers, ...edges, '+551187650901', '+5511987650901', 'BR.123', ''];
  const { rows } = await client.query<{ phone: string; key: string; other: string | null }>(
    'SELECT phone, phone_key(phone) AS key, other_spelling(phone) AS other FROM unnest($1::text[]) AS phone',
    [asked],
  );
  expect(rows).toHaveLength(asked.length);
  const wrong = rows.filter(
    ({ phone, key, other }) =>
      key !== identityOfNumber(phone) ||
      (phone !== '' && other !== (otherSpellingsOf(phone).find((one) => one !== phone) ?? null)),
  );
  expect(wrong).toEqual([]);
  expect(rows.filter(({ other }) => other !== null).length).toBeGreaterThan(400);
});
