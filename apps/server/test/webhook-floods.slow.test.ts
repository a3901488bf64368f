import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHostFixture, wrapValue, type HostFixture } from './host-fixture.ts';

let host: HostFixture;
beforeAll(async () => {
  host = await openHostFixture();
});
afterAll(() => host.close());

/** All of them in one body; how long it took. */
async function flood(name: string, count: number): Promise<number> {
  const messages = Array.from({ length: count }, (_, place) => ({
    ...{ id: `wamid.${name}.${place}`, timestamp: String(Math.floor(Date.now() / 1000)), type: 'text' },
    ...{ from: `4477${count * 1_000 + place}`, text: { body: `Message ${place}` } },
  }));
  const startedAt = performance.now();
  expect(await host.deliver(wrapValue({ messages }))).toBe(200);
  const { rows } = await host.database.query(
    'SELECT count(*)::int AS n FROM messages WHERE provider_message_id LIKE $1',
    [`wamid.${name}.%`],
  );
  expect(rows).toEqual([{ n: count }]);
  return performance.now() - startedAt;
}

it('a flood of 16,000 messages costs each of them no more than one of 2,000 does', async () => {
  const few = await flood('few', 2_000);
  const many = await flood('many', 16_000);
  expect(many / few).toBeLessThan(8 * 4);
});
