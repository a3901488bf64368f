import { expect, test } from 'vitest';
import { findTextLanguage } from './find-text-language.ts';

test.each([
  ['When do you open on Saturdays?', 'en'],
  ['¿A qué hora abren los sábados y dónde está la tienda?', 'es'],
  ['Quand est-ce que vous ouvrez le samedi ?', 'fr'],
  ['Wann haben Sie am Samstag geöffnet, und wo ist das?', 'de'],
  ['A que horas vocês abrem no sábado e onde fica a loja?', 'pt'],
  ['Wir haben von Montag bis Freitag geöffnet.', 'de'],
  // Too little, mixed, or another language.
  ['Lampe?', null],
  ['Order 4711', null],
  ['iPhone 15 Pro Max', null],
  ['Is the “Chambre de la Reine” free?', null],
  ['Wat zijn jullie openingstijden?', null],
  ['Kiedy otwieracie w sobotę?', null],
  ['متى تفتحون يوم السبت؟', null],
])('%s', (text, language) => expect(findTextLanguage(text)).toBe(language));
