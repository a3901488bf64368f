import { afterEach, expect, test, vi } from 'vitest';
import { analyticsFeature } from '../../src/features/analytics/analytics-feature.tsx';
import { queryClient } from '../../src/shared/query-client.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

async function askedFor(search: Record<string, string>): Promise<number> {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no server here')));
  const [route] = analyticsFeature.routes;
  await route?.prefetch?.({ queryClient, search } as never);
  return queryClient.getQueryCache().getAll().length;
}

test('figures are read ahead for a period, and for none where the address has none', async () => {
  expect(await askedFor({ period: 'custom', from: '1990-01-01', to: '2026-11-28' })).toBe(0);
  expect(await askedFor({ period: '7days' })).toBe(3);
});
