import { countryOfNumber, numberCountries, numberRangesOf } from '@app/domain/settings/calling-codes';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../src/database.ts';
import { createTestDatabase } from '../src/testing/test-database.ts';

const database = await createTestDatabase();
const db = await openDatabase({ url: database.url, poolSize: 1 });
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('the database tells the country of a number as the domain does', async () => {
  const beginnings = numberCountries.flatMap((country) => {
    const { of, except } = numberRangesOf(country);
    return [...of, ...except].flatMap(({ from, to }) => [from, to]);
  });
  const numbers = [
    ...beginnings.flatMap((one) => [one, `${one}1234567`]),
    ...['', '+', '+0123', '+9990000', '4915112345', 'BSUID.49151', '+77012345678', '+79161234567'],
  ];
  const { rows } = await db.systemPool.query<{ number: string; country: string | null }>(
    'SELECT n AS number, country_of_number(n) AS country FROM unnest($1::text[]) n',
    [numbers],
  );
  expect(rows).toEqual(
    numbers.map((number) => ({
      number,
      country: number.startsWith('+') ? countryOfNumber(number) : null,
    })),
  );
});
