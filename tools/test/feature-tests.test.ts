import { expect, test } from 'vitest';
import { browserCommand, hasJourneysAlone } from '../browser-command.ts';
import { belongsTo, findFeatureTests } from '../feature-tests.ts';

test.each([
  ['packages/domain/src/contacts/contact.test.ts', 'contacts', true],
  ['packages/api/test/contacts/segments.test.ts', 'contacts', true],
  ['e2e/contacts-bulk.e2e.ts', 'contacts', true],
  ['apps/web/test/features/contact-form.test.tsx', 'contacts', true],
  ['packages/api/test/templates.test.ts', 'templates', true],
  ['packages/domain/src/contact-imports/csv-cell.test.ts', 'contacts', false],
  ['e2e/campaigns.e2e.ts', 'contacts', false],
  ['packages/api/test/contacts/contact-export.test.ts', 'campaigns', false],
])('%s belongs to %s: %s', (path, name, expected) => {
  expect(belongsTo(path, name)).toBe(expected);
});

test('a feature is found in every layer that tests it', () => {
  const tests = findFeatureTests('contacts');
  expect(tests.unit).toContain('packages/domain/src/contacts/contact.test.ts');
  expect(tests.database.length).toBeGreaterThan(3);
  expect(tests.journeys).toContain('e2e/contacts.e2e.ts');
  expect(tests.database.filter((path) => path.includes('node_modules'))).toEqual([]);
});

test('a name that nothing is called finds nothing', () => {
  expect(findFeatureTests('no-such-feature')).toEqual({ unit: [], dom: [], database: [], journeys: [] });
});

test('a feature whose journeys are all of the whole set has none to play, and fails for that no more than all journeys may', () => {
  expect(browserCommand(['e2e/webhook-endpoints.e2e.ts'])).toContain('--pass-with-no-tests');
  expect(browserCommand([])).not.toContain('--pass-with-no-tests');
});

test('a feature that has nothing but journeys plays them whole, so that it never passes without a test', () => {
  expect(hasJourneysAlone(findFeatureTests('connection'))).toBe(true);
  expect(hasJourneysAlone(findFeatureTests('contacts'))).toBe(false);
});
