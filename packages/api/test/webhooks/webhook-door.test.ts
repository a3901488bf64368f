import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
  await api.addChannel();
});
afterAll(() => api.close());

const post = async (address: string, init: RequestInit = {}) => {
  const answer = await api.app.request(address, { method: 'POST', body: '{}', ...init });
  const { error } = (await answer.json()) as { error: { code: string } };
  return { status: answer.status, code: error.code };
};
const ours = (path: string) => `http://localhost${path}`;

// The first is taken on the short way, the others go the way of every request.
test.each([
  '/webhooks/whatsapp/acme',
  '/webhooks/whatsapp/acme?',
  '/webhooks/whatsapp/acme?a=b',
  '/webhooks/whats%61pp/acme',
])('a webhook to %s without a signature is refused', async (path) => {
  expect(await post(ours(path))).toEqual({ status: 401, code: 'webhook_unsigned' });
});

test.each(['/webhooks/whatsapp/acme', '/webhooks/whatsapp/acme?a=b'])(
  'a webhook to %s under the name of a stranger is not heard',
  async (path) => {
    expect(await post(`http://stranger.example${path}`)).toMatchObject({ code: 'host_unknown' });
    const named = { headers: { host: 'stranger.example' } };
    expect(await post(ours(path), named)).toMatchObject({ code: 'host_unknown' });
  },
);

test('what fails while a webhook is taken is answered in the form of all errors', async () => {
  const broken = new ReadableStream({ start: (stream) => stream.error(new Error('gone')) });
  const headers = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };
  const init = { body: broken, headers, duplex: 'half' } as RequestInit;
  expect(await post(ours('/webhooks/whatsapp/acme'), init)).toMatchObject({ code: 'body_interrupted' });
});
