import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '../screen.tsx';
import { loadAheadWhenIdle } from '../../src/app/load-ahead.ts';
import { orpc } from '../../src/shared/api.ts';
import type { FeatureRoute } from '../../src/shared/feature.ts';
import { queryClient } from '../../src/shared/query-client.ts';

afterEach(() => {
  queryClient.clear();
  Reflect.deleteProperty(navigator, 'connection');
});

test.each([
  [undefined, ['first', 'second']],
  [{ saveData: false }, ['first', 'second']],
  [{ saveData: true }, []],
])('on a connection that says %o these pages are loaded ahead: %o', async (connection, wanted) => {
  Object.defineProperty(navigator, 'connection', { configurable: true, value: connection });
  // That somebody is signed in is all that is asked of pages that everybody may see.
  queryClient.setQueryData(orpc.auth.getSession.queryKey({ input: {} }), {} as never);
  const loaded: string[] = [];
  const routes = ['first', 'second'].map((name) => ({
    messages: [],
    page: async () => void loaded.push(name),
  })) as unknown as FeatureRoute[];
  loadAheadWhenIdle(routes);
  await eventually(() => expect(loaded).toEqual(wanted));
  await vi.dynamicImportSettled();
  expect(loaded).toEqual(wanted);
});
