import { describe, expect, test } from 'vitest';
import { readConsentHeading, readImportedConsent, readStatedConsent } from './import-consent.ts';
import { guessMapping, readHeadings } from './import-mapping.ts';

const NOW = new Date('2026-11-22T08:00:00Z');

describe('a heading of consent', () => {
  test.each([
    ['consent', 'Newsletter'],
    ['consent', 'Accepts SMS Marketing'],
    ['consent', 'E-Mail-Marketing-Status'.replace('E-Mail', 'Email')],
    ['consent', 'Werbe-Einwilligung'],
    ['consent', 'Suscripción'],
    ['consent', 'Abonné'],
    ['consent', 'Aceita marketing'],
    ['optOut', 'Opted out of email'],
    ['optOut', 'Unsubscribed'],
    ['optOut', 'Abgemeldet'],
    ['optOut', 'Dado de baja'],
    ['optOut', 'Désinscrit'],
    ['optOut', 'Não contactar'],
    [undefined, 'Notes'],
    [undefined, 'constructor'],
  ])('%s: %s', (column, heading) => {
    expect(readConsentHeading(heading)).toBe(column);
  });

  test('of messages to telephones is meant before others', () => {
    const headings = ['Name', 'Phone', 'Newsletter', 'SMS Consent', 'WhatsApp opt-in'];
    const mapping = { Name: 'name', Phone: 'phone', 'WhatsApp opt-in': 'consent' };
    expect(guessMapping(headings, [])).toEqual(['name', 'phone', null, null, 'consent']);
    expect(readHeadings(headings, [])).toEqual(mapping);
  });

  test('is a custom field where one has its name', () => {
    const field = { key: 'newsletter', label: 'Newsletter' };
    expect(readHeadings(['Newsletter'], [field])).toEqual({ Newsletter: 'custom:newsletter' });
  });
});

describe('what a row says about marketing', () => {
  const out = (words: string, saidOn: string | null = null) => ({
    ...{ kind: 'opt_out', words, saidOn: saidOn === null ? null : new Date(saidOn) },
  });
  const opted = (words: string, saidOn: string | null = null) => ({ ...out(words, saidOn), kind: 'opt_in' });

  test.each([
    [{ consent: ' Nein ' }, out('Nein')],
    [{ consent: 'não' }, out('não')],
    [{ consent: 'NON' }, out('NON')],
    [{ consent: false }, out('false')],
    [{ consent: 0 }, out('0')],
    [{ consent: 'non-subscribed' }, out('non-subscribed')],
    [{ consent: 'Désabonné' }, out('Désabonné')],
    [{ consent: 'ja' }, opted('ja')],
    [{ consent: 'Sí' }, opted('Sí')],
    [{ consent: '✓' }, opted('✓')],
    [{ consent: true }, opted('true')],
    [{ consent: 'Bestätigt' }, opted('Bestätigt')],
    [{ consent: '2026-03-01' }, opted('2026-03-01', '2026-03-01T00:00:00Z')],
    [{ consent: '2026-03-01 14:30' }, opted('2026-03-01 14:30', '2026-03-01T14:30:00Z')],
    [{ consent: '2026/03/01' }, opted('2026/03/01', '2026-03-01T00:00:00Z')],
    [{ consent: '1.3.2026' }, opted('1.3.2026', '2026-03-01T00:00:00Z')],
    [{ consent: '21.11.2026, 14:30' }, opted('21.11.2026, 14:30', '2026-11-21T14:30:00Z')],
    [{ consent: '2026-03-01 14:30:00 +0100' }, opted('2026-03-01 14:30:00 +0100', '2026-03-01T13:30:00Z')],
    [{ consent: '2026-03-01 14:30:00 UTC' }, opted('2026-03-01 14:30:00 UTC', '2026-03-01T14:30:00Z')],
    [{ consent: '25/12/2025' }, opted('25/12/2025', '2025-12-25T00:00:00Z')],
    [{ consent: '12/25/2025' }, opted('12/25/2025', '2025-12-25T00:00:00Z')],
    // Of two readings a yes has the earlier day and a no the later one, so that the no stands in between.
    [{ consent: '03/04/2026' }, opted('03/04/2026', '2026-03-04T00:00:00Z')],
    [{ optOut: '03/04/2026' }, out('03/04/2026', '2026-04-03T23:59:59.999Z')],
    [{ consent: '01/12/2026' }, opted('01/12/2026', '2026-01-12T00:00:00Z')],
    [{ consent: '31/31/2026' }, { unclear: 'consent' }],
    [{ consent: '01.01.1970' }, null],
    [{ optOut: '00/00/0000' }, null],
    [{ optOut: 'yes' }, out('yes')],
    [{ optOut: 'abgemeldet' }, out('abgemeldet')],
    [{ optOut: '2026-03-01' }, out('2026-03-01', '2026-03-01T23:59:59.999Z')],
    [{ optOut: '2026-11-22' }, out('2026-11-22', NOW.toISOString())],
    [{ optOut: '2026-03-01 14:30' }, out('2026-03-01 14:30', '2026-03-01T14:30:00Z')],
    [{ optOut: '0001-01-01T00:00:00' }, null],
    [{ optOut: '1970-01-01' }, null],
    [{ consent: '0000-00-00' }, null],
    [{ consent: '2026-02-30' }, { unclear: 'consent' }],
    [{ optOut: 'no' }, null],
    [{ optOut: 'subscribed' }, null],
    [{ consent: 'yes', optOut: 'yes' }, out('yes')],
    [{ consent: 'no', optOut: 'no' }, out('no')],
    [{ status: 'unsubscribed' }, out('unsubscribed')],
    [{ status: 'Gesperrt' }, out('Gesperrt')],
    [{ status: 'Blocked' }, out('Blocked')],
    [{ status: 'blocked' }, null],
    [{ status: 'no' }, null],
    [{ status: 'gold' }, null],
    [{ consent: 'yes', status: 'unsubscribed' }, out('unsubscribed')],
    [{ consent: ' ', optOut: undefined, status: '' }, null],
    [{ consent: 'n/a' }, null],
    [{ consent: 'ausstehend' }, null],
    [{ consent: null }, null],
    [{ consent: 'weekly' }, { unclear: 'consent' }],
    [{ consent: { state: 'no' } }, { unclear: 'consent' }],
    [{ consent: '2027-01-01' }, { unclear: 'consent' }],
    [{ consent: 'yes', optOut: 'perhaps' }, { unclear: 'optOut' }],
  ])('%j', (row, said) => {
    expect(readImportedConsent(row, NOW)).toEqual(said);
  });
});

test('the words that are kept of a cell hold nothing that no row of a database can', () => {
  expect(readImportedConsent({ consent: 'no\u0000' }, NOW)).toMatchObject({ kind: 'opt_out', words: 'no' });
});

test.each([
  ['At the fair in Cologne', '2026-11-21', true],
  ['At the fair in Cologne', '2026-11-22', true],
  ['At the fair in Cologne', '2026-11-24', false],
  ['At the fair in Cologne', '2026-02-30', false],
  ['At the fair in Cologne', 'yesterday', false],
  [' ', '2026-11-21', false],
])('that everybody agreed, %j on %s, can be stated: %j', (where, on, isStatement) => {
  expect(readStatedConsent(where, on, NOW)).toEqual(isStatement ? { where, on } : undefined);
});
