import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../child-process.ts';

const THE_WAY_IN = 'packages/database/src/contacts/record-consents.ts';
const BY_HAND = /INSERT INTO contact_consents|app\.consent_recorded|\bSET\b[^`]*?\bopted_out_at\s*=/;

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
