import { expect, test } from 'vitest';
import { serializeWebhook, signWebhook } from '../src/core/webhook-signature.ts';

const secret = 'emulator-app-secret';

test('signs the bytes of an empty webhook as the reference does', () => {
  const body = serializeWebhook({ object: 'whatsapp_business_account', entry: [] });
  expect(signWebhook(secret, body)).toBe(
    'sha256=eb147ea0117e199b3c4686f23cc477f3a991b4ad80089316e1b8f7e780dadb74',
  );
});

test('escapes letters outside ASCII before signing', () => {
  const changes = [{ field: 'messages', value: { t: 'äö' } }];
  const body = serializeWebhook({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] });
  expect(body.toString()).toContain(String.raw`\u00e4\u00f6`);
  expect(signWebhook(secret, body)).toBe(
    'sha256=a3bf553753f2458189131feaafd4159d9c24ed0187d4ae3f47f4895dafc8ebd1',
  );
});

test('escapes slashes and keeps the meaning', () => {
  const value = { url: 'https://shop.example/ä', emoji: '😀' };
  const body = serializeWebhook(value).toString();
  expect(body).toContain(String.raw`https:\/\/shop.example\/`);
  expect(JSON.parse(body)).toEqual(value);
});
