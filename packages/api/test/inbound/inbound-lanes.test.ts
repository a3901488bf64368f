import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '@app/database/database';
import { shareContacts } from '@app/delivery/follow-merges';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import { editContacts } from '../../src/contacts/bulk-edit.ts';
import { people } from '../../src/features.ts';
import { joinContacts } from '../../src/contact-merges/join-contacts.ts';
import type { EventWriter } from '../../src/webhooks/event-writer.ts';
import type { StoredEvent } from '../../src/webhooks/keep-events.ts';
import { createEventStore } from '../../src/webhooks/write-events.ts';
import { createTestSecretBox, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { changedIdentity, chose, failed, said } from '../arriving-events.ts';
import { scopeOn } from '../scope-on.ts';

const PHONE = '+14155552671';
const OTHER = '+14155552672';

let api: ApiFixture;
let admin: ApiCaller;
let writer: EventWriter<StoredEvent>;
let channelId: string;
/** Keeps a group without people from being committed. */
let templateGate = Promise.resolve();
let gateAskedFor = false;
/** Another process, which has connections of its own. */
let outside: Database;
beforeAll(async () => {
  const secrets = await createTestSecretBox();
  api = await openApiFixture({ secrets });
  admin = await api.as('admin');
  outside = await openDatabase({ url: api.databaseUrl, poolSize: 3 });
  channelId = await api.addChannel();
  writer = createEventStore({
    ...{
      db: api.db,
      clock: () => new Date(),
      facts: api.facts,
      jobs: api.parts.jobs,
      channelKinds: api.parts.channelKinds,
      secrets,
      joinContacts: (scope, pair) => joinContacts(scope, people, pair),
    },
    logger: { info() {}, warn() {}, error() {} },
    onTemplateEvent: () => {
      gateAskedFor = true;
      return templateGate;
    },
    onAccountVerdict: async () => {},
    onAgentState: async () => {},
  });
});
afterAll(async () => {
  await outside.close();
  await api.close();
});
beforeEach(async () => {
  for (const table of ['contacts', 'contact_aliases', 'messages', 'platform_events'])
    await query(`DELETE FROM ${table}`);
});

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await outside.systemPool.query<Row>(text, values)).rows;
const add = async (phone: string, name = 'Ann', userId: string | null = null) => {
  const { id } = await (await admin.post('/api/contacts', { name, phone })).json<{ id: string }>();
  await query('UPDATE contacts SET platform_user_id = $2 WHERE id = $1', [id, userId]);
  return id;
};
const write = (event: InboundEvent, workspaceId = api.workspaceId) =>
  writer.write([
    { event, workspaceId, channelId: workspaceId === api.workspaceId ? channelId : null, kind: 'whatsapp' },
  ]);
async function addWorkspaces(count: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `INSERT INTO workspaces (id, slug, name, settings)
     SELECT gen_random_uuid(), 'lane-' || gen_random_uuid(), 'Lane', settings FROM workspaces, generate_series(1, $2) WHERE id = $1 RETURNING id`,
    [api.workspaceId, count],
  );
  return rows.map(({ id }) => id);
}
const texts = async () =>
  (await query<{ text: string }>('SELECT text FROM messages ORDER BY text')).map(({ text }) => text);

/** The workspaces of what is kept as events. */
const kept = async () =>
  (await query<{ id: string }>('SELECT workspace_id AS id FROM platform_events ORDER BY workspace_id')).map(
    ({ id }) => id,
  );

/** Works while somebody freezes an audience of the workspace, which ends after it. */
const whileFrozen = (work: (pid: number) => Promise<void>) =>
  whileOpen((client) => shareContacts(client, api.workspaceId), work);

/** Works while a transaction of somebody else that began with this is open. */
async function whileOpen(
  begin: (client: pg.PoolClient) => Promise<unknown>,
  work: (pid: number) => Promise<void>,
): Promise<void> {
  const client = await outside.systemPool.connect();
  try {
    await client.query('BEGIN');
    await begin(client);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await work(rows[0]!.pid); // one row
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
const countBehind = async (pid: number) =>
  (await query('SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [pid])).length;

test('what people write does not wait for a group of other events that takes its time', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  templateGate = promise;
  try {
    const slow = write({
      ...{ type: 'template_quality_changed', dedupKey: 'quality', occurredAt: Date.now(), raw: {} },
      ...{ account: '2', address: null, templateId: '1', templateName: 'offer', language: 'en' },
      ...{ previousQuality: null, quality: 'GREEN' },
    });
    await expect.poll(() => gateAskedFor).toBe(true);
    await write(said({ phone: PHONE }, 'At once'));
    expect(await texts()).toEqual(['At once']);
    resolve();
    await slow;
  } finally {
    resolve();
    templateGate = Promise.resolve();
  }
});

describe('a message keeps nobody from freezing an audience, nor waits for it', () => {
  test('from a number that somebody else had before', async () => {
    await add(PHONE);
    await write(changedIdentity({ phone: PHONE }, { newPhone: OTHER, occurredAt: Date.now() - 60_000 }));
    await write(said({ phone: PHONE, name: 'Bob' }, 'first'));
    await whileFrozen(() => write(said({ phone: PHONE }, 'second')));
    await whileFrozen(() => write(said({ phone: OTHER }, 'third')));
    expect(await texts()).toEqual(['first', 'second', 'third']);
    expect(await query('SELECT DISTINCT contact_id FROM messages')).toHaveLength(2);
  });

  test('under the id of one and the number of another who has an id, too', async () => {
    await add(PHONE, 'Ann', 'US.1');
    const bob = await add(OTHER, 'Bob', 'US.2');
    await whileFrozen(() => write(said({ phone: PHONE, userId: 'US.2' }, 'Hi')));
    expect(await query('SELECT contact_id FROM messages')).toEqual([{ contact_id: bob }]);
  });

  test('from a number that is an alias of one and the number of another', async () => {
    const ann = await add(PHONE);
    const bob = await add(OTHER, 'Bob', 'US.2');
    await query(
      `INSERT INTO contact_aliases (workspace_id, identifier, contact_id, merge_id) VALUES ($1, $2, $3, gen_random_uuid())`,
      [api.workspaceId, OTHER, ann],
    );
    await whileFrozen(() => write(said({ phone: OTHER, userId: 'US.2' }, 'Hi')));
    expect(await query('SELECT contact_id FROM messages')).toEqual([{ contact_id: bob }]);
  });
});

test('who has to wait for a freeze waits beside the others, and is answered when it is stored', async () => {
  const ann = await add(PHONE);
  const anna = await add(OTHER, 'Anna');
  await query(`UPDATE contacts SET platform_user_id = 'US.1' WHERE id = $1`, [ann]);
  const answered: string[] = [];
  const changes: Promise<unknown>[] = [];
  await whileFrozen(async (pid) => {
    changes.push(
      write(changedIdentity({ phone: PHONE }, { newPhone: '+14155552673' })).then(() =>
        answered.push('change'),
      ),
      write(said({ phone: OTHER, userId: 'US.1' }, 'of one person')).then(() => answered.push('join')),
    );
    await expect.poll(() => countBehind(pid)).toBeGreaterThan(0);
    await write(said({ phone: '+14155552674' }, 'of a stranger'));
    await write(said({ phone: '+14155552675' }, 'of another workspace'), api.otherWorkspaceId);
    expect([await texts(), answered]).toEqual([['of a stranger'], []]);
    // However many wait, they hold one connection.
    expect(await countBehind(pid)).toBe(1);
  });
  await Promise.all(changes);
  expect(await texts()).toEqual(['of a stranger', 'of one person']);
  expect(await query('SELECT FROM contacts WHERE id = ANY ($1)', [[ann, anna]])).toHaveLength(1);
});

const addNew = (workspaceId: string) => (client: pg.PoolClient) =>
  client.query(
    `INSERT INTO contacts (id, workspace_id, name, phone) VALUES (gen_random_uuid(), $1, 'Bea', $2)`,
    [workspaceId, OTHER],
  );

describe('who writes while somebody', () => {
  const holds: Record<string, (client: pg.PoolClient) => Promise<unknown>> = {
    'imports numbers': (client) => addNew(api.workspaceId)(client),
    'edits many contacts': (client) =>
      editContacts(scopeOn(client, api.workspaceId), {
        ...{ choice: { filter: {} }, addTags: ['new'], removeTags: [] },
      }),
  };
  test.each(Object.entries(holds))('%s waits beside the others', async (_, hold) => {
    await add(PHONE);
    await add('+14155552679');
    if (hold !== holds['imports numbers']) await add(OTHER);
    const answered: string[] = [];
    let first: Promise<unknown> = Promise.resolve();
    await whileOpen(hold, async (pid) => {
      const own = write(said({ phone: OTHER }, 'of a held one')).then(() => answered.push('held'));
      first = own;
      await expect.poll(() => countBehind(pid)).toBe(1);
      await write(chose({ phone: PHONE }, 'stop', Date.now()), api.otherWorkspaceId);
      await write(failed({ phone: OTHER }, null));
      expect([await texts(), answered, await kept()]).toEqual([
        [],
        [],
        [api.workspaceId, api.otherWorkspaceId].toSorted(),
      ]);
    });
    await first;
    await write(said({ phone: OTHER }, 'of one who was held'));
    expect(await texts()).toEqual(['of a held one', 'of one who was held']);
  });

  test('keeps rows gives way to those who wait for rows of others', async () => {
    const workspaces = await addWorkspaces(4);
    const [last, ...held] = workspaces;
    const writing = (one: string) => write(chose({ phone: OTHER }, 'stop', Date.now()), one);
    const changes: Promise<unknown>[] = [];
    await whileOpen(
      async (client) => {
        for (const one of held) await addNew(one)(client);
      },
      async () => {
        await whileOpen(addNew(last!), async (pid) => {
          changes.push(...held.map(writing));
          const own = writing(last!);
          changes.push(own);
          await expect.poll(() => countBehind(pid)).toBe(1);
        });
        await changes.at(-1);
        expect(await kept()).toEqual([last]);
      },
    );
    await Promise.all(changes);
    expect(await kept()).toEqual(workspaces.toSorted());
  });
});

test('workspaces that wait leave the others their connections', async () => {
  const others = await addWorkspaces(12);
  const client = await outside.systemPool.connect();
  const changes: Promise<unknown>[] = [];
  try {
    await client.query('BEGIN');
    for (const id of others) await shareContacts(client, id);
    for (const id of others) changes.push(write(changedIdentity({ phone: PHONE }, { newPhone: OTHER }), id));
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await expect.poll(() => countBehind(rows[0]!.pid)).toBe(2);
    await write(said({ phone: PHONE }, 'Hi'));
    expect(await texts()).toEqual(['Hi']);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  await Promise.all(changes);
});
