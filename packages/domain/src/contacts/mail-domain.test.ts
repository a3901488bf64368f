import { expect, test } from 'vitest';
import { readableAddress } from './mail-domain.ts';

test.each([
  ['bob@xn--exmple-cua.de', 'bob@exämple.de'],
  ['bob@XN--EXMPLE-CUA.de', 'bob@exämple.de'],
  ['bob@exämple.de', 'bob@exämple.de'],
  ['bob@EXÄMPLE.de', 'bob@exämple.de'],
  ['bob@exa\u0308mple.de', 'bob@exämple.de'],
  ['bob@xn--wgv71a119e.jp', 'bob@日本語.jp'],
  ['bob@mail.xn--strae-oqa.de', 'bob@mail.straße.de'],
  ['bob@xn--and-6ma2c.de', 'bob@ñandú.de'],
  ['bob@xn--f1ai0a.de', 'bob@жук.de'],
  ['bob@xn--3e0b707e.de', 'bob@한국.de'],
  ['bob@xn--kda4b0koi.de', 'bob@żółć.de'],
  ['bob@xn--abc-t08fm0d.de', 'bob@a日b本c.de'],
  ['bob@xn--a-va--xra9e.de', 'bob@ça-va-ñ.de'],
  ['bob@xn--mnchen-ost9-thb.de', 'bob@münchen-ost9.de'],
  ['Bob@Example.COM', 'Bob@Example.COM'],
  ['xn--a@example.com', 'xn--a@example.com'],
  ['bob@xn--!.de', 'bob@xn--!.de'],
  ['bob@xn--99999999.de', 'bob@xn--99999999.de'],
])('%s is stored as %s', (written, stored) => {
  expect(readableAddress(written)).toBe(stored);
  expect(readableAddress(stored)).toBe(stored);
});
