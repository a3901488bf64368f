import { afterEach, expect, test, vi } from 'vitest';
import { readReturnAddress } from './public-navigation.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['', '/dashboard'],
  ['?redirect=%2Fdashboard%2Finbox%3Ftab%3Dall%23top', '/dashboard/inbox?tab=all#top'],
  ['?redirect=https%3A%2F%2Fevil.example%2Fdashboard', '/dashboard'],
  ['?redirect=%2F%2Fevil.example%2Fdashboard', '/dashboard'],
  ['?redirect=javascript%3Aalert(1)', '/dashboard'],
  ['?redirect=%2Finvitation', '/invitation'],
  ['?redirect=%2Finvitation%2Fx', '/dashboard'],
  ['?redirect=%2Flogin', '/dashboard'],
  ['?redirect=%2Fdashboard.evil', '/dashboard'],
  ['?redirect=%2Fdashboard%2F..%2Flogin', '/dashboard'],
])('after signing in at /login%s the visitor goes to %s', (search, address) => {
  vi.stubGlobal('location', { search, origin: 'http://localhost:3000' });
  expect(readReturnAddress()).toBe(address);
});
