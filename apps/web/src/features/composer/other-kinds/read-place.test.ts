import { expect, test } from 'vitest';
import { readPoint } from './read-place.ts';

test.each([
  ['52.52, 13.405', [52.52, 13.405]],
  ['-33.8688;151.2093', [-33.8688, 151.2093]],
  ['52.52° N 13.405° E', [52.52, 13.405]],
  ['33.86 S, 70.6 W', [-33.86, -70.6]],
  ['https://www.google.com/maps/@52.52,13.405,15z', [52.52, 13.405]],
  ['https://maps.example.com/?q=52.52%2C13.405', [52.52, 13.405]],
  ['91, 0', null],
  ['0, 181', null],
  ['Main Street 5', null],
  ['', null],
])('%s', (typed, point) =>
  expect(readPoint(typed)).toEqual(point && { latitude: point[0], longitude: point[1] }),
);
