import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { inboundText, openHostFixture, wrapValue, type HostFixture } from './host-fixture.ts';

let host: HostFixture;
beforeAll(async () => {
  host = await openHostFixture();
});
afterAll(() => host.close());

const NOW = Math.floor(Date.now() / 1000);
const message = (id: string, body: string, more: object = {}) => ({
  ...{ from: '447700900400', id, timestamp: String(NOW), type: 'text', text: { body }, ...more },
});
const find = async (idLike: string) =>
  (
    await host.database.query(
      'SELECT provider_message_id AS id, occurred_at FROM messages WHERE provider_message_id LIKE $1 ORDER BY 1',
      [idLike],
    )
  ).rows;

describe('one bad element', () => {
  it.each([
    ['a time beyond every calendar', { timestamp: 1e18 }],
    ['a time before time', { timestamp: -1 }],
    ['a time that is none', { timestamp: 'NaN' }],
    ['a user id without end', { from_user_id: 'x'.repeat(10_000) }],
    ['text that no database holds', { text: { body: '\0\ud800' } }],
  ])('leaves its neighbours alone: %s', async (name, more) => {
    const prefix = `wamid.${name.replaceAll(' ', '-')}`;
    const messages = Array.from({ length: 20 }, (_, place) => message(`${prefix}.${place}`, 'healthy'));
    messages[7] = message(`${prefix}.7`, 'odd', more);
    expect(await host.deliver(wrapValue({ messages }))).toBe(200);
    expect(await find(`${prefix}.%`)).toHaveLength(20);
  });

  it('gives a message without a usable time the time of its arrival and opens no window', async () => {
    const before = Date.now();
    const bad = message('wamid.no-time', 'Hi', { from: '447700900401', timestamp: 9e17 });
    expect(await host.deliver(wrapValue({ messages: [bad] }))).toBe(200);
    const [stored] = await find('wamid.no-time');
    expect(stored.occurred_at.getTime()).toBeGreaterThanOrEqual(before);
    const { rows } = await host.database.query(
      `SELECT window_expires_at FROM contacts WHERE phone = '+447700900401'`,
    );
    expect(rows).toEqual([{ window_expires_at: null }]);
  });

  it('reads milliseconds given for seconds as the moment that is meant', async () => {
    const odd = message('wamid.ms', 'Hi', { from: '447700900402', timestamp: String(NOW * 1000) });
    expect(await host.deliver(wrapValue({ messages: [odd] }))).toBe(200);
    const { rows } = await host.database.query(
      `SELECT window_expires_at FROM contacts WHERE phone = '+447700900402'`,
    );
    expect(rows).toEqual([{ window_expires_at: new Date((NOW + 86_400) * 1000) }]);
  });

  it('that the database refuses is set aside, and no request of the same group suffers', async () => {
    await host.database.query(
      `CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN IF NEW.text LIKE 'poison%' THEN RAISE EXCEPTION 'no' USING ERRCODE = '22000'; END IF; RETURN NEW; END $$`,
    );
    await host.database.query(
      'CREATE TRIGGER refuse_poison BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION refuse_poison()',
    );
    const mixed = Array.from({ length: 20 }, (_, place) =>
      message(`wamid.group.${place}`, place % 9 === 4 ? 'poison' : 'healthy'),
    );
    const answers = await Promise.all([
      host.deliver(wrapValue({ messages: mixed })),
      ...Array.from({ length: 10 }, (_, place) =>
        host.deliver(inboundText('447700900403', `wamid.group.other.${place}`, 'healthy')),
      ),
    ]);
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(await find('wamid.group.%')).toHaveLength(18 + 10);
    const { rows } = await host.database.query(
      `SELECT payload->>'reason' AS reason, (payload->>'text')::jsonb->>'id' AS id FROM platform_events
        WHERE kind = 'set_aside' ORDER BY id`,
    );
    expect(rows).toEqual([
      { reason: '22000', id: 'wamid.group.13' },
      { reason: '22000', id: 'wamid.group.4' },
    ]);
    await host.database.query('DROP TRIGGER refuse_poison ON messages');
    const figures = await (await fetch(`${host.url}/metrics`)).text();
    expect(figures.split('\n')).toContain('messaging_webhooks_total{outcome="set_aside"} 2');
  });

  it('nested without end is kept, with its neighbours', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const healthy = wrapValue({ messages: [message('wamid.beside-deep', 'Hi')] });
    const body = JSON.stringify(healthy).replace(
      '"messages":[',
      `"messages":[{"id":"wamid.deep","x":${deep}},`,
    );
    expect(await host.deliver(body)).toBe(200);
    expect(await find('wamid.%deep')).toHaveLength(2);
  });
});

describe('a flood in one body', () => {
  longTest('of 2,000 messages is stored whole', async () => {
    const messages = Array.from({ length: 2_000 }, (_, place) => ({
      ...message(`wamid.flood.${place}`, `Message ${place}`),
      from: `4477${2_000_000 + place}`,
    }));
    expect(await host.deliver(wrapValue({ messages }))).toBe(200);
    expect(await find('wamid.flood.%')).toHaveLength(2_000);
  });

  it.each([
    ['empty entries', `{"entry":[${'{},'.repeat(900_000)}{}]}`],
    ['elements that say nothing', JSON.stringify(wrapValue({ statuses: Array(1_200_000).fill(0) }))],
  ])('of %s is refused, and takes little memory', async (_, body) => {
    const before = process.memoryUsage().rss;
    expect(await host.deliver(body)).toBe(413);
    expect(process.memoryUsage().rss - before).toBeLessThan(300e6);
  });
});
