import { describe, expect, test } from 'vitest';
import { looksLikeData } from './import-headings.ts';
import {
  findMissingColumns,
  guessByValues,
  guessMapping,
  placeTargets,
  readTarget,
} from './import-mapping.ts';

const fields = [
  { key: 'tier', label: 'Level' },
  { key: 'mobile', label: 'Mobile plan' },
];

describe('a guess at the columns of a file', () => {
  test.each([
    ['Full Name,Mobile Phone,E-mail Address,Labels', 'name,phone,email,tags'],
    ['Kunde;Handy;E-Mail-Adresse;Gruppen', 'name,phone,email,tags'],
    ['contact_name,Telephone,E-mail,Tag', 'name,phone,email,tags'],
    ['Name;Telefon;Mail;Status', 'name,phone,email,status'],
    ['Display Name,Mobile No.,EMAIL_ADDRESS,groups', 'name,phone,email,tags'],
    ['First Name,Last Name,Mobile Number', 'firstName,lastName,phone'],
    ['Prénom;Nom;Téléphone portable;Téléphone fixe', 'firstName,lastName,phone,otherPhone'],
    ['Nombre;Apellidos;Teléfono móvil;Correo electrónico', 'firstName,lastName,phone,email'],
    ['Nome;Sobrenome;Celular;Telefone', 'firstName,lastName,phone,otherPhone'],
    ['Vorname;Nachname;Telefon;Mobil', 'firstName,lastName,otherPhone,phone'],
    // A number of WhatsApp goes before all others.
    ['Name,Phone Number,Mobile Phone Number,WhatsApp Phone Number', 'name,otherPhone,otherPhone,phone'],
    ['Name,Vorname', 'lastName,firstName'],
    ['Name,Given Name,Family Name', 'name,firstName,lastName'],
    [
      'First Name (Billing),State (Billing),E-Mail (Rechnungsadresse),Telefon (Rechnungsadresse)',
      'firstName,,email,phone',
    ],
    ['billing_first_name,billing_last_name,billing_phone,billing_email', 'firstName,lastName,phone,email'],
    ['Default Address Phone,Phone', 'otherPhone,phone'],
    ['Phone 1 - Value,E-mail 1 - Value', 'phone,email'],
    ['PRENOM,NOM,SMS,EMAIL', 'firstName,lastName,phone,email'],
    ['Name,Phone,Language', 'name,phone,language'],
    ['Kunde;Handy;Sprache', 'name,phone,language'],
    ['Nombre,Móvil,Idioma', 'name,phone,language'],
    ['Nom;Portable;Langue préférée', 'name,phone,language'],
    ['name,phone,customer_locale,lang', 'name,phone,language,'],
    ['Name,Phone,Import error', 'name,phone,'],
    ['LEVEL,tier,Mobile,Phone', 'custom:tier,,custom:mobile,phone'],
    ['Name,Phone, Shoe size,,Name', 'name,phone,,,'],
    ['State,Province,Lead Status', ',,'],
    ['constructor,__proto__', ','],
  ])('%s', (headings, targets) => {
    const guess = guessMapping(headings.split(/[,;]/), fields);
    expect(guess.map((target) => target ?? '').join(',')).toBe(targets);
  });
});

test('a field of the business that is called language stays what the heading means', () => {
  const own = [{ key: 'language', label: 'Language' }];
  expect(guessMapping(['Name', 'Phone', 'Language'], own)).toEqual(['name', 'phone', 'custom:language']);
  expect(guessMapping(['Name', 'Phone', 'languageCode'], own)).toEqual(['name', 'phone', 'language']);
});

test('a column is read by its heading or by its place, each target once, but for further numbers', () => {
  const headings = ['Name', 'Phone', 'Phone', 'Shoe'];
  expect(placeTargets(headings, { Name: 'name', Phone: 'phone' })).toEqual([
    'name',
    'phone',
    undefined,
    undefined,
  ]);
  expect(placeTargets(headings, ['name', 'otherPhone', 'otherPhone', null])).toEqual([
    ...['name', 'otherPhone', 'otherPhone', undefined],
  ]);
});

test('a contact needs a name, or a part of it, and a number', () => {
  expect(findMissingColumns(['lastName'])).toEqual(['phone']);
  expect(findMissingColumns(['phone', 'email', null])).toEqual(['name']);
  expect(findMissingColumns(['name', 'otherPhone'])).toEqual([]);
});

test.each([
  ['phone', 'phone'],
  ['otherPhone', 'otherPhone'],
  ['custom:tier', 'custom:tier'],
  ['custom:', undefined],
  ['custom:a b', undefined],
  ['tier', undefined],
  [7, undefined],
])('the target %j of a mapping', (text, target) => {
  expect(readTarget(text)).toBe(target);
});

test.each([
  [['Name', 'Phone 1 - Value', 'E-mail'], false],
  [['Ann', '+44 7700 900001'], true],
  [['Ann', '0171/1234567', 'x'], true],
  [['Ann', 'ann@example.com'], true],
  [['2024', 'Q1'], false],
])('that %j is no row of headings: %j', (cells, isData) => {
  expect(looksLikeData(cells)).toBe(isData);
});

test('without headings the values tell what a column is', () => {
  const rows = [
    ['7', 'Ann Lee', '0171 1234567', '030 1234567', 'ann@example.com', 'x'],
    ['8', 'Bob', '', '', '', ''],
  ];
  expect(guessByValues(rows)).toEqual([null, 'name', 'phone', 'otherPhone', 'email', null]);
});
