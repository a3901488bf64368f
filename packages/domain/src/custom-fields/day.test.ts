import { expect, test } from 'vitest';
import { readDayAlone, settleDayOrder, tellDayOrder, type DayOrder } from './day.ts';

test.each<[readonly string[], string | undefined, DayOrder | undefined]>([
  [['16/01/1995', '02/03/1995'], 'US', 'dayFirst'],
  [['02-03-1995', '1-16-1995'], 'DE', 'monthFirst'],
  [['02/03/1995', '5/5/1995', '31/31/1995', '16.01.1995', '2026-01-16'], 'US', 'monthFirst'],
  [['02/03/1995'], 'DE', 'dayFirst'],
  [['02/03/1995'], 'CA', undefined],
  [['02/03/1995'], undefined, undefined],
  [['16/01/1995', '01/16/1995'], 'DE', undefined],
])('of %j in a file of %s the order is %s', (values, country, order) => {
  const told = new Set(values.flatMap((value) => tellDayOrder(value) ?? []));
  expect(settleDayOrder(told, country)).toBe(order);
});

test.each<[string, DayOrder | undefined, string | undefined]>([
  ['02/03/1995', 'dayFirst', '1995-03-02'],
  ['02/03/1995', 'monthFirst', '1995-02-03'],
  ['02/03/1995', undefined, undefined],
  ['16/01/1995', 'monthFirst', undefined],
  ['2.3.1995', 'monthFirst', '1995-03-02'],
  ['1995/03/02', undefined, '1995-03-02'],
  ['1995-03-02 14:30', 'dayFirst', undefined],
])('%s with the %s is %s', (text, order, day) => {
  expect(readDayAlone(text, order)).toBe(day);
});
