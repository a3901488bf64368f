import { expect, test } from 'vitest';
import type { Feature } from '../../src/shared/feature.ts';
import { actions } from '../../src/app/actions.tsx';
import { routes } from '../../src/app/features.tsx';
import { gatherFeatures } from '../../src/app/gather-features.ts';

const page = () => Promise.resolve(() => null);
const make = (name: Feature['name'], path: string, more: Partial<Feature> = {}): Feature => ({
  name,
  navigation: { path, label: 'common.nav.contacts', icon: null, access: [] },
  routes: [{ path, messages: [], page }],
  ...more,
});

test('pages and entries stand in the order of the list, and each group but the first has its space', () => {
  const gathered = gatherFeatures([
    [make('dashboard', '/home')],
    [make('contacts', '/a'), make('templates', '/b')],
  ]);
  expect(gathered.routes.map(({ path }) => path)).toEqual(['/home', '/a', '/b']);
  expect(gathered.navigation.map(({ path, startsGroup }) => [path, startsGroup])).toEqual([
    ['/home', false],
    ['/a', true],
    ['/b', false],
  ]);
});

test.each<[string, Feature[], RegExp]>([
  ['feature', [make('contacts', '/a'), make('contacts', '/b')], /same feature: contacts/],
  ['address', [make('contacts', '/a'), make('templates', '/a')], /same address: \/a/],
  [
    'entry of the sidebar',
    [make('contacts', '/a'), make('templates', '/b', { navigation: make('contacts', '/a').navigation })],
    /same entry of the sidebar: \/a/,
  ],
  ['entry without a page', [make('contacts', '/a', { routes: [] })], /No page stands behind \/a/],
])('a second %s is refused', (_, features, problem) => {
  expect(() => gatherFeatures([features])).toThrow(problem);
});

test('each action has a name of its own, and leads to a page', () => {
  expect(new Set(actions.map(({ label }) => label)).size).toBe(actions.length);
  for (const { path } of actions)
    expect(
      routes.some((route) => route.path.startsWith(path)),
      path,
    ).toBe(true);
});
