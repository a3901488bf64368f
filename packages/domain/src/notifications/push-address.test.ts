import { expect, test } from 'vitest';
import { isPushAddress, isPushKey } from './push-address.ts';

test.each([
  ['https://fcm.googleapis.com/fcm/send/abc:def', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/x', true],
  ['http://fcm.googleapis.com/fcm/send/abc', false],
  ['https://fcm.googleapis.com:8443/x', false],
  ['https://user:secret@fcm.googleapis.com/x', false],
  ['https://127.0.0.1/x', false],
  ['https://2130706433/x', false],
  ['https://0x7f.1/x', false],
  ['https://[::1]/x', false],
  ['https://localhost/x', false],
  ['https://push.example/#x', false],
  [`https://push.example/${'x'.repeat(1_000)}`, false],
  ['push', false],
])('%s may be a push service: %j', (text, may) => {
  expect(isPushAddress(text)).toBe(may);
});

test('keys have the length of keys', () => {
  expect(isPushKey('auth', 'BTBZMqHH6r4Tts7J_aSIgg')).toBe(true);
  expect(isPushKey('auth', 'BTBZ')).toBe(false);
  expect(isPushKey('p256dh', 'a'.repeat(87))).toBe(true);
  expect(isPushKey('p256dh', `${'a'.repeat(86)}=`)).toBe(false);
});
