import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '@app/database/new-id';
import { runRound } from '../../src/fallbacks/fallback-worker.ts';
import { finishRun, startCampaign } from '../campaigns/campaign-scenes.ts';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  // The rounds are those of the tests: a worker beside them would meet what they have half written.
  api = await openApiFixture({}, { isWorking: false });
  await api.addChannel();
});
afterAll(() => api.close());

/** A campaign with a fallback that ended so long ago; of its four messages the last one has an unknown result. */
async function endCampaign(hoursAgo: number): Promise<string> {
  const contactIds = Array.from({ length: 4 }, () => newId());
  const pool = api.db.systemPool;
  await pool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at)
     SELECT id, $1, 'Person', '+4477009' || $3::int + n, now() + interval '9 hours' FROM unnest($2::uuid[]) WITH ORDINALITY AS p (id, n)`,
    [api.workspaceId, contactIds, hoursAgo * 10 + 10_000],
  );
  const { id } = await startCampaign(await api.as('admin'), { audience: { contactIds } });
  await finishRun(api, id);
  const run = `(SELECT run_no FROM delivery_runs WHERE campaign_id = '${id}')`;
  await pool.query(
    `UPDATE delivery_recipients SET state = CASE seq WHEN 3 THEN 5 ELSE 2 END, failed_at = NULL, error_code = NULL,
       delivered_at = CASE WHEN seq < 3 THEN now() END WHERE run_no = ${run}`,
  );
  await pool.query(
    `UPDATE delivery_runs SET accepted = 3, refused = 0, unknown = 1, failed = 0, delivered = 3,
       completed_at = now() - make_interval(hours => $1) WHERE run_no = ${run}`,
    [hoursAgo],
  );
  await pool.query('UPDATE campaigns SET fallback = $2 WHERE id = $1', [
    id,
    { channelId: newId(), templateId: newId(), variables: {}, afterSeconds: 10 },
  ]);
  return id;
}

const round = () => runRound(api.parts, { settleMs: 3_600_000, silentMs: 1_000 });
async function read(id: string) {
  const { rows } = await api.db.systemPool.query<{ isDone: boolean; states: string[] }>(
    `SELECT fallback_done_at IS NOT NULL AS "isDone",
            ARRAY(SELECT state FROM campaign_fallbacks f WHERE f.campaign_id = c.id) AS states FROM campaigns c WHERE id = $1`,
    [id],
  );
  return rows[0];
}

it('an unknown result that a late report turns into a failure is followed by the second message', async () => {
  const id = await endCampaign(2);
  await round();
  expect(await read(id)).toEqual({ isDone: false, states: [] });
  const run = `(SELECT run_no FROM delivery_runs WHERE campaign_id = '${id}')`;
  await api.db.systemPool.query(
    `UPDATE delivery_recipients SET state = 2, failed_at = now() WHERE state = 5 AND run_no = ${run}`,
  );
  await api.db.systemPool.query(`UPDATE delivery_runs SET unknown = 0, accepted = 4 WHERE run_no = ${run}`);
  const hears = async () => {
    const { rows } = await api.db.systemPool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM live_events WHERE topic = 'campaigns' AND payload = jsonb_build_object('campaignId', $1::text)`,
      [id],
    );
    return rows[0]?.n ?? 0;
  };
  const before = await hears();
  await round();
  expect(await read(id)).toEqual({ isDone: false, states: ['ready'] });
  // Open pages show it at once.
  expect(await hears()).toBeGreaterThan(before);
  await round();
  expect(await read(id)).toEqual({ isDone: true, states: ['ready'] });
});

it('after the days in which a platform repeats its reports nobody is looked for any more', async () => {
  const id = await endCampaign(7 * 24 + 1);
  await round();
  expect(await read(id)).toEqual({ isDone: true, states: [] });
});

it('a late report that an expired message did not arrive ends what was unknown, and nothing is left to withdraw', async () => {
  const id = await endCampaign(3);
  const run = `(SELECT run_no FROM delivery_runs WHERE campaign_id = '${id}')`;
  const pool = api.db.systemPool;
  await pool.query(`UPDATE delivery_recipients SET state = 2, delivered_at = now() WHERE run_no = ${run}`);
  await pool.query(`UPDATE delivery_runs SET unknown = 0, accepted = 4, delivered = 4 WHERE run_no = ${run}`);
  // One could not be withdrawn, one is about to be, and of one it is known meanwhile that it arrived.
  await pool.query(
    `INSERT INTO campaign_fallbacks (run_no, seq, workspace_id, campaign_id, state, code, due_at, updated_at)
     SELECT r.run_no, r.seq, r.workspace_id, $1, CASE r.seq WHEN 1 THEN 'revoking' ELSE 'unknown' END, CASE r.seq WHEN 1 THEN NULL ELSE 'not_withdrawn' END,
            now() - interval '1 second', now() FROM delivery_recipients r WHERE r.run_no = ${run} AND r.seq < 3`,
    [id],
  );
  await pool.query(
    `UPDATE delivery_recipients SET failed_at = now(), delivered_at = NULL WHERE seq < 2 AND run_no = ${run}`,
  );
  await round();
  const states = async () => {
    const { rows } = await pool.query<{ state: string }>(
      'SELECT state FROM campaign_fallbacks WHERE campaign_id = $1 ORDER BY seq',
      [id],
    );
    return rows.map(({ state }) => state);
  };
  expect(await states()).toEqual(['ready', 'ready', 'unknown']);
});

it('a campaign that cannot be looked at keeps no other from its fallback', async () => {
  const pool = api.db.systemPool;
  const bad = await endCampaign(15);
  await pool.query(`UPDATE campaigns SET fallback = fallback || '{"afterSeconds": "soon"}' WHERE id = $1`, [
    bad,
  ]);
  const good = await endCampaign(16);
  await pool.query(
    `UPDATE delivery_recipients SET delivered_at = NULL, failed_at = now() WHERE seq = 0 AND run_no = (SELECT run_no FROM delivery_runs WHERE campaign_id = $1)`,
    [good],
  );
  await round();
  expect(await read(good)).toEqual({ isDone: false, states: ['ready'] });
  expect(await read(bad)).toEqual({ isDone: false, states: [] });
});
