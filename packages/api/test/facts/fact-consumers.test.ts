import { openDatabase, type Database } from '@app/database/database';
import { newId } from '@app/database/new-id';
import { createTestDatabase, type TestDatabase } from '@app/database/testing/test-database';
import { systemCaller } from '@app/domain/auth/caller';
import type { NewFact } from '@app/domain/events/fact-catalogue';
import { FACT_DEPTH_LIMIT } from '@app/domain/events/fact-cause';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { consumePage, findDueConsumers } from '../../src/platform/facts/consume-facts.ts';
import type { FactConsumer, PageScope, StoredFact } from '../../src/platform/facts/fact-consumer.ts';
import { adoptCursors, registerConsumers } from '../../src/platform/facts/fact-cursors.ts';
import { keepFactDays } from '../../src/platform/facts/fact-days.ts';
import { openFactLog } from '../../src/platform/facts/fact-log.ts';
import {
  listDeadLettersInAllWorkspaces,
  retryDeadLetter,
  retryDeadLetters,
} from '../../src/platform/facts/dead-letter-facts.ts';
import { openScope, type WorkspaceScope } from '../../src/platform/workspace-scope.ts';

const OURS = newId();
const THEIRS = newId();
const clock = () => new Date();
const logger = { info() {}, warn() {}, error() {} };

let testDatabase: TestDatabase;
let db: Database;
let admin: pg.Client;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  admin = new pg.Client({ connectionString: testDatabase.url });
  await admin.connect();
  db = await openDatabase({ url: testDatabase.url, poolSize: 12 });
  for (const [id, slug] of [
    [OURS, 'ours'],
    [THEIRS, 'theirs'],
  ])
    await query('INSERT INTO workspaces (id, slug, name) VALUES ($1, $2, $2)', [id, slug]);
  await query(
    'CREATE TABLE heard (place bigserial, consumer text, fact_id bigint, subject_id uuid, label text)',
  );
});
afterAll(async () => {
  await admin.end();
  await db.close();
  await testDatabase.drop();
});

const hasDueFacts = async (consumer: FactConsumer) =>
  (await findDueConsumers(db, [consumer], { lately: true })).has(consumer.name);
beforeEach(async () => {
  await query('TRUNCATE events, event_consumers, fact_dead_letters, heard');
});

const query = (text: string, values: unknown[] = []) => db.systemPool.query(text, values);
const parts = () => ({ db, clock, logger });
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const created = (subject: string | null, label: string): NewFact => ({
  type: 'custom_field.created',
  ...{ subject, values: { label } },
});

/** A transaction of a workspace that tells, and may yet be taken back. */
function inScope<Result>(workspaceId: string, work: (scope: WorkspaceScope) => Promise<Result>) {
  const caller = systemCaller('upkeep', workspaceId);
  return db.inSystemWorkspace(workspaceId, (tx, client) =>
    work(openScope({ caller, origin: null, tx, client, clock, afterwards: [] })),
  );
}
const emit = (subject: string | null, label: string, workspaceId = OURS) =>
  inScope(workspaceId, (scope) => scope.emit(created(subject, label)));
/** So many by one transaction, under their numbers. */
const tellAtOnce = (count: number) =>
  inScope(OURS, async (scope) => {
    await scope.emit(created(null, '0'));
    await scope.query(
      `INSERT INTO events (workspace_id, type, version, subject_kind, actor, "values", occurred_at)
       SELECT workspace_id, type, version, subject_kind, actor, jsonb_build_object('label', n::text), occurred_at
         FROM events, generate_series(1, $1::int - 1) AS n`,
      [count],
    );
  });

/** What the end of a process leaves: its connection goes, and with it what was not committed. */
async function die(scope: PageScope): Promise<void> {
  const { rows } = await scope.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await admin.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
  await scope.query('SELECT 1');
}

/** Writes down what it hears, in its transaction. */
async function openConsumer(given: Partial<FactConsumer> = {}): Promise<FactConsumer> {
  const name = `consumer-${newId()}`;
  const consumer: FactConsumer = {
    ...{ name, order: 'subject', types: null, atDepthLimit: 'refuse' },
    handle: (scope, facts) => writeDown(scope, name, facts),
    ...given,
  };
  await registerConsumers(db, [consumer]);
  return consumer;
}

async function writeDown(scope: PageScope, consumer: string, facts: readonly StoredFact[]) {
  await scope.query(
    `INSERT INTO heard (consumer, fact_id, subject_id, label)
     SELECT $1, (fact->>'id')::bigint, (fact->>'subject')::uuid, fact->'values'->>'label'
       FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS told (fact, place) ORDER BY place`,
    [consumer, JSON.stringify(facts)],
  );
}

async function readAll(consumer: FactConsumer): Promise<string> {
  for (;;) {
    const outcome = await consumePage(parts(), consumer);
    if (outcome !== 'more') return outcome;
  }
}
const heardBy = async ({ name }: FactConsumer) =>
  (await query('SELECT label FROM heard WHERE consumer = $1 ORDER BY place', [name])).rows.map(
    ({ label }) => label,
  );

describe('reading', () => {
  longTest(
    'misses and doubles nothing, with writers at once, a long transaction, takers-back and crashes',
    async () => {
      const subjects = Array.from({ length: 5 }, () => newId());
      const outside = new Map<number, number>();
      const crashed = new Set<number>();
      let mayCrash = true;
      const consumer = await openConsumer();
      /** One process: what it hears in a page that does not commit may come again. */
      const openReader = () => {
        let open: number[] = [];
        const reader: FactConsumer = {
          ...consumer,
          async handle(scope, facts) {
            for (const { id } of facts) outside.set(id, (outside.get(id) ?? 0) + 1);
            open.push(...facts.map(({ id }) => id));
            await writeDown(scope, consumer.name, facts);
            if (mayCrash && Math.random() < 0.1) await die(scope);
          },
        };
        return async () => {
          open = [];
          await consumePage(parts(), reader).catch(() => open.forEach((id) => crashed.add(id)));
        };
      };
      let isWriting = true;
      const write = async (): Promise<void> => {
        for (let n = 0; n < 60; n += 1) {
          const which = Math.floor(Math.random() * subjects.length);
          const subject = subjects[which]!; // it is one of them
          const workspaceId = which % 2 === 0 ? OURS : THEIRS;
          await inScope(workspaceId, async (scope) => {
            // Some have a number long before they tell.
            if (Math.random() < 0.3) await scope.query('SELECT pg_current_xact_id()');
            await wait(Math.random() * 8);
            await scope.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [subject]);
            const { rows } = await scope.query<{ n: string }>(`SELECT nextval('heard_place_seq') AS n`);
            await scope.emit(created(subject, rows[0]!.n));
            await wait(Math.random() * 8);
            if (Math.random() < 0.1) throw new Error('taken back');
          }).catch((error: Error) => {
            if (error.message !== 'taken back') throw error;
          });
        }
      };
      const long = inScope(OURS, async (scope) => {
        await scope.emit(created(null, 'long, first'));
        await wait(900);
        await scope.emit(created(null, 'long, last'));
      });
      const read = async (): Promise<void> => {
        const readPage = openReader();
        while (isWriting) {
          await readPage();
          await wait(Math.random() * 5);
        }
      };
      const readers = [read(), read()];
      await Promise.all([long, ...Array.from({ length: 5 }, write)]);
      isWriting = false;
      await Promise.all(readers);
      mayCrash = false;
      expect(await readAll(consumer)).toBe('idle');

      const { rows: committed } = await query('SELECT id::float8 FROM events ORDER BY id');
      const { rows: heard } = await query('SELECT fact_id::float8 AS id FROM heard ORDER BY fact_id');
      expect(committed.length).toBeGreaterThan(200);
      expect(heard).toEqual(committed);
      expect(crashed.size).toBeGreaterThan(0);
      expect(await listDeadLettersInAllWorkspaces(db)).toEqual([]);
      for (const [id, times] of outside) expect(times === 1 || crashed.has(id), String(id)).toBe(true);
      for (const subject of subjects) {
        const { rows } = await query(
          'SELECT label::int AS n FROM heard WHERE subject_id = $1 ORDER BY place',
          [subject],
        );
        const order = rows.map(({ n }) => n);
        expect(order).toEqual(order.toSorted((one: number, other: number) => one - other));
      }
    },
  );

  test('goes page by page up to one snapshot, and after a crash only the open page comes again', async () => {
    const pages: number[] = [];
    let dies = false;
    const consumer: FactConsumer = await openConsumer({
      async handle(scope, facts) {
        pages.push(facts.length);
        await writeDown(scope, consumer.name, facts);
        if (dies) await die(scope);
      },
    });
    await tellAtOnce(1_100);
    expect(await consumePage(parts(), consumer)).toBe('more');
    await emit(null, 'later');
    dies = true;
    await expect(consumePage(parts(), consumer)).rejects.toMatchObject({ code: expect.any(String) });
    dies = false;
    expect(await readAll(consumer)).toBe('idle');
    expect(pages).toEqual([500, 500, 500, 100, 1]);
    expect(await heardBy(consumer)).toEqual([...Array.from({ length: 1_100 }, (_, n) => String(n)), 'later']);
  });

  test('a batch of whole pages ends like any other, and what is told behind it is heard at once', async () => {
    const consumer = await openConsumer();
    await tellAtOnce(1_000);
    for (const label of ['next', 'last']) {
      expect(await consumePage(parts(), consumer)).toBe('more');
      await emit(null, label);
    }
    expect(await hasDueFacts(consumer)).toBe(true);
    expect(await readAll(consumer)).toBe('idle');
    expect((await heardBy(consumer)).slice(-3)).toEqual(['999', 'next', 'last']);
    expect(await hasDueFacts(consumer)).toBe(false);
    await emit(null, 'new');
    expect(await hasDueFacts(consumer)).toBe(true);
  });

  test('catching up waits for what was told behind a batch that another process left open', async () => {
    const consumer = await openConsumer();
    await tellAtOnce(500);
    expect(await consumePage(parts(), consumer)).toBe('more');
    await emit(null, 'next');
    const log = await openFactLog(parts(), [consumer]);
    await log.catchUp();
    expect((await heardBy(consumer)).at(-1)).toBe('next');
    await log.close();
  });

  /** Follows what itself emits. */
  const openLoop = async (at: FactConsumer['atDepthLimit']) => {
    const consumer: FactConsumer = await openConsumer({
      ...{ order: 'none', atDepthLimit: at },
      async handle(page, facts) {
        await writeDown(page, consumer.name, facts);
        await page.query('SELECT pg_current_xact_id()');
        for (const fact of facts)
          await page.causedBy(fact).emit(created(null, `${String(fact.values.label)}+`));
      },
    });
    return consumer;
  };
  const depths = async () =>
    (await query('SELECT depth FROM events ORDER BY id')).rows.map(({ depth }) => depth);

  test('hears what consumers tell themselves, and a loop stops at the limit without an error', async () => {
    const consumer = await openLoop('refuse');
    const warn = vi.fn<(fields: object, message: string) => void>();
    await emit(null, 'a');
    for (let round = 0; round < 20; round += 1)
      while ((await consumePage({ ...parts(), logger: { ...logger, warn } }, consumer)) === 'more');
    const labels = await heardBy(consumer);
    expect(labels.slice(0, 3)).toEqual(['a', 'a+', 'a++']);
    expect(labels).toHaveLength(FACT_DEPTH_LIMIT);
    expect(await depths()).toEqual(Array.from({ length: FACT_DEPTH_LIMIT + 1 }, (_, n) => n));
    expect(warn).toHaveBeenCalledOnce();
    expect(warn.mock.calls[0]![0]).toMatchObject({ consumer: consumer.name, depth: FACT_DEPTH_LIMIT });
    expect(await listDeadLettersInAllWorkspaces(db)).toEqual([]);
  });

  test('emits beyond the limit where a consumer hears it, and what stands beside it in a page keeps its own depth', async () => {
    const consumer = await openLoop('hear');
    await emit(null, 'deep');
    await query('UPDATE events SET depth = 40');
    await emit(null, 'fresh');
    await consumePage(parts(), consumer);
    expect(await depths()).toEqual([40, 0, 41, 1]);
    expect(await listDeadLettersInAllWorkspaces(db)).toEqual([]);
  });

  test('gives each only its own types, its own workspace and what came after it', async () => {
    await emit(null, 'before');
    const consumer = await openConsumer({ types: ['custom_field.deleted'] });
    const everything: FactConsumer = await openConsumer({
      async handle(scope, facts) {
        await writeDown(scope, everything.name, facts);
        const { rows } = await scope.query<{ id: string }>('SELECT DISTINCT workspace_id AS id FROM events');
        expect(rows).toEqual([{ id: scope.workspaceId }]);
      },
    });
    await emit(null, 'one');
    await emit(null, 'two', THEIRS);
    await inScope(OURS, (scope) =>
      scope.emit({ type: 'custom_field.deleted', subject: null, values: { label: 'three' } }),
    );
    for (const one of [consumer, everything]) await readAll(one);
    expect(await heardBy(consumer)).toEqual(['three']);
    expect((await heardBy(everything)).toSorted()).toEqual(['one', 'three', 'two']);
  });
});

describe('looking', () => {
  /** Everything until now was seen, but for what still runs: so many transactions. */
  const markSeen = async () =>
    (
      await query(`UPDATE event_consumers SET seen = pg_current_snapshot()
        RETURNING (SELECT count(*)::int FROM pg_snapshot_xip(seen)) AS running`)
    ).rows[0].running;

  test('for nothing touches a few pages of the database, however much was told, also while a transaction stays open', async () => {
    const consumer = await openConsumer();
    await tellAtOnce(20_000);
    // A snapshot names what runs in any database of the server, and other tests run beside: a moment between them.
    await expect.poll(markSeen, { interval: 5 }).toBe(0);
    await inScope(OURS, async (open) => {
      await open.query('SELECT pg_current_xact_id()');
      await query('ANALYZE events');
      const text = `SELECT * FROM read_due_events('${consumer.name}', NULL, 500, false)`;
      await query(text);
      const { rows } = await query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`);
      const plan = rows[0]['QUERY PLAN'][0].Plan;
      expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(150);
      expect(await hasDueFacts(consumer)).toBe(false);
    });
  });

  test('finds within a minute what a clock that was wrong put into a day long gone', async () => {
    const consumer = await openConsumer();
    await emit(null, 'astray');
    await query(`UPDATE events SET recorded_at = now() - interval '9 days'`);
    expect(await hasDueFacts(consumer)).toBe(false);
    await query(`UPDATE event_consumers SET moved_at = now() - interval '2 minutes'`);
    expect(await hasDueFacts(consumer)).toBe(true);
    expect(await readAll(consumer)).toBe('idle');
    expect(await heardBy(consumer)).toEqual(['astray']);
  });
});

describe('a fact that cannot be handled', () => {
  const [bad, good] = [newId(), newId()];

  async function openPicky(order: FactConsumer['order']) {
    const mood = { refuses: true };
    const consumer: FactConsumer = await openConsumer({
      order,
      async handle(scope, facts) {
        await writeDown(scope, consumer.name, facts);
        if (mood.refuses && facts.some(({ values }) => values.label === 'bad 1'))
          throw new TypeError('for +447700900123');
      },
    });
    return { consumer, mood };
  }
  const tellSome = async () => {
    for (const [subject, label] of [
      [bad, 'bad 1'],
      [good, 'good 1'],
      [bad, 'bad 2'],
      [good, 'good 2'],
    ] as const)
      await emit(subject, label);
  };

  test('is set aside alone, or with what comes later of its subject', async () => {
    const picky = await openPicky('subject');
    const free = await openPicky('none');
    await tellSome();
    for (const { consumer } of [picky, free]) await readAll(consumer);
    expect(await heardBy(picky.consumer)).toEqual(['good 1', 'good 2']);
    expect(await heardBy(free.consumer)).toEqual(['good 1', 'bad 2', 'good 2']);
    await emit(bad, 'bad 3');
    for (const { consumer } of [picky, free]) await readAll(consumer);
    expect(await heardBy(picky.consumer)).toEqual(['good 1', 'good 2']);
    expect(await heardBy(free.consumer)).toEqual(['good 1', 'bad 2', 'good 2', 'bad 3']);
    const kept = await listDeadLettersInAllWorkspaces(db);
    expect(kept.map(({ error, tries }) => [error?.split(' ')[0] ?? null, tries]).toSorted()).toEqual(
      [
        ['TypeError', 1],
        [null, 0],
        [null, 0],
        ['TypeError', 1],
      ].toSorted(),
    );
    expect(JSON.stringify(kept)).not.toContain('4477');
  });

  test('can be tried again, with those that wait for it and in their order', async () => {
    const { consumer, mood } = await openPicky('subject');
    await tellSome();
    await readAll(consumer);
    const [first, second] = await listDeadLettersInAllWorkspaces(db);
    expect(await retryDeadLetter(parts(), consumer, second!.factId)).toBeNull();
    expect(await retryDeadLetter(parts(), consumer, first!.factId)).toBe(0);
    expect((await listDeadLettersInAllWorkspaces(db))[0]?.tries).toBe(2);
    mood.refuses = false;
    expect(await retryDeadLetter(parts(), consumer, first!.factId)).toBe(2);
    expect(await heardBy(consumer)).toEqual(['good 1', 'good 2', 'bad 1', 'bad 2']);
    expect(await listDeadLettersInAllWorkspaces(db)).toEqual([]);
    await emit(bad, 'bad 3');
    await readAll(consumer);
    expect((await heardBy(consumer)).at(-1)).toBe('bad 3');
  });

  test('is tried again with all others of its consumers, in their order; what another consumer set aside stays', async () => {
    const ordered = await openPicky('subject');
    const other = await openPicky('none');
    await tellSome();
    for (const { consumer } of [ordered, other]) await readAll(consumer);
    expect(await retryDeadLetters(parts(), [ordered.consumer])).toEqual({ handled: 0, left: 2 });
    ordered.mood.refuses = false;
    other.mood.refuses = false;
    expect(await retryDeadLetters(parts(), [ordered.consumer], () => true)).toEqual({ handled: 0, left: 2 });
    expect(await retryDeadLetters(parts(), [ordered.consumer])).toEqual({ handled: 2, left: 0 });
    expect(await heardBy(ordered.consumer)).toEqual(['good 1', 'good 2', 'bad 1', 'bad 2']);
    expect((await listDeadLettersInAllWorkspaces(db)).map(({ consumer }) => consumer)).toEqual([
      other.consumer.name,
    ]);
    expect(await retryDeadLetters(parts(), [ordered.consumer, other.consumer])).toEqual({
      handled: 1,
      left: 0,
    });
  });
});

test('a cursor of another cluster is refused, and set anew without losing or repeating what its rows know', async () => {
  const consumer = await openConsumer();
  for (const label of ['handled', 'unhandled']) await emit(null, label);
  await query(
    `UPDATE events SET txid = (CASE "values"->>'label' WHEN 'handled' THEN '9000001' ELSE '9000010' END)::xid8`,
  );
  await query(`UPDATE event_consumers SET seen = '9000005:9000005:', cluster = 'another'`);
  expect(await consumePage(parts(), consumer)).toBe('foreign');
  expect(await heardBy(consumer)).toEqual([]);
  expect(await adoptCursors(db)).toBe(true);
  expect(await adoptCursors(db)).toBe(false);
  await emit(null, 'new');
  await readAll(consumer);
  expect(await heardBy(consumer)).toEqual(['unhandled', 'new']);
});

test('a day goes after a month, and not before its last reader has left it', async () => {
  const consumer = await openConsumer();
  await query('CREATE TABLE events_20260101 (LIKE events INCLUDING DEFAULTS)');
  await query(`SELECT guard_workspace('events_20260101')`);
  await query(
    `ALTER TABLE events ATTACH PARTITION events_20260101 FOR VALUES FROM ('2026-01-01 00:00Z') TO ('2026-01-02 00:00Z')`,
  );
  await emit(null, 'old');
  await query(`UPDATE events SET recorded_at = '2026-01-01 12:00Z'`);
  const isThere = async () =>
    (await query(`SELECT to_regclass('events_20260101') IS NOT NULL AS there`)).rows[0].there;
  await keepFactDays(db);
  expect(await isThere()).toBe(true);
  await readAll(consumer);
  expect(await heardBy(consumer)).toEqual(['old']);
  await keepFactDays(db);
  expect(await isThere()).toBe(false);
  const { rows } = await query(
    `SELECT count(*)::int AS n FROM pg_inherits WHERE inhparent = 'events'::regclass`,
  );
  expect(rows[0].n).toBeGreaterThan(7);
});
