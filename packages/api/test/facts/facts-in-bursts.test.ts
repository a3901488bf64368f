import { newId } from '@app/database/new-id';
import { systemCaller } from '@app/domain/auth/caller';
import type { FactType } from '@app/domain/events/fact-catalogue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consumePage, findDueConsumers } from '../../src/platform/facts/consume-facts.ts';
import type { FactConsumer } from '../../src/platform/facts/fact-consumer.ts';
import { registerConsumers } from '../../src/platform/facts/fact-cursors.ts';
import { liveFromFacts } from '../../src/platform/facts/live-from-facts.ts';
import { openScope, type WorkspaceScope } from '../../src/platform/workspace-scope.ts';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture({}, { isWorking: false });
});
afterAll(() => api.close());

const hasDueFacts = async (consumer: FactConsumer) =>
  (await findDueConsumers(api.db, [consumer], { lately: true })).has(consumer.name);

const clock = () => new Date();
const parts = () => ({ db: api.db, clock, logger: { info() {}, warn() {}, error() {} } });
const inScope = (work: (scope: WorkspaceScope) => Promise<unknown>) =>
  api.db.inSystemWorkspace(api.workspaceId, (tx, client) =>
    work(
      openScope({
        ...{ caller: systemCaller('upkeep', api.workspaceId), origin: null, tx, client, clock },
        afterwards: [],
      }),
    ),
  );
const emitContacts = (count: number) =>
  inScope((scope) =>
    scope.emitMany(
      Array.from({ length: count }, () => ({
        ...{ type: 'contact.created' as const, subject: newId(), values: { name: 'Ana' } },
      })),
    ),
  );

async function openConsumer(types: readonly FactType[]) {
  const heard: string[] = [];
  const consumer: FactConsumer = {
    ...{ name: `burst-${newId()}`, order: 'none', atDepthLimit: 'hear', types },
    async handle(_page, facts) {
      heard.push(...facts.map(({ type }) => type));
    },
  };
  await registerConsumers(api.db, [consumer]);
  return { consumer, heard };
}
const cursorOf = async ({ name }: FactConsumer) =>
  (await api.db.systemPool.query('SELECT seen::text FROM event_consumers WHERE name = $1', [name])).rows[0]
    .seen as string;

test('a consumer goes past many facts that it does not want once, and past a few not before a minute', async () => {
  const { consumer, heard } = await openConsumer(['custom_field.deleted']);
  const first = await cursorOf(consumer);
  await emitContacts(20);
  expect(await hasDueFacts(consumer)).toBe(false);
  expect(await consumePage(parts(), consumer)).toBe('idle');
  expect(await cursorOf(consumer)).toBe(first);
  await emitContacts(700);
  expect(await hasDueFacts(consumer)).toBe(true);
  expect(await consumePage(parts(), consumer)).toBe('idle');
  expect(await cursorOf(consumer)).not.toBe(first);
  expect(await hasDueFacts(consumer)).toBe(false);
  // One that it wants, behind many that it does not want.
  await emitContacts(700);
  await inScope((scope) =>
    scope.emit({ type: 'custom_field.deleted', subject: null, values: { label: 'one' } }),
  );
  expect(await hasDueFacts(consumer)).toBe(true);
  while ((await consumePage(parts(), consumer)) === 'more');
  expect(heard).toEqual(['custom_field.deleted']);
  expect(await hasDueFacts(consumer)).toBe(false);
});

test('facts of a transaction that was open when a burst was passed are heard when it commits', async () => {
  const { consumer, heard } = await openConsumer(['custom_field.deleted']);
  await inScope(async (open) => {
    await open.emit({ type: 'custom_field.deleted', subject: null, values: { label: 'late' } });
    await emitContacts(700);
    expect(await consumePage(parts(), consumer)).toBe('idle');
    expect(heard).toEqual([]);
  });
  while ((await consumePage(parts(), consumer)) === 'more');
  expect(heard).toEqual(['custom_field.deleted']);
});

test('browsers hear of many new contacts by one event, and of a few by name', async () => {
  await registerConsumers(api.db, [liveFromFacts]);
  const stored = async () => {
    // The product reads for this consumer, too: what it has taken is stored when nothing is left.
    while ((await consumePage(parts(), liveFromFacts)) !== 'idle');
    const { rows } = await api.db.systemPool.query(
      `SELECT payload ? 'contactId' AS "isNamed", count(*)::int AS n FROM live_events WHERE workspace_id = $1 AND topic = 'contacts' GROUP BY 1`,
      [api.workspaceId],
    );
    await api.db.systemPool.query('DELETE FROM live_events');
    return rows;
  };
  await stored();
  await emitContacts(3);
  expect(await stored()).toEqual([{ isNamed: true, n: 3 }]);
  await emitContacts(200);
  expect(await stored()).toEqual([{ isNamed: false, n: 1 }]);
});
