import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../child-process.ts';

const THE_WAY_IN = 'packages/database/src/contacts/change-consent.ts';
const BY_HAND =
  /(?:INSERT INTO|UPDATE|DELETE FROM) contact_consents|\b(?:record|settle)_consents\(|app\.consent_recorded|\bSET\b[^`]*?\bopted_out_at\s*=|\.set\(\{[^}]*\boptedOutAt\b/;

const sources = ['packages', 'apps'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\/src\/.*(?<!\.test)\.ts$/.test(path) && !path.includes('node_modules'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
);

test('no file but one writes records of consent, or the consent of a contact', () => {
  const found = sources.filter(({ text }) => BY_HAND.test(text)).map(({ path }) => path);
  expect(found).toEqual([THE_WAY_IN]);
});

test.each([
  'UPDATE contact_consents SET contact_id = $1',
  'SELECT record_consents($1)',
  '`UPDATE contacts SET name = $1, opted_out_at = now()`',
  'tx.update(contacts).set({ optedOutAt: null })',
])('a second way is found: %s', (text) => {
  expect(text).toMatch(BY_HAND);
});
