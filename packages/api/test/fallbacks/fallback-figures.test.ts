import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '@app/database/new-id';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';
import { finishRun, startCampaign } from '../campaigns/campaign-scenes.ts';
import { countLockWaits } from '../lock-waits.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture({}, { isWorking: false });
  await api.addChannel();
});
afterAll(() => api.close());

type Figures = { counts: { failed: number; delivered: number }; fallbackCounts: Record<string, number> };

it('the figures of an answer are of one moment, whatever changes while they are read', async () => {
  const pool = api.db.systemPool;
  const contactIds = Array.from({ length: 4 }, () => newId());
  await pool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at)
     SELECT id, $1, 'Person', '+4477009' || 10000 + n, now() + interval '9 hours' FROM unnest($2::uuid[]) WITH ORDINALITY AS p (id, n)`,
    [api.workspaceId, contactIds],
  );
  const admin = await api.as('admin');
  const { id } = await startCampaign(admin, { audience: { contactIds } });
  await finishRun(api, id);
  const second = { channelId: newId(), templateId: newId(), variables: {}, afterSeconds: 10 };
  await pool.query('UPDATE campaigns SET fallback = $2 WHERE id = $1', [id, second]);

  const client = await pool.connect();
  let reading: Promise<Figures>;
  try {
    // The request has read the campaign when it comes to the fallbacks, and waits for them.
    await client.query('BEGIN; LOCK TABLE campaign_fallbacks IN ACCESS EXCLUSIVE MODE');
    reading = admin.get(`/api/campaigns/${id}`).then((answer) => answer.json<Figures>());
    await expect.poll(() => countLockWaits(client, 'campaign_fallbacks')).toBe(1);
    const run = `(SELECT run_no FROM delivery_runs WHERE campaign_id = '${id}')`;
    await client.query(
      `UPDATE delivery_recipients SET delivered_at = NULL, failed_at = now() WHERE run_no = ${run}`,
    );
    await client.query(`UPDATE delivery_runs SET delivered = 0, failed = 3 WHERE run_no = ${run}`);
    await client.query(
      `INSERT INTO campaign_fallbacks (run_no, seq, workspace_id, campaign_id, state, due_at, updated_at)
       SELECT run_no, seq, workspace_id, $1, 'left_out', now(), now() FROM delivery_recipients WHERE run_no = ${run}`,
      [id],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  expect(await reading).toMatchObject({
    counts: { delivered: 2, failed: 2 },
    fallbackCounts: { waiting: 2, leftOut: 0 },
  });
  expect(await (await admin.get(`/api/campaigns/${id}`)).json()).toMatchObject({
    counts: { delivered: 0, failed: 4 },
    fallbackCounts: { waiting: 0, leftOut: 4 },
  });
});
