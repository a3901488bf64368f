import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { finishRun, startCampaign } from '../campaigns/campaign-scenes.ts';

type Operation = { id: string; state: string; done: number; total: number; result: { changed: number } };

let api: ApiFixture;
let admin: ApiCaller;
let campaignId: string;
const contactIds = Array.from({ length: 4 }, () => newId()).toSorted();

beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  await addPeople(contactIds);
  await api.addChannel();
  campaignId = (await startCampaign(admin, { audience: { contactIds } })).id;
  // Two delivered, one refused, one taken and reported as failed.
  await finishRun(api, campaignId);
});
afterAll(() => api.close());

let added = 0;
async function addPeople(ids: string[]): Promise<void> {
  await api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at)
     SELECT id, $1, 'Person ' || n, '+4477' || (10000000 + $3::integer + n), now() + interval '9 hours'
       FROM unnest($2::uuid[]) WITH ORDINALITY AS p (id, n)`,
    [api.workspaceId, ids, added],
  );
  added += ids.length;
}
const count = async (words: string, caller = admin) => {
  const answer = await caller.get(`/api/contacts/count?campaignId=${campaignId}${words}`);
  return answer.status === 200 ? (await answer.json<{ count: number }>()).count : answer.status;
};
const tag = async (filter: object, tags: string[], caller = admin) =>
  caller.post('/api/contacts/edits', { choice: { filter }, addTags: tags });
const tagged = async (word: string) => {
  const { items } = await (await admin.get(`/api/contacts?tag=${word}`)).json<{ items: { id: string }[] }>();
  return items.map(({ id }) => id).toSorted();
};

describe('the people of a campaign', () => {
  test('are found among the contacts by outcome and by reason', async () => {
    expect(await count('')).toBe(4);
    expect(await count('&outcome=delivered')).toBe(2);
    expect(await count('&outcome=failed')).toBe(2);
    expect(await count('&outcome=failed&reason=131000')).toBe(2);
    expect(await count('&outcome=failed&reason=none')).toBe(0);
    expect(await count('&outcome=read')).toBe(0);
    const answer = await admin.get(`/api/contacts?campaignId=${campaignId}&outcome=delivered`);
    const { items } = await answer.json<{ items: { id: string }[] }>();
    expect(items.map(({ id }) => id).toSorted()).toEqual(contactIds.slice(0, 2).toSorted());
  });

  test('are nobody, and never everybody, where an outcome is asked for without its campaign', async () => {
    const asked = await admin.get('/api/contacts/count?outcome=failed');
    expect(await asked.json()).toEqual({ count: 0 });
    expect((await tag({ outcome: 'failed' }, ['all'])).status).toBe(422);
    const audience = { filter: { reason: '131000' } };
    expect((await admin.post('/api/campaigns/audience-size', { audience })).status).toBe(422);
    expect(await tagged('all')).toEqual([]);
  });

  test('get a tag, and the same press again changes nobody', async () => {
    const filter = { campaignId, outcome: 'failed', reason: '131000' };
    const operation = await (await tag(filter, ['call'])).json<Operation>();
    expect(operation).toMatchObject({ state: 'done', done: 2, total: 2, result: { changed: 2 } });
    expect(await tagged('call')).toEqual(contactIds.slice(2).toSorted());
    expect(await (await tag(filter, ['call'])).json()).toMatchObject({ result: { changed: 0 } });
  });

  test('are told of to those alone who may see campaigns, and never to another workspace', async () => {
    const other = await api.asOther();
    expect(await count('', other)).toBe(404);
    const refused = await tag({ campaignId }, ['mine'], other);
    expect(await refused.json()).toMatchObject({ error: { code: 'campaign_not_found' } });
    expect((await tag({ campaignId: newId() }, ['mine'])).status).toBe(404);
    const viewer = await api.as('viewer');
    expect((await tag({ campaignId }, ['mine'], viewer)).status).toBe(403);
    // A role that this workspace lets see contacts and no campaigns.
    await api.db.systemPool.query('UPDATE workspaces SET role_permissions = $2 WHERE id = $1', [
      api.workspaceId,
      JSON.stringify({ agent: ['contacts:read', 'contacts:update'] }),
    ]);
    const agent = await api.as('agent');
    expect(await count('', agent)).toBe(404);
    expect((await tag({ campaignId }, ['mine'], agent)).status).toBe(404);
    expect(await tagged('mine')).toEqual([]);
  });

  longTest('are those of the moment of the press, whatever becomes of them meanwhile', async () => {
    const many = Array.from({ length: 5_500 }, () => newId());
    await addPeople(many);
    const { id } = await startCampaign(admin, { audience: { contactIds: many } });
    const run = `(SELECT run_no FROM delivery_runs WHERE campaign_id = '${id}')`;
    await api.db.systemPool.query(
      `UPDATE delivery_recipients SET state = 2, accepted_at = now(), sent_at = now() WHERE run_no = ${run}`,
    );
    const begun = await (await tag({ campaignId: id, outcome: 'sent' }, ['sent'])).json<Operation>();
    expect(begun).toMatchObject({ done: 2000, total: 5500 });
    const choice = { filter: { campaignId: id, outcome: 'sent' } };
    const file = await (
      await admin.post('/api/contacts/exports', { format: 'csv', choice })
    ).json<Operation>();
    expect(file).toMatchObject({ done: 5000, total: 5500 });
    await api.db.systemPool.query(
      `UPDATE delivery_recipients SET delivered_at = now() WHERE run_no = ${run}`,
    );
    await expect
      .poll(async () => (await admin.get(`/api/operations/${begun.id}`)).json())
      .toMatchObject({ state: 'done', result: { changed: 5500 } });
    await expect
      .poll(async () => (await admin.get(`/api/operations/${file.id}`)).json())
      .toMatchObject({ state: 'done' });
    const lines = (await (await admin.get(`/api/operations/${file.id}/file`)).text()).trim().split('\r\n');
    expect(new Set(lines.slice(1)).size).toBe(5500);
    // What is left of both is the file, in two pieces.
    const { rows } = await api.db.systemPool.query(
      'SELECT part FROM operation_parts WHERE operation_id = ANY ($1) ORDER BY part',
      [[begun.id, file.id]],
    );
    expect(rows).toEqual([{ part: 0 }, { part: 1 }]);
  });

  test('can be written to again as they are, and are counted as the list counts them', async () => {
    const audience = { filter: { campaignId, outcome: 'failed' } };
    const answer = await admin.post('/api/campaigns/audience-size', { audience });
    expect(await answer.json()).toEqual({ chosen: 2 });
  });
});
