import { describe, expect, it } from 'vitest';
import {
  answerHandshake,
  isSignedBy,
  signWebhook,
} from '../src/whatsapp-cloud/webhooks/webhook-signature.ts';

const secret = 'emulator-app-secret';
const vectors: [string, string][] = [
  [
    '{"object":"whatsapp_business_account","entry":[]}',
    'eb147ea0117e199b3c4686f23cc477f3a991b4ad80089316e1b8f7e780dadb74',
  ],
  [
    String.raw`{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":{"t":"\u00e4\u00f6"}}]}]}`,
    'a3bf553753f2458189131feaafd4159d9c24ed0187d4ae3f47f4895dafc8ebd1',
  ],
];

describe('webhook signature', () => {
  it.each(vectors)('accepts the signature of %s', (body, digest) => {
    expect(isSignedBy(secret, Buffer.from(body), `sha256=${digest}`)).toBe(true);
    expect(signWebhook(secret, Buffer.from(body))).toBe(`sha256=${digest}`);
  });

  const [body, digest] = vectors[0] as [string, string]; // the list above is not empty
  it.each([
    ['no header', body, null],
    ['an empty header', body, ''],
    ['another algorithm', body, `sha1=${digest}`],
    ['a bare digest', body, digest],
    ['a short digest', body, `sha256=${digest.slice(2)}`],
    ['a digest with more behind it', body, `sha256=${digest}00`],
    ['no hex', body, `sha256=${'z'.repeat(64)}`],
    ['another body', `${body} `, `sha256=${digest}`],
  ])('refuses %s', (_case, text, header) => {
    expect(isSignedBy(secret, Buffer.from(text), header)).toBe(false);
  });

  it('refuses everything when no secret is set', () => {
    expect(isSignedBy('', Buffer.from(body), signWebhook('', Buffer.from(body)))).toBe(false);
  });
});

describe('handshake', () => {
  const ask = (query: string) => answerHandshake(new URLSearchParams(query), 'our-token');

  it('returns the challenge for the right token', () => {
    expect(ask('hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=our-token')).toBe('1158201444');
  });

  it.each([
    'hub.mode=subscribe&hub.challenge=1&hub.verify_token=other',
    'hub.mode=subscribe&hub.challenge=1',
    'hub.mode=unsubscribe&hub.challenge=1&hub.verify_token=our-token',
    'hub.mode=subscribe&hub.verify_token=our-token',
    '',
  ])('refuses %s', (query) => {
    expect(ask(query)).toBeNull();
  });

  it('refuses while no token is set', () => {
    expect(
      answerHandshake(new URLSearchParams('hub.mode=subscribe&hub.challenge=1&hub.verify_token='), ''),
    ).toBeNull();
  });
});
