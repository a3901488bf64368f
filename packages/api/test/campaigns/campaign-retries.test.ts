import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { recipientState } from '@app/domain/delivery/recipient-state';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { finishRun, startCampaign, type CampaignDetails } from './campaign-scenes.ts';

type Refusal = { error: { code: string } };
type Check = {
  chosen: number;
  receiving: number;
  blocked: number;
  estimatedCost: number;
  runningId: string | null;
};

let api: ApiFixture;
let admin: ApiCaller;
const contactIds = Array.from({ length: 4 }, () => newId());

beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  await api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at)
     SELECT id, $1, 'Person ' || n, '+447700912' || lpad(n::text, 3, '0'), now() + interval '9 hours'
       FROM unnest($2::uuid[]) WITH ORDINALITY AS p (id, n)`,
    [api.workspaceId, contactIds],
  );
  await api.addChannel();
});
afterAll(() => api.close());

const start = () => startCampaign(admin, { audience: { contactIds } });

describe('retry of the failed', () => {
  it('starts one campaign for exactly those whose message failed, however often it is asked for', async () => {
    const { id } = await start();
    const early = await admin.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-early-1');
    expect([early.status, (await early.json<Refusal>()).error.code]).toEqual([409, 'campaign_act_refused']);
    await finishRun(api, id);
    const answers = await Promise.all(
      [1, 2].map(() => admin.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-key-1')),
    );
    const retries = await Promise.all(answers.map((each) => each.json<CampaignDetails>()));
    expect(retries.map((retry) => retry.id)).toEqual([retries[0]?.id, retries[0]?.id]);
    expect(retries[0]).toMatchObject({ name: 'Spring (retry)', status: 'running', audienceSize: 2 });
    expect(retries[0]?.counts.total).toBe(2);
    const first = await (await admin.get(`/api/campaigns/${id}`)).json<CampaignDetails>();
    expect(first.status).toBe('completed');
  });

  it('writes to nobody twice when a second person asks for it, during the first retry or after it', async () => {
    const { id } = await start();
    await finishRun(api, id);
    const manager = await api.as('manager');
    const first = await (
      await admin.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-twice-1')
    ).json<CampaignDetails>();
    const during = await manager.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-twice-2');
    expect([during.status, (await during.json<Refusal>()).error.code]).toEqual([
      409,
      'campaign_retry_running',
    ]);
    // One of the two never left there: the retry was cancelled before.
    await api.db.systemPool.query(
      `UPDATE delivery_recipients SET state = CASE seq WHEN 0 THEN $2::smallint ELSE $3::smallint END
        WHERE run_no = (SELECT run_no FROM delivery_runs WHERE campaign_id = $1)`,
      [first.id, recipientState.accepted, recipientState.cancelled],
    );
    await api.db.systemPool.query(
      `UPDATE delivery_runs SET state = 'cancelled', completed_at = now() WHERE campaign_id = $1`,
      [first.id],
    );
    const after = await manager.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-twice-3');
    const second = await after.json<CampaignDetails>();
    expect([after.status, second.audienceSize, second.counts.total]).toEqual([200, 1, 1]);
    await api.db.systemPool.query(
      `UPDATE delivery_recipients SET state = $2 WHERE run_no = (SELECT run_no FROM delivery_runs WHERE campaign_id = $1)`,
      [second.id, recipientState.accepted],
    );
    await api.db.systemPool.query(
      `UPDATE delivery_runs SET state = 'completed', completed_at = now() WHERE campaign_id = $1`,
      [second.id],
    );
    const third = await manager.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-twice-4');
    expect([third.status, (await third.json<Refusal>()).error.code]).toEqual([
      422,
      'campaign_audience_empty',
    ]);
  });

  it('refuses when nobody failed, and hides campaigns of others', async () => {
    const { id } = await start();
    await api.db.systemPool.query(
      `UPDATE delivery_runs SET state = 'completed', completed_at = now() WHERE campaign_id = $1`,
      [id],
    );
    const nobody = await admin.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-key-2');
    expect([nobody.status, (await nobody.json<Refusal>()).error.code]).toEqual([
      422,
      'campaign_audience_empty',
    ]);
    const other = await api.asOther();
    const foreign = await other.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-key-3');
    expect(foreign.status).toBe(404);
  });
});

describe('whoever may have the message gets it from no retry', () => {
  const phone = (n: number) => `+4477009130${String(n).padStart(2, '0')}`;
  let next = 0;
  const addTwo = async () => {
    const ids = [newId(), newId()];
    await api.db.systemPool.query(
      `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at)
       SELECT id, $1, phone, phone, now() + interval '9 hours' FROM unnest($2::uuid[], $3::text[]) AS p (id, phone)`,
      [api.workspaceId, ids, [phone((next += 1)), phone((next += 1))]],
    );
    return ids as [string, string];
  };
  /** Ends the campaign with the first one failed and the second one in this state. */
  const end = async (campaignId: string, failedId: string, state: number) => {
    await api.db.systemPool.query(
      `UPDATE delivery_recipients SET state = CASE contact_id WHEN $2 THEN ${recipientState.refused}::smallint ELSE $3::smallint END
        WHERE run_no = (SELECT run_no FROM delivery_runs WHERE campaign_id = $1)`,
      [campaignId, failedId, state],
    );
    await api.db.systemPool.query(
      `UPDATE delivery_runs SET state = 'completed', completed_at = now() WHERE campaign_id = $1`,
      [campaignId],
    );
  };
  const merge = async (survivorId: string, goneId: string, phoneOf: string) => {
    const contacts = await Promise.all(
      [survivorId, goneId].map(async (id) => {
        const { version } = await (await admin.get(`/api/contacts/${id}`)).json<{ version: number }>();
        return { contactId: id, version };
      }),
    );
    const mergeId = newId();
    const merged = await admin.post('/api/contacts/merges', {
      ...{ mergeId, survivorId, contacts, picks: { phone: phoneOf } },
    });
    expect(merged.status).toBe(200);
  };
  const retry = async (id: string) => {
    const response = await admin.post(`/api/campaigns/${id}/retry-failed`);
    return { response, ...(await response.json<{ id: string; error?: { code: string } }>()) };
  };

  longTest.each([
    ['accepted', recipientState.accepted],
    ['in flight', recipientState.sending],
    ['unknown', recipientState.unknown],
  ])('after a merge of one whose message failed into one whose message is %s', async (_, state) => {
    const [failedId, reachedId] = await addTwo();
    const { id } = await startCampaign(admin, { audience: { contactIds: [failedId, reachedId] } });
    await end(id, failedId, state);
    await merge(reachedId, failedId, reachedId);
    expect((await retry(id)).error?.code).toBe('campaign_audience_empty');
  });

  it('but after a merge of two whose messages failed, once', async () => {
    const [one, other] = await addTwo();
    const { id } = await startCampaign(admin, { audience: { contactIds: [one, other] } });
    await end(id, one, recipientState.refused);
    await merge(one, other, one);
    expect((await retry(id)).response.status).toBe(200);
  });

  it('nor from the retry of a retry, when the first campaign reached the person under another number', async () => {
    const [failedId, reachedId] = await addTwo();
    const { id } = await startCampaign(admin, { audience: { contactIds: [failedId, reachedId] } });
    await end(id, failedId, recipientState.accepted);
    const first = await retry(id);
    await end(first.id, failedId, recipientState.refused);
    await merge(failedId, reachedId, reachedId);
    expect((await retry(first.id)).error?.code).toBe('campaign_audience_empty');
  });

  it('nor at a number that got it under a contact which is gone', async () => {
    const [failedId, reachedId] = await addTwo();
    const { id } = await startCampaign(admin, { audience: { contactIds: [failedId, reachedId] } });
    await end(id, failedId, recipientState.accepted);
    const { phone: number } = await (await admin.get(`/api/contacts/${reachedId}`)).json<{ phone: string }>();
    await admin.delete(`/api/contacts/${reachedId}`);
    const { version } = await (await admin.get(`/api/contacts/${failedId}`)).json<{ version: number }>();
    expect((await admin.patch(`/api/contacts/${failedId}`, { version, phone: number })).status).toBe(200);
    expect((await retry(id)).error?.code).toBe('campaign_audience_empty');
  });

  it('nor by an audience that a caller writes', async () => {
    const { id } = await start();
    await finishRun(api, id);
    const audience = { failedOf: id };
    const message = { customMessage: 'Hi' };
    const answers = await Promise.all([
      admin.post('/api/campaigns', { name: 'Copy', message, audience }),
      admin.post('/api/campaigns/preflight', { message, audience }),
      admin.post('/api/campaigns/audience-size', { audience }),
      admin.post('/api/bulk-messages', { message, audience }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    const draft = await admin.post('/api/campaigns', { name: 'Draft', message, audience: { contactIds } });
    const { id: campaignId, version } = await draft.json<{ id: string; version: number }>();
    const change = await admin.put(`/api/campaigns/${campaignId}`, { version, name: 'D', message, audience });
    expect([change.status, (await change.json<Refusal>()).error.code]).toEqual([
      422,
      'campaign_audience_empty',
    ]);
    const { id: retryId } = await retry(id);
    const { version: of } = await (await admin.get(`/api/campaigns/${retryId}`)).json<{ version: number }>();
    const renamed = await admin.put(`/api/campaigns/${retryId}`, {
      version: of,
      name: 'R',
      message: { customMessage: 'Hi {{name}}' },
      audience,
    });
    expect([renamed.status, (await renamed.json<CampaignDetails>()).name]).toEqual([200, 'R']);
  });
});

describe('whom a campaign leaves out its retries leave out, too', () => {
  const query = (text: string, values: unknown[]) => api.db.systemPool.query(text, values);
  const check = async (id: string) =>
    (await (await admin.get(`/api/campaigns/${id}/retry-failed`)).json<Check>()).receiving;
  const retry = async (id: string) => admin.post(`/api/campaigns/${id}/retry-failed`);
  const failedOf = async (id: string) =>
    (
      await query(
        `SELECT r.contact_id AS id FROM delivery_recipients r JOIN delivery_runs d USING (run_no) WHERE d.campaign_id = $1 AND r.seq > 1`,
        [id],
      )
    ).rows.map((row): string => row.id);

  longTest(
    'who was tagged since, by the rules that a segment has or had, and in a retry of the retry',
    async () => {
      const rules = { match: 'all', conditions: [{ kind: 'has_tag', value: 'complained' }] };
      const segment = await (
        await admin.post('/api/segments', { name: 'Complained', rules })
      ).json<{ id: string }>();
      const except = [{ segmentId: segment.id }, { tags: ['left'] }];
      const { id } = await startCampaign(admin, { audience: { contactIds, except } });
      await finishRun(api, id);
      const [complained, other] = await failedOf(id);
      expect(await check(id)).toBe(2);
      await query(`UPDATE contacts SET tags = '{complained}' WHERE id = $1`, [complained]);
      expect(await check(id)).toBe(1);
      expect((await admin.delete(`/api/segments/${segment.id}`)).status).toBe(200);
      const first = await (await retry(id)).json<CampaignDetails>();
      expect(first).toMatchObject({ audienceSize: 1, counts: { total: 1 } });
      await query(
        `UPDATE delivery_recipients SET state = $2, failed_at = now(), error_code = '131000' WHERE run_no = (SELECT run_no FROM delivery_runs WHERE campaign_id = $1)`,
        [first.id, recipientState.refused],
      );
      await query(
        `UPDATE delivery_runs SET state = 'completed', completed_at = now(), cursor = 1, refused = 1 WHERE campaign_id = $1`,
        [first.id],
      );
      // Also when the campaign that said so is not in the list any more.
      expect((await admin.delete(`/api/campaigns/${id}`)).status).toBe(200);
      expect(await check(first.id)).toBe(1);
      await query(`UPDATE contacts SET tags = '{left}' WHERE id = $1`, [other]);
      expect(await check(first.id)).toBe(0);
      expect(await (await retry(first.id)).json<Refusal>()).toMatchObject({
        error: { code: 'campaign_audience_empty' },
      });
      await query(`UPDATE contacts SET tags = '{complained}' WHERE id = $1`, [other]);
      expect(await check(first.id)).toBe(0);
      await query(`UPDATE contacts SET tags = '{}' WHERE id = ANY ($1)`, [contactIds]);
      expect(await (await retry(first.id)).json<CampaignDetails>()).toMatchObject({ audienceSize: 1 });
    },
  );

  it('who got another campaign since', async () => {
    await query('DELETE FROM delivery_runs WHERE workspace_id = $1', [api.workspaceId]);
    const { id } = await startCampaign(admin, { audience: { contactIds, restDays: 7 } });
    await finishRun(api, id);
    const [reached] = await failedOf(id);
    expect(await check(id)).toBe(2);
    const between = await startCampaign(admin, { audience: { contactIds: [reached], restDays: 7 } });
    expect(await check(id)).toBe(1);
    await query(
      `UPDATE delivery_recipients SET state = $2, accepted_at = now() WHERE run_no = (SELECT run_no FROM delivery_runs WHERE campaign_id = $1)`,
      [between.id, recipientState.accepted],
    );
    expect(await (await retry(id)).json<CampaignDetails>()).toMatchObject({ audienceSize: 1 });
  });
});

describe('the check before a retry', () => {
  const check = async (id: string) => (await admin.get(`/api/campaigns/${id}/retry-failed`)).json<Check>();
  const retry = async (id: string, key: string) =>
    (await admin.post(`/api/campaigns/${id}/retry-failed`, undefined, key)).json<CampaignDetails>();
  const endRun = (id: string, state: number) =>
    api.db.systemPool.query(
      `WITH ended AS (UPDATE delivery_runs SET state = 'completed', completed_at = now() WHERE campaign_id = $1 RETURNING run_no)
       UPDATE delivery_recipients SET state = $2 WHERE run_no = (SELECT run_no FROM ended) AND state <> 4`,
      [id, state],
    );

  longTest('counts whom the retry itself would reach, not who once failed', async () => {
    const { id } = await start();
    await finishRun(api, id);
    expect(await check(id)).toMatchObject({ chosen: 2, receiving: 2, estimatedCost: 0.1, runningId: null });
    // Nobody may write to this one any more.
    const { rows } = await api.db.systemPool.query(
      `SELECT contact_id FROM delivery_recipients WHERE seq = 2
          AND run_no = (SELECT run_no FROM delivery_runs WHERE campaign_id = $1)`,
      [id],
    );
    const setStatus = (status: string) =>
      api.db.systemPool.query('UPDATE contacts SET status = $2 WHERE id = $1', [rows[0].contact_id, status]);
    await setStatus('blocked');
    expect(await check(id)).toMatchObject({ chosen: 2, receiving: 1, blocked: 1, estimatedCost: 0.05 });
    const first = await retry(id, 'retry-check-1');
    expect(first.counts).toMatchObject({ total: 2, cancelled: 1 });
    expect(await check(id)).toMatchObject({ receiving: 0, runningId: first.id });

    await endRun(first.id, recipientState.accepted);
    await setStatus('active');
    const again = await check(id);
    expect(again).toMatchObject({ receiving: 1, estimatedCost: 0.05, runningId: null });
    const second = await retry(id, 'retry-check-2');
    expect(second.counts.total).toBe(again.receiving);
    await endRun(second.id, recipientState.accepted);
    const isDone = { chosen: 0, receiving: 0, estimatedCost: 0, runningId: null };
    expect(await check(id)).toMatchObject(isDone);
    // Whoever got it from a retry has it, also when that campaign is not in the list any more.
    for (const campaign of [first, second])
      expect((await admin.delete(`/api/campaigns/${campaign.id}`)).status).toBe(200);
    expect(await check(id)).toMatchObject(isDone);
    const original = await (await admin.get(`/api/campaigns/${id}`)).json<CampaignDetails>();
    expect(original.counts.failed).toBe(2);
  });

  it('answers only for campaigns that have ended, and for none of others', async () => {
    const { id } = await start();
    const early = await admin.get(`/api/campaigns/${id}/retry-failed`);
    expect([early.status, (await early.json<Refusal>()).error.code]).toEqual([409, 'campaign_act_refused']);
    await finishRun(api, id);
    const other = await api.asOther();
    expect((await other.get(`/api/campaigns/${id}/retry-failed`)).status).toBe(404);
  });

  it('says so when the template is gone', async () => {
    const { id } = await start();
    await finishRun(api, id);
    await api.db.systemPool.query('UPDATE campaigns SET custom_message = NULL WHERE id = $1', [id]);
    expect(await check(id)).toMatchObject({ obstacle: 'template_not_approved' });
  });
});
