import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, inboundText, openHostFixture, wrapValue, type HostFixture } from './host-fixture.ts';

let host: HostFixture;

beforeAll(async () => {
  host = await openHostFixture();
});
afterAll(() => host.close());

async function countMessages(idLike: string): Promise<number> {
  const { rows } = await host.database.query(
    'SELECT count(*)::int AS count FROM messages WHERE provider_message_id LIKE $1',
    [idLike],
  );
  return rows[0].count;
}

async function readContact(phone: string) {
  const { rows } = await host.database.query('SELECT * FROM contacts WHERE phone = $1', [phone]);
  return rows[0];
}

describe('the handshake', () => {
  const ask = (token: string) =>
    fetch(
      `${host.url}/webhooks/whatsapp/sample?hub.mode=subscribe&hub.challenge=4711&hub.verify_token=${token}`,
    );

  it('answers the challenge to whoever knows the verify token', async () => {
    const answer = await ask('sandbox-verify-token');
    expect([answer.status, await answer.text()]).toEqual([200, '4711']);
  });

  it('refuses a wrong token and an unknown workspace', async () => {
    expect((await ask('guess')).status).toBe(403);
    const unknown = await fetch(
      `${host.url}/webhooks/whatsapp/nobody?hub.mode=subscribe&hub.challenge=1&hub.verify_token=x`,
    );
    expect(unknown.status).toBe(403);
  });
});

describe('the signature', () => {
  it.each([
    ['missing', null],
    ['of another secret', 'guess'],
  ])('answers 401 when it is %s and stores nothing', async (_, secret) => {
    expect(await host.deliver(inboundText('447700900301', 'wamid.unsigned', 'Hi'), { secret })).toBe(401);
    expect(await countMessages('wamid.unsigned')).toBe(0);
  });

  it('refuses a body above 3 MB before it is read', async () => {
    expect(await host.deliver('x'.repeat(3 * 1024 * 1024 + 1))).toBe(413);
  });
});

describe('inbound messages', () => {
  it('keeps 300 signed messages that come at once, each answered 200', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        host.deliver(
          inboundText(`4477009${String(10_000 + index)}`, `wamid.many.${index}`, `Message ${index}`),
        ),
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await countMessages('wamid.many.%')).toBe(300);
  });

  it('keeps one row of a message that is delivered five times', async () => {
    const body = inboundText('447700900302', 'wamid.five-times', 'Only once');
    const statuses = await Promise.all(Array.from({ length: 5 }, () => host.deliver(body)));
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect(await countMessages('wamid.five-times')).toBe(1);
  });

  it('makes a contact of a stranger and opens the window from the platform time', async () => {
    const at = Math.floor(Date.now() / 1000) - 3_600;
    await host.deliver(inboundText('447700900303', 'wamid.window', 'Good morning', at));
    expect(await readContact('+447700900303')).toMatchObject({
      name: 'Person 447700900303',
      last_message: 'Good morning',
      window_expires_at: new Date((at + 86_400) * 1000),
    });
  });

  it('shows the newest message when an older one comes late', async () => {
    const now = Math.floor(Date.now() / 1000);
    await host.deliver(inboundText('447700900304', 'wamid.late.2', 'Second', now));
    await host.deliver(inboundText('447700900304', 'wamid.late.1', 'First', now - 60));
    expect(await readContact('+447700900304')).toMatchObject({ last_message: 'Second' });
  });

  it('ends consent on STOP as the whole message and renews it on START', async () => {
    const now = Math.floor(Date.now() / 1000);
    await host.deliver(inboundText('447700900305', 'wamid.stop', ' Stop. ', now - 2));
    expect((await readContact('+447700900305')).opted_out_at).not.toBeNull();
    await host.deliver(inboundText('447700900305', 'wamid.no-start', 'When do you start?'));
    expect((await readContact('+447700900305')).opted_out_at).not.toBeNull();
    await host.deliver(inboundText('447700900305', 'wamid.start', 'START', now - 1));
    expect((await readContact('+447700900305')).opted_out_at).toBeNull();
    // Said before both, delivered after them.
    await host.deliver(inboundText('447700900305', 'wamid.old-stop', 'STOP', now - 60));
    expect((await readContact('+447700900305')).opted_out_at).toBeNull();
  });

  it('stores text that PostgreSQL cannot hold with the replacement character', async () => {
    await host.deliver(inboundText('447700900306', 'wamid.nul', 'a\0b \ud800 c'));
    expect((await readContact('+447700900306')).last_message).toBe('a\ufffdb \ufffd c');
  });

  it('knows people who hide their number by their platform id', async () => {
    const body = wrapValue({
      contacts: [{ profile: { name: 'Hidden' }, user_id: 'GB.777' }],
      messages: [
        {
          from_user_id: 'GB.777',
          id: 'wamid.hidden',
          timestamp: '1790000000',
          type: 'text',
          text: { body: 'Hi' },
        },
      ],
    });
    expect(await host.deliver(body)).toBe(200);
    const { rows } = await host.database.query(
      `SELECT name, phone FROM contacts WHERE platform_user_id = 'GB.777'`,
    );
    expect(rows).toEqual([{ name: 'Hidden', phone: null }]);
  });
});

describe('everything else the platform says', () => {
  it('is kept in its own words, once, whatever it is', async () => {
    const body = {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '100000000000001',
          time: 1_790_000_000,
          changes: [{ field: 'brand_new_field', value: { a: [1, 'ä'] } }],
        },
      ],
    };
    expect([await host.deliver(body), await host.deliver(body)]).toEqual([200, 200]);
    const { rows } = await host.database.query(
      `SELECT payload FROM platform_events WHERE kind = 'unknown' AND payload::text LIKE '%ä%'`,
    );
    expect(rows).toHaveLength(1);
  });

  it('has no effect when the number is not ours', async () => {
    const foreign = inboundText('447700900307', 'wamid.foreign', 'Hello');
    const [entry] = foreign.entry;
    const value = entry?.changes[0]?.value as { metadata: { phone_number_id: string } }; // built just above
    value.metadata.phone_number_id = '299999999999999';
    expect(await host.deliver(foreign)).toBe(200);
    expect(await readContact('+447700900307')).toBeUndefined();
  });

  it.each([
    '{',
    '[]',
    'null',
    '{"entry":[{}]}',
    '{"entry":[{"changes":[{"field":"messages","value":{"messages":[{}]}}]}]}',
  ])('never answers 500 to a signed body such as %s', async (body) => {
    expect(await host.deliver(body)).toBe(200);
  });

  it('ends marketing consent when the person stops it inside the app', async () => {
    await host.deliver(inboundText('447700900308', 'wamid.before-stop', 'Hi'));
    const body = wrapValue({
      contacts: [{ profile: { name: 'Ann' }, wa_id: '447700900308' }],
      user_preferences: [
        {
          wa_id: '447700900308',
          category: 'marketing_messages',
          value: 'stop',
          detail: 'stop',
          timestamp: 1_790_000_000,
        },
      ],
    });
    const [change] = body.entry[0]?.changes ?? [];
    if (change) change.field = 'user_preferences';
    expect(await host.deliver(body)).toBe(200);
    const contact = await eventually(
      () => readContact('+447700900308'),
      ({ opted_out_at }) => opted_out_at !== null,
    );
    expect(contact.opted_out_at).toEqual(new Date(1_790_000_000_000));
  });
});
