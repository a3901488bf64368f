import { expect, test } from 'vitest';
import { phoneCountries } from '../contacts/phone-country.ts';
import { countryOfNumber, numberCountries } from './calling-codes.ts';
import { averagePrice, defaultPriceList, priceOfNumber, type PriceList } from './price-list.ts';

const list: PriceList = {
  asOf: '2026-01-01',
  countries: { DE: { marketing: 0.1, utility: 0.05 }, KZ: { marketing: 0.2, utility: 0.1 } },
  others: { marketing: 0.3, utility: 0.15 },
};

test.each([
  ['+4915112345678', 'DE'],
  ['4915112345678', 'DE'],
  ['+14155552671', 'US'],
  ['+447700900123', 'GB'],
  ['+79161234567', 'RU'],
  ['+77011234567', 'KZ'],
  ['+9991234567', null],
  ['', null],
])('the number %j is of %j', (number, country) => {
  expect(countryOfNumber(number)).toBe(country);
});

test('every country of the table has telephone numbers, and every one with a price is in it', () => {
  expect(numberCountries.filter((country) => !phoneCountries.some((known) => known === country))).toEqual([]);
  const priced = Object.keys(defaultPriceList.countries);
  expect(priced.filter((country) => !numberCountries.includes(country))).toEqual([]);
});

test.each([
  ['+4915112345678', 'marketing', 0.1],
  ['+4915112345678', 'utility', 0.05],
  ['+4915112345678', 'service', 0],
  ['+33612345678', 'marketing', 0.3],
  ['+9991234567', 'utility', 0.15],
] as const)('a message to %s for %s costs %d', (number, category, price) => {
  expect(priceOfNumber(list, number, category)).toBe(price);
});

test('an audience costs what its people cost, on average', () => {
  const people = [
    { digits: '4915', count: 3 },
    { digits: '3361', count: 1 },
  ];
  expect(averagePrice(list, people, 'marketing')).toBeCloseTo(0.15);
  expect(averagePrice(list, people, 'service')).toBe(0);
  expect(averagePrice(list, [], 'utility')).toBe(0.15);
});

test('the default list has a price for each category, everywhere', () => {
  const all = [...Object.values(defaultPriceList.countries), defaultPriceList.others];
  expect(all.every(({ marketing, utility }) => marketing > utility && utility > 0)).toBe(true);
});
