import { expect, test } from 'vitest';
import { contract } from '../../packages/contracts/src/contract.ts';
import { actions, resources } from '../../packages/domain/src/auth/permissions.ts';

type Endpoint = { name: string; access: unknown; path: unknown; method: unknown };

const endpoints = listEndpoints(contract, '');
const permissions = resources.flatMap((resource) => actions.map((action) => `${resource}:${action}`));
const known = new Set<unknown>(['public', 'signed-in', ...permissions]);

test('the contract holds endpoints', () => {
  expect(endpoints.length).toBeGreaterThan(10);
});

test.each(endpoints)('$name says who may call it', ({ access, path, method }) => {
  const named = Array.isArray(access) ? access : [access];

  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((one) => !known.has(one))).toEqual([]);
  expect(path).toMatch(/^\//);
  expect(method).toMatch(/^(GET|POST|PUT|PATCH|DELETE)$/);
});

test('no two endpoints share an address', () => {
  const addresses = endpoints.map(
    ({ method, path }) => `${method} ${String(path).replaceAll(/\{[^}]+\}/g, '{}')}`,
  );
  expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([]);
});

function listEndpoints(node: object, name: string): Endpoint[] {
  if ('~orpc' in node) {
    const { meta, route } = node['~orpc'] as {
      meta: { access?: unknown };
      route: { path?: unknown; method?: unknown };
    };
    return [{ name, access: meta.access, path: route.path, method: route.method }];
  }
  return Object.entries(node).flatMap(([key, value]) => listEndpoints(value, name ? `${name}.${key}` : key));
}
