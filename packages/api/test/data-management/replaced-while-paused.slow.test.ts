import { newId } from '@app/database/new-id';
import { createDeliveryEngine } from '@app/delivery/engine/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDueCampaigns } from '../../src/campaigns/start-due-campaigns.ts';
import { dataReplacement } from '../../src/data-management/import-operation.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { startCampaign } from '../campaigns/campaign-scenes.ts';
import { createMemoryMediaStore } from '../memory-media-store.ts';
import { openArchiveImports } from './archive-imports-fixture.ts';

let api: ApiFixture;
let admin: ApiCaller;
let here: ReturnType<typeof openArchiveImports>;
const FILE = {
  version: '1.0',
  ...{ settings: {}, templates: [], campaigns: [] },
  contacts: [{ name: 'Ann', phone: '+447700900009' }],
};
const contactIds = [newId(), newId()].toSorted();
beforeAll(async () => {
  api = await openApiFixture({ mediaStore: createMemoryMediaStore() }, { isWorking: false });
  admin = await api.as('admin');
  here = openArchiveImports(api, admin, api.workspaceId);
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at)
     SELECT id, $1, 'Person ' || n, '+44770090000' || n, now() + interval '9 hours' FROM unnest($2::uuid[]) WITH ORDINALITY AS p (id, n)`,
    [api.workspaceId, contactIds],
  );
  await api.addChannel();
});
afterAll(() => api.close());

const query = async (text: string, values: unknown[] = []) =>
  (await api.db.systemPool.query(text, values)).rows;

/** Senders as a server runs them; `looks` counts how often they looked for runs whose time has come. */
async function openEngine() {
  const sent: string[] = [];
  const counted = { looks: 0 };
  const systemPool = new Proxy(api.db.systemPool, {
    get(pool, name) {
      const value: unknown = Reflect.get(pool, name);
      if (typeof value !== 'function') return value;
      if (name !== 'query') return value.bind(pool);
      return (...given: unknown[]) => {
        if (String(given[0]).includes('resume_at <=')) counted.looks += 1;
        return value.apply(pool, given);
      };
    },
  });
  const engine = createDeliveryEngine({
    ...{ systemPool, ownerId: newId(), pollMs: 20, logger: { info() {}, warn() {}, error() {} } },
    channelFor: async () => ({
      messagesPerSecond: null,
      channel: {
        async send({ to }) {
          sent.push(to);
          return { outcome: 'accepted', providerMessageId: newId() };
        },
      },
    }),
    publish: () => undefined,
    emit: async () => undefined,
  });
  await engine.start();
  return { sent, counted, engine };
}

test('what is paused while it is written down stays so: who resumes or starts finds it gone, and nobody is sent to twice', async () => {
  const audience = { contactIds };
  const { id: paused } = await startCampaign(admin, { audience });
  await query(`UPDATE delivery_runs SET state = 'paused', pause_reason = 'quiet_hours', hold_until = NULL`);
  const { id: due } = await (
    await admin.post('/api/campaigns', { name: 'Due', message: { customMessage: 'Hi' }, audience })
  ).json<{ id: string }>();
  await query(`UPDATE campaigns SET status = 'scheduled', scheduled_at = now() WHERE id = $1`, [due]);
  const { sent, counted, engine } = await openEngine();
  try {
    const waiting = { resumed: Promise.resolve(0), started: Promise.resolve() };
    const takeArchive: ApiFixture['parts']['takeArchive'] = async (options) => {
      await query(`UPDATE delivery_runs SET resume_at = now() - interval '1 minute'`);
      waiting.resumed = admin.post(`/api/campaigns/${paused}/resume`).then(({ status }) => status);
      waiting.started = startDueCampaigns(api.parts);
      const { looks } = counted;
      // The second look is behind whatever the first one found.
      await expect.poll(() => counted.looks).toBeGreaterThan(looks + 1);
      await expect
        .poll(() =>
          query(`SELECT FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity
                            WHERE datname = current_database())`),
        )
        .toHaveLength(2);
      return api.parts.takeArchive(options);
    };
    const id = newId();
    const { name } = await (await admin.get('/api/data')).json<{ name: string }>();
    const answer = await admin.request(
      `/api/data/replacements?importId=${id}&fileName=backup.json&name=${encodeURIComponent(name)}`,
      {
        method: 'POST',
        body: JSON.stringify(FILE),
        headers: { 'content-type': 'application/json' },
      },
    );
    expect(answer.status).toBe(202);
    expect(await here.work(dataReplacement, id, { takeArchive })).toMatchObject({ state: 'done' });
    expect(await waiting.resumed).toBe(404);
    await waiting.started;
    expect(await query('SELECT FROM delivery_runs')).toEqual([]);

    expect(await here.undo(id)).toMatchObject({ state: 'done' });
    expect(await query('SELECT state, pause_reason FROM delivery_runs')).toEqual([
      { state: 'paused', pause_reason: 'restored' },
    ]);
    expect(sent).toEqual([]);
    await admin.post(`/api/campaigns/${paused}/resume`);
    await expect.poll(() => query('SELECT FROM delivery_runs WHERE completed_at IS NULL')).toEqual([]);
    expect(sent.toSorted()).toEqual(['+447700900001', '+447700900002']);
  } finally {
    await engine.stop();
  }
});
