import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFlowFixture, step, tagged, type FlowFixture } from './flow-fixture.ts';

const HOUR = 3_600_000;

describe('a run that waits for a time of the clock', () => {
  let flows: FlowFixture;
  beforeAll(async () => {
    flows = await openFlowFixture();
  });
  afterAll(() => flows.api.close());

  /** Three hours from now on the clocks of the workspace, which begins with UTC. */
  const inThreeHours = (ms = 3 * HOUR) =>
    new Date(flows.api.parts.clock().getTime() + ms).toISOString().slice(11, 16);

  const waiting = (tag: string, config: object) => ({
    ...{ triggers: [tagged(tag)], start: 'wait' },
    steps: [step('wait', 'wait', { mode: 'time_of_day', ...config }, { next: { done: null } })],
  });

  async function begin(tag: string, config: object, phone?: string) {
    const { id } = await flows.publish(waiting(tag, config));
    const contact = await flows.addContact({ tags: [tag], ...(phone && { phone }) });
    await flows.settle();
    return { id, contact };
  }

  async function setZone(timeZone: string) {
    const { version } = await (await flows.admin.get('/api/settings/general')).json<{ version: number }>();
    expect((await flows.admin.put('/api/settings/general', { timeZone, version })).status).toBe(200);
  }

  const dueOf = async (id: string) => {
    await flows.settle();
    const { rows } = await flows.api.db.systemPool.query<{ due_at: Date | null }>(
      'SELECT due_at FROM flow_runs WHERE flow_id = $1',
      [id],
    );
    return rows[0]?.due_at?.getTime();
  };
  const statusOf = async (id: string) => (await flows.runsOf(id)).map(({ status }) => status);

  test('follows the workspace to clocks that are ahead, and to clocks that are behind', async () => {
    const time = inThreeHours();
    const { id } = await begin('ahead', { time, zone: 'workspace' });
    const named = await begin('named', { time, zone: 'UTC' });
    const before = (await dueOf(id))!;
    await setZone('Africa/Maputo');
    await expect.poll(() => dueOf(id)).toBe(before - 2 * HOUR);
    await setZone('Atlantic/Cape_Verde');
    await expect.poll(() => dueOf(id)).toBe(before + HOUR);
    expect(await dueOf(named.id)).toBe(before);
    flows.api.advance(3 * HOUR);
    await flows.settle();
    expect([await statusOf(id), await statusOf(named.id)]).toEqual([['running'], ['completed']]);
    flows.api.advance(HOUR);
    await flows.settle();
    expect(await statusOf(id)).toEqual(['completed']);
    await setZone('UTC');
  });

  test('whose time the new clocks have shown since goes on', async () => {
    const { id } = await begin('shown', { time: inThreeHours(), zone: 'workspace' });
    flows.api.advance(2 * HOUR);
    await setZone('Africa/Maputo');
    await expect
      .poll(async () => {
        await flows.settle();
        return statusOf(id);
      })
      .toEqual(['completed']);
    await setZone('UTC');
  });

  test('follows the number of its contact', async () => {
    // Clocks in India are five and a half hours ahead of those of the workspace.
    const time = inThreeHours(8.5 * HOUR);
    const { id, contact } = await begin('moved', { time, zone: 'contact' });
    const before = (await dueOf(id))!;
    const changed = await flows.admin.patch(`/api/contacts/${contact.id}`, {
      ...{ phone: '+919812345678', version: contact.version },
    });
    expect(changed.status).toBe(200);
    expect(await dueOf(id)).toBe(before - 5.5 * HOUR);
  });
});
