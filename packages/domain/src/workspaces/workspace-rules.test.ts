import { describe, expect, test } from 'vitest';
import { makeSlug, pageInWorkspace, readWorkspaceName } from './workspace-rules.ts';

test('a name is one line', () => {
  expect(readWorkspaceName('  Shop \n of\t Ann ')).toBe('Shop of Ann');
  expect(readWorkspaceName(' \n ')).toBe('');
});

describe('what a workspace is called in addresses', () => {
  test.each([
    ['Shop of Ann', 'shop-of-ann-1a'],
    ['Café Zürich & Söhne', 'cafe-zurich-sohne-1a'],
    ['--- 24/7 ---', '24-7-1a'],
    ['東京', 'workspace-1a'],
    ['', 'workspace-1a'],
    [`${'a'.repeat(39)} b`, `${'a'.repeat(39)}-1a`],
    ['x'.repeat(100), `${'x'.repeat(40)}-1a`],
  ])('%j is %s', (name, slug) => {
    expect(makeSlug(name, '1a')).toBe(slug);
    // As the table asks for it.
    expect(slug).toMatch(/^[a-z0-9][a-z0-9-]{0,62}$/);
  });
});

test('a page names its workspace', () => {
  expect(pageInWorkspace('/dashboard', 'w')).toBe('/dashboard?workspace=w');
  expect(pageInWorkspace('/dashboard/inbox?assignee=me', 'w')).toBe(
    '/dashboard/inbox?assignee=me&workspace=w',
  );
});
