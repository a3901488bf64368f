import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { runs as drawn } from '@app/database/testing/thorough';
import { newRunState } from '@app/domain/flows/run-state';
import { createFlowEngine } from '@app/flows/flow-engine';
import { runClasses } from '@app/flows/flow-host';
import { addStarts } from '@app/flows/flow-starts';
import { openFlowHost } from '../../src/automation/engine/flow-host.ts';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import { askingFlow, openFlowFixture, step, tagged, trigger, type FlowFixture } from './flow-fixture.ts';

// What the engine promises when events come together. Its other promises: flow-faults.test.ts (crashes), flow-guards.test.ts (limits), flow-runs.test.ts (depth).

const HOUR = 3_600_000;
let flows: FlowFixture;
beforeAll(async () => {
  flows = await openFlowFixture();
});
afterAll(() => flows.api.close());
beforeEach(() => flows.api.db.systemPool.query('DELETE FROM flows'));

const query = (sql: string, values: unknown[] = []) => flows.api.db.systemPool.query(sql, values);

longTest(
  'a reply that was stored before the time-out wins, also while nobody hands it on; one behind it changes nothing',
  async () => {
    await flows.publish(askingFlow('asked'));
    const before = await flows.addContact({ tags: ['asked'] });
    const after = await flows.addContact({ tags: ['asked'] });
    await flows.settle();
    flows.api.advance(HOUR - 60_000);
    await flows.receive(before.id, 'Yes');
    flows.api.advance(61_000);
    // Consumers stand still: only the engine looks.
    await flows.engine.drain();
    await flows.receive(after.id, 'Too late');
    await flows.settle();
    expect((await flows.contact(before.id)).tags).toEqual(['asked', 'replied']);
    expect((await flows.contact(after.id)).tags).toEqual(['asked', 'silent']);
  },
);

test('a reply in the second in which the question was asked counts, although platforms name whole seconds', async () => {
  await flows.publish(askingFlow('quick'));
  const contact = await flows.addContact({ tags: ['quick'] });
  await flows.settle();
  const id = await flows.receive(contact.id, 'Yes');
  await query(
    `UPDATE messages SET received_at = occurred_at, occurred_at = date_trunc('second', occurred_at) WHERE id = $1`,
    [id],
  );
  flows.api.advance(HOUR + 1_000);
  await flows.engine.drain();
  expect((await flows.contact(contact.id)).tags).toEqual(['quick', 'replied']);
});

longTest(
  'the message and the tag that began a run are not what it waits for, however late the reader of replies comes',
  async () => {
    const timeout = { timeout: { amount: 1, unit: 'hours' } };
    const wait = (type: string, config: object, exit: string) => ({
      start: 'wait',
      steps: [
        step('wait', type, { ...timeout, ...config }, { next: { [exit]: 'heard', timed_out: 'silent' } }),
        step('heard', 'add_tag', { tag: 'heard' }),
        step('silent', 'add_tag', { tag: 'silent' }),
      ],
    });
    const event = { event: { type: 'tag_added', config: { tags: ['twice'] } } };
    await flows.publish({
      triggers: [trigger('message_received', { match: 'any' })],
      ...wait('wait_for_reply', {}, 'replied'),
    });
    await flows.publish({ triggers: [tagged('twice')], ...wait('wait_for_event', event, 'happened') });
    const cursor = await query(`SELECT seen::text FROM event_consumers WHERE name = 'automation-replies'`);
    const [writes, isTagged] = [await flows.addContact(), await flows.addContact({ tags: ['twice'] })];
    await flows.receive(writes.id, 'Hello');
    await flows.settle();
    // The reader of replies comes a second time, as it may first come when the runs wait already.
    await query(`UPDATE event_consumers SET seen = $1::pg_snapshot WHERE name = 'automation-replies'`, [
      cursor.rows[0].seen,
    ]);
    await flows.settle();
    flows.api.advance(HOUR + 1_000);
    await flows.settle();
    expect((await flows.contact(writes.id)).tags).toEqual(['silent']);
    expect((await flows.contact(isTagged.id)).tags).toEqual(['twice', 'silent']);
  },
);

longTest('an engine that nobody wakes finds what falls due', async () => {
  const pause = { mode: 'duration', duration: { amount: 1, unit: 'hours' } };
  const { id } = await flows.publish({
    ...{ triggers: [tagged('paused')], start: 'wait' },
    steps: [step('wait', 'wait', pause)],
  });
  await flows.addContact({ tags: ['paused'] });
  await flows.settle();
  const engine = createFlowEngine(openFlowHost(flows.api.parts));
  await engine.start();
  try {
    flows.api.advance(HOUR);
    await expect
      .poll(async () => (await flows.runsOf(id)).map(({ status }) => status), { timeout: 60_000 })
      .toEqual(['completed']);
  } finally {
    await engine.stop();
  }
});

test('what a batch of runs sends wakes those who send once', async () => {
  const COUNT = 12;
  const { id } = await flows.publish({
    ...{ triggers: [tagged('greeted')], start: 'say' },
    steps: [step('say', 'send_message', { content: 'text', text: 'Hello' })],
  });
  for (let n = 0; n < COUNT; n += 1) await flows.addContact({ tags: ['greeted'] });
  await query(
    `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, created_at, window_ends_at)
     SELECT gen_random_uuid(), $1, id, $2, now(), now(), now() + interval '2 days' FROM contacts WHERE tags = ARRAY['greeted'] ON CONFLICT DO NOTHING`,
    [flows.api.workspaceId, flows.channelId],
  );
  const listener = await flows.api.db.systemPool.connect();
  const heard: (string | undefined)[] = [];
  listener.on('notification', ({ payload }) => heard.push(payload));
  try {
    await listener.query('LISTEN delivery_message');
    await flows.api.facts.catchUp();
    await flows.engine.drain();
    await listener.query('UNLISTEN delivery_message');
  } finally {
    listener.release(true);
  }
  const { rows } = await query(
    `SELECT count(*)::int AS n FROM messages WHERE source LIKE 'flow/' || $1 || '/%'`,
    [id],
  );
  expect(rows).toEqual([{ n: COUNT }]);
  expect(heard).toEqual(['flow']);
});

longTest(
  'a contact that another transaction holds keeps nobody else waiting, and its run goes on afterwards',
  async () => {
    const { id } = await flows.publish({
      ...{ triggers: [tagged('held')], start: 'mark' },
      steps: [step('mark', 'add_tag', { tag: 'marked' })],
    });
    const [held, free] = [await flows.addContact(), await flows.addContact()];
    const client = await flows.api.db.systemPool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM contacts WHERE id = $1 FOR UPDATE', [held.id]);
      await changeAsSystem(flows.api.parts, 'upkeep', flows.api.workspaceId, (scope) =>
        addStarts(
          scope,
          [held.id, free.id].map((contactId) => ({
            ...{ flowId: id, version: 1, triggerId: 'begin', contactId, channelId: null, source: 'test' },
            ...{ values: {}, class: runClasses.event, depth: 0, at: scope.clock() },
          })),
        ),
      );
      await flows.engine.drain();
      expect((await flows.contact(free.id)).tags).toContain('marked');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    flows.api.advance(1_000);
    await flows.engine.drain();
    expect((await flows.contact(held.id)).tags).toContain('marked');
  },
);

longTest('a customer who waits goes before the rest of many runs that are due', async () => {
  const { api } = flows;
  const { id } = await flows.publish({
    ...{ triggers: [tagged('many')], start: 'end' },
    steps: [step('end', 'stop', { outcome: 'completed' })],
  });
  const addRuns = (count: number, ofClass: number) =>
    api.db.systemPool.query(
      `INSERT INTO flow_runs (id, workspace_id, flow_id, version, status, state, class, due_at, seed, started_at)
       SELECT gen_random_uuid(), $1, $2, 1, 'running', $3, $4, $5, 1, $5 FROM generate_series(1, $6::integer)`,
      [...[api.workspaceId, id, JSON.stringify(newRunState({}, 0)), ofClass], ...[api.parts.clock(), count]],
    );
  await addRuns(500, runClasses.bulk);
  const left: { waits: number; many: number }[] = [];
  const host = openFlowHost(api.parts);
  const engine = createFlowEngine({
    ...host,
    async inWorkspace(workspaceId, work) {
      const result = await host.inWorkspace(workspaceId, work);
      const { rows } = await api.db.systemPool.query(
        `SELECT count(*) FILTER (WHERE class = $2)::int AS waits, count(*) FILTER (WHERE class = $3)::int AS many
           FROM flow_runs WHERE flow_id = $1 AND status = 'running'`,
        [id, runClasses.person, runClasses.bulk],
      );
      left.push(rows[0]);
      // The customer writes while the first batch is moved.
      if (left.length === 1) await addRuns(1, runClasses.person);
      return result;
    },
  });
  await engine.drain();
  expect(left.slice(0, 2)).toEqual([
    { waits: 0, many: 300 },
    { waits: 0, many: 300 },
  ]);
  expect(left.at(-1)).toEqual({ waits: 0, many: 0 });
});

longTest('a message that begins a run does not wait for the rest of many runs that are due', async () => {
  const { api } = flows;
  const { id } = await flows.publish({
    ...{ triggers: [tagged('rest')], start: 'end' },
    steps: [step('end', 'stop', { outcome: 'completed' })],
  });
  const { id: contactId } = await flows.addContact();
  await api.db.systemPool.query(
    `INSERT INTO flow_runs (id, workspace_id, flow_id, version, status, state, class, due_at, seed, started_at)
     SELECT gen_random_uuid(), $1, $2, 1, 'running', $3, $4, $5, 1, $5 FROM generate_series(1, 500)`,
    [api.workspaceId, id, JSON.stringify(newRunState({}, 0)), runClasses.bulk, api.parts.clock()],
  );
  const seen: { ended: number; many: number }[] = [];
  const host = openFlowHost(api.parts);
  const engine = createFlowEngine({
    ...host,
    async inWorkspace(workspaceId, work) {
      const result = await host.inWorkspace(workspaceId, work);
      const { rows } = await query(
        `SELECT count(*) FILTER (WHERE contact_id = $2 AND status = 'completed')::int AS ended,
                count(*) FILTER (WHERE contact_id IS NULL AND status = 'running')::int AS many FROM flow_runs WHERE flow_id = $1`,
        [id, contactId],
      );
      seen.push(rows[0]);
      // The customer writes while the first batch is moved.
      if (seen.length === 1)
        await changeAsSystem(api.parts, 'upkeep', api.workspaceId, (scope) =>
          addStarts(scope, [
            {
              ...{ flowId: id, version: 1, triggerId: 'begin', contactId, channelId: null, source: 'test' },
              ...{ values: {}, class: runClasses.person, depth: 0, at: scope.clock() },
            },
          ]),
        );
      return result;
    },
  });
  await engine.drain();
  expect(seen.slice(0, 3)).toEqual([
    { ended: 0, many: 300 },
    { ended: 0, many: 300 },
    { ended: 1, many: 300 },
  ]);
  expect(seen.at(-1)).toEqual({ ended: 1, many: 0 });
});

test('what was published or paused between reading and writing begins nothing', async () => {
  const { id } = await flows.publish(askingFlow('raced'));
  const { id: contactId } = await flows.addContact();
  const start = (version: number, source: string) =>
    changeAsSystem(flows.api.parts, 'upkeep', flows.api.workspaceId, (scope) =>
      addStarts(scope, [
        {
          ...{ flowId: id, version, triggerId: 'begin', contactId, channelId: null, source },
          ...{ values: {}, class: runClasses.event, depth: 0, at: scope.clock() },
        },
      ]),
    );
  expect(await start(2, 'an older page')).toBe(0);
  await flows.admin.post(`/api/workflows/${id}/pause`);
  expect(await start(1, 'a paused one')).toBe(0);
  await flows.settle();
  expect(await flows.runsOf(id)).toEqual([]);
});

longTest('a history of messages begins and answers nothing', async () => {
  const any = { triggers: [trigger('message_received', { match: 'any' })], start: 'yes' };
  const { id } = await flows.publish({ ...any, steps: [step('yes', 'add_tag', { tag: 'answered' })] });
  await flows.publish(askingFlow('historic'));
  const greeting = await flows.publish({
    ...{ triggers: [trigger('new_contact')], start: 'hi' },
    steps: [step('hi', 'add_tag', { tag: 'greeted' })],
  });
  // One wrote a minute ago, as the history says; the other long ago.
  const contact = await flows.addContact({ tags: ['historic'] });
  const older = await flows.addContact({ tags: ['historic'] });
  await flows.settle();
  const count = drawn(600);
  await changeAsSystem(flows.api.parts, 'webhooks', flows.api.workspaceId, async (scope) => {
    const { rows } = await scope.query<{ id: string }>(
      `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at)
       SELECT gen_random_uuid(), $1, $2, CASE WHEN n > 5 THEN $6::uuid ELSE $3 END, 'in', 'history.' || n, 'text', 'Old ' || n, CASE WHEN n > 5 THEN '{}' ELSE '{"history_context": {"status": "READ"}}' END::jsonb,
              $4::timestamptz - make_interval(mins => CASE WHEN n > 5 THEN 90 + n ELSE n END)
         FROM generate_series(1, $5::integer) AS n RETURNING id`,
      [flows.api.workspaceId, flows.channelId, contact.id, scope.clock(), count, older.id],
    );
    for (let from = 0; from < rows.length; from += 100)
      await scope.emit({
        ...{ type: 'messages.arrived', subject: null },
        values: {
          messageIds: rows.slice(from, from + 100).map((row) => row.id),
          ...{ buttonIds: [], contactIds: [contact.id, older.id], conversationIds: [] },
        },
      });
    // Who came with the history is no new contact today.
    await scope.emit({ type: 'contacts.created', subject: null, values: { contactIds: [contact.id] } });
  });
  await flows.settle();
  expect(await flows.runsOf(id)).toEqual([]);
  for (const { id: contactId } of [contact, older])
    expect((await flows.contact(contactId)).tags.toSorted()).toEqual(['greeted', 'historic']);
  // One for each whom an admin added, and no other.
  expect(await flows.runsOf(greeting.id)).toHaveLength(2);
});

/** The same numbers from 0 to 1 for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

longTest.each(Array.from({ length: drawn(6) }, (_, place) => 101 + place))(
  'merges, erasures, replies and time-outs against two engines (seed %i): none waits for ever, and no run is lost',
  async (seed) => {
    const random = randomOf(seed);
    const { id } = await flows.publish(askingFlow(`seed ${seed}`));
    const people: { id: string }[] = [];
    for (let count = 0; count < 6; count += 1)
      people.push(await flows.addContact({ tags: [`seed ${seed}`] }));
    await flows.settle();
    const second = createFlowEngine(openFlowHost(flows.api.parts));
    const pick = () => people[Math.floor(random() * people.length)]!; // six stand there
    const acts = [
      // Who is gone writes nothing any more.
      () =>
        flows.receive(pick().id, 'Hi').catch((error: unknown) => {
          if (!String(error).includes('23503')) throw error;
        }),
      async () => {
        const [one, other] = [pick(), pick()];
        if (one === other) return;
        const contacts = await Promise.all(
          [one, other].map(async (person) => {
            const { version } = await (
              await flows.admin.get(`/api/contacts/${person.id}`)
            ).json<{ version: number }>();
            return { contactId: person.id, version };
          }),
        );
        // One that is gone already is refused, and nothing happens.
        await flows.admin.post('/api/contacts/merges', { mergeId: newId(), survivorId: one.id, contacts });
      },
      () => flows.admin.post(`/api/contacts/${pick().id}/erase`),
      async () => flows.api.advance(20 * 60_000),
      () => flows.api.facts.catchUp(),
    ];
    for (let round = 0; round < 5; round += 1)
      await Promise.all([
        acts[Math.floor(random() * acts.length)]!(), // one of them
        acts[Math.floor(random() * acts.length)]!(), // and another
        flows.engine.drain(),
        second.drain(),
      ]);
    flows.api.advance(2 * HOUR);
    await flows.settle();
    const { rows } = await query(
      'SELECT status, count(*)::int AS n FROM flow_runs WHERE flow_id = $1 GROUP BY 1',
      [id],
    );
    expect(rows.map(({ status }) => status)).not.toContain('running');
    expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(6);
  },
);
