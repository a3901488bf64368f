import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';
import { openReceiver } from './receiver.ts';

let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await openApiFixture();
});
afterAll(() => fixture.close());

test('a call that takes longer than the lease of its endpoint is not made a second time', async () => {
  const { systemPool } = fixture.db;
  const admin = await fixture.as('admin');
  const receiver = await openReceiver();
  try {
    receiver.answer('never');
    const key = () => crypto.randomUUID();
    const endpoint = { url: receiver.url, eventTypes: ['contact.created'] };
    expect((await admin.post('/api/webhook-endpoints', endpoint, key())).status).toBe(200);
    const contact = { name: 'Ada', phone: '+447700900001', tags: [] };
    expect((await admin.post('/api/contacts', contact, key())).status).toBe(200);
    await expect.poll(() => receiver.received.length).toBe(1);

    // So much time passes while the call goes on.
    await systemPool.query('UPDATE webhook_endpoints SET lease_until = now()');
    const isLeased = async () => {
      const { rows } = await systemPool.query('SELECT lease_until > now() AS "is" FROM webhook_endpoints');
      return rows[0].is;
    };
    await expect.poll(isLeased).toBe(true);
    await sleep(1_000);
    expect(receiver.received).toHaveLength(1);
  } finally {
    await receiver.close();
  }
});
