import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openHostFixture, wrapValue, type HostFixture } from './host-fixture.ts';

const COUNT = 2_300;

let host: HostFixture;
beforeAll(async () => {
  host = await openHostFixture();
});
afterAll(() => host.close());

/** Messages of strangers in one webhook, each of somebody else; the first one wants no marketing. */
const flood = (kind: string, prefix: string) =>
  wrapValue({
    messages: Array.from({ length: COUNT }, (_, place) => ({
      ...{ from: `${prefix}${10_000 + place}`, id: `wamid.${kind}.${place}` },
      ...{ timestamp: String(1_790_000_000 + place), type: 'text' },
      text: { body: place === 0 ? 'STOP' : `Message ${place}` },
    })),
  });

const count = async (what: string, values: unknown[] = []): Promise<number> =>
  (await host.database.query(`SELECT count(*)::int AS count FROM ${what}`, values)).rows[0].count;
const messages = () => count(`messages WHERE provider_message_id LIKE 'wamid.broken.%'`);

test('a large webhook that breaks off between two slices is not answered 200, and doubles nothing when it comes again', async () => {
  await host.database.query(`CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the server stops' USING ERRCODE = '57P01'; END $$`);
  await host.database.query(`CREATE TRIGGER break_off BEFORE INSERT ON messages FOR EACH ROW
    WHEN (NEW.provider_message_id = 'wamid.broken.1700') EXECUTE FUNCTION break_off()`);
  expect(await host.deliver(flood('broken', '4479010'))).toBe(503);
  const before = await messages();
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(1_701);
  await host.database.query('DROP TRIGGER break_off ON messages');

  expect(await host.deliver(flood('broken', '4479010'))).toBe(200);
  expect(await host.deliver(flood('broken', '4479010'))).toBe(200);
  const people = `contacts WHERE phone LIKE '+4479010%'`;
  expect([await messages(), await count(people)]).toEqual([COUNT, COUNT]);
  expect(await count(`${people} AND opted_out_at IS NOT NULL`)).toBe(1);
  expect(await count(`contact_consents WHERE contact_id IN (SELECT id FROM ${people})`)).toBe(1);
  const { rows } = await host.database.query(
    `SELECT count(*)::int AS differing FROM messages m JOIN contacts c ON c.id = m.contact_id
      WHERE m.provider_message_id LIKE 'wamid.broken.%'
        AND (c.last_message, c.last_message_at, c.window_expires_at)
            IS DISTINCT FROM (m.text, m.occurred_at, m.occurred_at + interval '1 day')`,
  );
  expect(rows).toEqual([{ differing: 0 }]);
});

longTest('what comes beside a large webhook is answered before it', async () => {
  const answered: string[] = [];
  const large = host.deliver(flood('large', '4479011')).then(() => answered.push('large'));
  while ((await count(`messages WHERE provider_message_id LIKE 'wamid.large.%'`)) === 0);
  const small = await host.deliver(
    wrapValue({
      messages: [
        {
          from: '447901199999',
          id: 'wamid.small',
          timestamp: '1790000000',
          type: 'text',
          text: { body: 'Hi' },
        },
      ],
    }),
  );
  answered.push('small');
  expect(small).toBe(200);
  await large;
  expect(answered).toEqual(['small', 'large']);
});
