import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCredentials } from '@app/domain/channels/channel-credentials';
import type { OpenChannel } from '@app/domain/channels/open-channel';
import { signWebhook } from '../src/whatsapp-cloud/webhooks/webhook-signature.ts';
import { whatsAppKind } from '../src/whatsapp-cloud/whatsapp-kind.ts';
import { type FaultyServer, graphError, json, startFaultyServer } from './faulty-server.ts';

const credentials = {
  ...{ phoneNumberId: '200000000000001', businessAccountId: '100000000000001', appId: '300000000000001' },
  ...{ accessToken: 'secret-token', appSecret: 'app-secret', verifyToken: 'verify-token' },
  baseUrl: 'https://graph.example.com/v26.0',
};

describe('the form of a number', () => {
  const { credentials: form } = whatsAppKind;

  test('asks for everything that opens it, and hides what is secret', () => {
    expect(readCredentials(form, credentials)).toEqual({ credentials, problems: [] });
    expect(form.fields.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual([
      ...['accessToken', 'appSecret', 'verifyToken'],
    ]);
    expect([form.addressOf(credentials), form.serverOf(credentials)]).toEqual([
      ...['200000000000001', 'https://graph.example.com/v26.0'],
    ]);
  });

  test('takes no number that is none', () => {
    expect(readCredentials(form, { ...credentials, phoneNumberId: '+44 7700' }).problems).toEqual([
      { field: 'phoneNumberId', problem: 'not_digits' },
    ]);
  });
});

describe('its webhooks', () => {
  const { webhooks } = whatsAppKind;
  const body = Buffer.from('{"entry":[]}');
  const headers = (signature?: string) =>
    new Headers(signature === undefined ? {} : { 'X-Hub-Signature-256': signature });

  test('are signed with the secret of the app', () => {
    const signature = signWebhook('app-secret', body);
    expect(webhooks.mayBeSigned(headers())).toBe(false);
    expect(webhooks.mayBeSigned(headers(signature))).toBe(true);
    expect(webhooks.isSigned(credentials, body, headers(signature))).toBe(true);
    expect(webhooks.isSigned({ ...credentials, appSecret: 'other' }, body, headers(signature))).toBe(false);
    expect(webhooks.isSigned({}, body, headers(signWebhook('', body)))).toBe(false);
  });

  test('begin with a question in the address', () => {
    const { handshake } = webhooks;
    if (handshake.method !== 'GET') throw new Error('another handshake');
    const ask = (token: string) =>
      handshake.answer(
        credentials,
        new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.challenge': '47', 'hub.verify_token': token }),
      );
    expect([ask('verify-token'), ask('another')]).toEqual(['47', null]);
  });
});

describe('an open number', () => {
  let server: FaultyServer;
  let channel: OpenChannel;
  beforeAll(async () => {
    server = await startFaultyServer();
    const open = { ...credentials, baseUrl: `${server.origin}/graph/v26.0` };
    channel = whatsAppKind.open(open, { connections: 4 });
  });
  afterAll(async () => {
    await channel.close();
    await server.close();
  });

  test('says who it is, or what the platform has against it, and throws nothing', async () => {
    const check = () => channel.account?.check();
    const number = {
      ...{ id: credentials.phoneNumberId, display_phone_number: '+44 7700 900100' },
      throughput: { level: 'HIGH' },
    };
    server.answerWith((request, response) => {
      const node = request.url.includes('/2000') ? number : { id: '1', name: 'Acme' };
      json(200, request.url.includes('phone_numbers') ? { data: [number] } : node)(request, response);
    });
    expect(await check()).toEqual({
      outcome: 'done',
      value: { accountName: 'Acme', displayName: '+44 7700 900100', messagesPerSecond: 1000 },
    });
    server.answerWith(graphError(401, 190));
    expect(await check()).toMatchObject({ outcome: 'refused', reason: expect.any(String) });
    server.answerWith((_, response) => void response.destroy());
    expect(await check()).toEqual({ outcome: 'unreachable' });
    expect(await channel.markRead?.({ id: 'wamid.1', phone: null })).toEqual({ outcome: 'unreachable' });
    expect(await channel.media?.download('9', 10)).toEqual({ outcome: 'unreachable' });
    expect(await channel.templates?.list()).toEqual({ outcome: 'unreachable' });
  });
});
