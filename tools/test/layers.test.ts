import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const WEB = join(import.meta.dirname, '../../apps/web/src');
const THEME = 'ui/theme.css';

test('what lies over what is said in one place: no other file has a number for it', () => {
  const numbers = globSync('**/*.{ts,tsx,css}', { cwd: WEB })
    .filter((file) => file !== THEME)
    .filter((file) => /\bz-(\[|\d)|z-index|zIndex/.test(readFileSync(join(WEB, file), 'utf8')))
    // Below its own section only.
    .filter((file) => file !== 'features/landing/hero.tsx');
  expect(numbers).toEqual([]);
});

test('every layer that is used is one of the order', () => {
  const known = new Set(
    [...readFileSync(join(WEB, THEME), 'utf8').matchAll(/--layer-([a-z]+): \d+;/g)].map(([, name]) => name),
  );
  const used = globSync('**/*.tsx', { cwd: WEB }).flatMap((file) =>
    [...readFileSync(join(WEB, file), 'utf8').matchAll(/\blayer-([a-z]+)\b/g)].map(([, name]) => name),
  );
  expect(known.size).toBeGreaterThan(5);
  expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([]);
});
