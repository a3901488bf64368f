import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { startLineClock } from '../http-edge/line-clock.ts';
import { callWithKey, makeApiKey } from './key-caller.ts';

let api: ApiFixture;
let admin: ApiCaller;
let importId: string;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  const imported = await admin.request('/api/contacts/imports', {
    method: 'POST',
    body: 'name,phone\nAnn,\n',
    headers: { 'content-type': 'text/csv', 'idempotency-key': crypto.randomUUID(), prefer: 'wait=50' },
  });
  ({ id: importId } = await imported.json<{ id: string }>());
});
afterAll(() => api.close());
beforeEach(startLineClock);
afterEach(() => void vi.useRealTimers());

/** One that has begun; what is read of it from here on is read a minute later. */
async function begin(expiresAt: string | null = null) {
  const { id, secret } = await makeApiKey(admin, { expiresAt });
  const file = await callWithKey(api, secret).get(`/api/contacts/imports/${importId}/failed-rows`);
  expect(file.status).toBe(200);
  vi.advanceTimersByTime(60_000);
  return { id, file };
}

test('a download reaches its end while the key counts', async () => {
  const { file } = await begin();
  expect(await file.text()).toContain('Ann');
});

test('a download is cut once the key was revoked', async () => {
  const { id, file } = await begin();
  expect((await admin.delete(`/api/api-keys/${id}`)).status).toBe(200);
  await expect(file.text()).rejects.toThrow('no longer allowed to download');
});

test('a download is cut once the key has expired', async () => {
  const { file } = await begin(new Date(api.parts.clock().getTime() + 60_000).toISOString());
  api.advance(61_000);
  await expect(file.text()).rejects.toThrow('no longer allowed to download');
});
