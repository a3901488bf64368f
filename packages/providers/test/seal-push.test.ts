import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { createOutgoingCalls } from '../src/calls/outgoing-calls.ts';
import { createPushGate } from '../src/web-push/push-gate.ts';
import { createPushSigner, sealPush } from '../src/web-push/seal-push.ts';

/** The example of the standard (RFC 8291, section 5). */
const browser = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

test('a message is sealed as the standard does it', () => {
  const sealed = sealPush('When I grow up, I want to be a watermelon', browser, {
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
    privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
  });
  expect(sealed.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('who sends is signed for one service and half a day, under a key that is the same at every start', () => {
  const signer = createPushSigner('a secret', 'https://shop.example');
  expect(createPushSigner('a secret', 'https://shop.example').publicKey).toBe(signer.publicKey);
  expect(createPushSigner('another', 'https://shop.example').publicKey).not.toBe(signer.publicKey);
  const now = new Date('2026-11-23T08:00:00Z');
  const header = signer.authorize('https://push.example/some/address', now);
  const [, words, claims, mark, key] =
    /^vapid t=(([\w-]+\.[\w-]+))\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  expect(key).toBe(signer.publicKey);
  expect(JSON.parse(Buffer.from(claims!.split('.')[1]!, 'base64url').toString())).toEqual({
    ...{ aud: 'https://push.example', sub: 'https://shop.example' },
    exp: now.getTime() / 1_000 + 12 * 3_600,
  });
  const point = Buffer.from(signer.publicKey, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      ...{ kty: 'EC', crv: 'P-256' },
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const isSigned = verify(
    'sha256',
    Buffer.from(words!),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(mark!, 'base64url'),
  );
  expect(isSigned).toBe(true);
});

test('nothing is pushed to what is not of the open network, nor for keys that are none', async () => {
  const calls = createOutgoingCalls();
  const gate = createPushGate({ calls, seed: 'a secret', contact: 'https://shop.example' });
  const message = { text: 'Hello', about: 'a', now: new Date() };
  expect(await gate.send({ endpoint: 'https://127.0.0.1/x', ...browser }, message)).toBe('refused');
  expect(await gate.send({ endpoint: 'https://localhost/x', ...browser }, message)).toBe('refused');
  expect(
    await gate.send({ endpoint: 'https://127.0.0.1/x', p256dh: 'B'.repeat(87), auth: 'x' }, message),
  ).toBe('refused');
  await calls.close();
});
