import { randomUUID } from 'node:crypto';
import { createDeliveryEngine } from '@app/delivery/engine/engine';
import { startRun } from '@app/delivery/start-run';
import { newId } from '@app/database/new-id';
import { actorCaller } from '@app/domain/auth/caller';
import type { FactType, NewFact } from '@app/domain/events/fact-catalogue';
import { FACT_DEPTH_LIMIT } from '@app/domain/events/fact-cause';
import type { SendResult } from '@app/domain/messaging/channel-port';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { z } from 'zod';
import { contactEdit } from '../../src/contacts/edit-operation.ts';
import { sendMessage } from '../../src/conversations/sending/send-message.ts';
import { openFactLog } from '../../src/platform/facts/fact-log.ts';
import type { FactConsumer, StoredFact } from '../../src/platform/facts/fact-consumer.ts';
import { tellAsDelivery } from '../../src/platform/facts/tell-delivery.ts';
import { defineJob } from '../../src/platform/jobs/define-job.ts';
import { enqueueOperation, operationJob } from '../../src/platform/operations/operation-job.ts';
import { beginOperation } from '../../src/platform/operations/operation-rows.ts';
import { changeInNameOf } from '../../src/platform/system-work.ts';
import type { WorkspaceScope } from '../../src/platform/workspace-scope.ts';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';
import { openQueue, rules } from '../jobs/job-fixture.ts';

let api: ApiFixture;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  api = await openApiFixture({}, { isWorking: false });
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => api.close());

const query = async (text: string, values: unknown[] = []) =>
  (await api.db.systemPool.query(text, values)).rows;
const flow = () => actorCaller('automation', { id: newId(), name: 'Welcome', workspaceId: api.workspaceId });
const inFlow = <Result>(work: (scope: WorkspaceScope) => Promise<Result>) =>
  changeInNameOf(api.parts, flow(), work);

/** Does the same again whenever it hears of it, and so without end. */
async function openLoop(
  types: readonly FactType[],
  again: (scope: WorkspaceScope, fact: StoredFact) => Promise<unknown>,
  jobs = api.parts.jobs,
) {
  const refused: object[] = [];
  const consumer: FactConsumer = {
    ...{ name: `loop-${newId()}`, order: 'none', atDepthLimit: 'refuse', types },
    async handle(page, facts) {
      for (const fact of facts) await again(page.causedBy(fact), fact);
    },
  };
  const logger = { ...api.parts.logger, warn: (fields: object) => void refused.push(fields) };
  const log = await openFactLog({ db: api.db, clock: api.parts.clock, logger, jobs }, [consumer]);
  closing.push(() => log.close());
  return {
    /** The depths of all facts of the loop, once it has stopped by itself. */
    async ended(subject?: string): Promise<number[]> {
      await expect.poll(() => (log.wake(), refused), { interval: 20 }).not.toEqual([]);
      expect(refused).toMatchObject([{ consumer: consumer.name, depth: FACT_DEPTH_LIMIT }]);
      const rows = await query(
        'SELECT depth, cause FROM events WHERE type = ANY ($1) AND ($2::uuid IS NULL OR subject_id = $2) ORDER BY id',
        [types, subject ?? null],
      );
      for (const { depth, cause } of rows) expect(cause === null).toBe(depth === 0);
      return rows.map(({ depth }) => depth);
    },
  };
}
const WHOLE = Array.from({ length: FACT_DEPTH_LIMIT + 1 }, (_, depth) => depth);

test.each([
  ['upkeep', 'custom_field.created', 'system'],
  ['caller', 'segment.created', 'automation'],
] as const)('a loop through jobs in the name of %s stops', async (as, type, actor) => {
  const name = `loop-of-${as}`;
  const job = defineJob({
    ...{ ...rules, name, as, payload: z.strictObject({ n: z.int() }) },
    run: (parts, { payload }) =>
      parts.change((scope) =>
        scope.emit({
          ...{ type, subject: null },
          values: type === 'segment.created' ? { name: String(payload.n) } : { label: String(payload.n) },
        } as NewFact),
      ),
  });
  const queue = await openQueue(api, [job]);
  closing.push(() => queue.stop());
  const loop = await openLoop(
    [type],
    (scope, { id }) => queue.enqueue(scope, job, String(id), { n: id }),
    queue,
  );
  await inFlow((scope) => queue.enqueue(scope, job, 'first', { n: 0 }));
  expect(await loop.ended()).toEqual(WHOLE);
  const [first] = await query('SELECT actor FROM events WHERE type = $1 ORDER BY id LIMIT 1', [type]);
  expect(first.actor.kind).toBe(actor);
});

/** The engine as the host runs it, with a platform that answers always the same. */
async function openEngine(answer: () => SendResult) {
  const engine = createDeliveryEngine({
    systemPool: api.db.systemPool,
    channelFor: async () => ({ channel: { send: async () => answer() }, messagesPerSecond: null }),
    publish: () => undefined,
    emit: tellAsDelivery(api.parts),
    logger: { info() {}, warn() {}, error() {} },
    ...{ ownerId: randomUUID(), pollMs: 100 },
  });
  await engine.start();
  closing.push(() => engine.stop(500));
}

let channelId: string | undefined;
let phones = 2_000;
async function addConversation(): Promise<{ contactId: string; conversationId: string; channelId: string }> {
  channelId ??= await api.addChannel();
  const [contactId, conversationId] = [newId(), newId()];
  await query(`INSERT INTO contacts (id, workspace_id, name, phone) VALUES ($1, $2, 'Ann', $3)`, [
    ...[contactId, api.workspaceId],
    `+1415555${(phones += 1)}`,
  ]);
  await query(
    `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, window_ends_at)
     VALUES ($1, $2, $3, $4, now(), now() + interval '5 hours')`,
    [conversationId, api.workspaceId, contactId, channelId],
  );
  return { contactId, conversationId, channelId };
}

test.each<[FactType, () => SendResult]>([
  ['message.sent', () => ({ outcome: 'accepted', providerMessageId: `wamid.${newId()}` })],
  [
    'message.failed',
    () => ({
      outcome: 'refused',
      error: { code: '131026', title: '', details: '' },
      action: { kind: 'fail' },
    }),
  ],
])('a loop through single messages stops: %s', async (type, answer) => {
  const { conversationId } = await addConversation();
  await openEngine(answer);
  const send = (scope: WorkspaceScope, key: string) =>
    sendMessage(scope, api.parts, {
      ...{ to: { conversationId }, message: { text: key } },
      ...{ purpose: 'automation', key },
    });
  const loop = await openLoop([type], async (scope, { id }) => {
    // A failure counts the window anew from what they wrote, and here they wrote nothing.
    await scope.query(
      `UPDATE conversations SET window_ends_at = now() + interval '5 hours' WHERE workspace_id = $1 AND id = $2`,
      [scope.workspaceId, conversationId],
    );
    expect(await send(scope, `loop/${id}`)).toMatchObject({ outcome: 'accepted' });
  });
  await inFlow((scope) => send(scope, `first/${type}`));
  expect(await loop.ended()).toEqual(WHOLE);
});

longTest('a loop through campaigns that start each other stops', async () => {
  const { contactId, channelId } = await addConversation();
  await openEngine(() => ({ outcome: 'accepted', providerMessageId: `wamid.${newId()}` }));
  const start = async (scope: WorkspaceScope) => {
    const campaignId = newId();
    await startRun(scope, {
      ...{ workspaceId: api.workspaceId, channelId, campaignId, cause: scope.cause },
      ...{ audience: { contactIds: [contactId] }, category: 'utility' },
      message: { content: { type: 'text', body: 'Hello' }, variables: {}, businessName: 'Shop' },
    });
  };
  const loop = await openLoop(['campaign.completed'], start);
  await inFlow(start);
  expect(await loop.ended()).toEqual(WHOLE);
});

longTest(
  'a loop through long operations stops, whose facts are those of the flow that began them',
  async () => {
    const { contactId } = await addConversation();
    const queue = await openQueue(api, [operationJob(contactEdit)]);
    closing.push(() => queue.stop());
    const begin = async (scope: WorkspaceScope, tag: string) => {
      const id = newId();
      await beginOperation(
        scope,
        { ...api.parts, origin: null },
        {
          ...{ id, kind: contactEdit.name, total: 1 },
          wish: { choice: { contactIds: [contactId] }, edit: { addTags: [tag], removeTags: [] } },
        },
      );
      await enqueueOperation({ jobs: queue }, scope, contactEdit.name, id);
    };
    const loop = await openLoop(['long_act.ended'], (scope, { id }) => begin(scope, `tag ${id}`), queue);
    await inFlow((scope) => begin(scope, 'first'));
    expect(await loop.ended()).toEqual(WHOLE);
    const edited = await query(`SELECT actor, depth FROM events WHERE type = 'contacts.edited' ORDER BY id`);
    expect(edited[0]).toMatchObject({ actor: { kind: 'automation', name: 'Welcome' }, depth: 0 });
    expect(edited.map(({ depth }) => depth)).toEqual(WHOLE);
  },
);
