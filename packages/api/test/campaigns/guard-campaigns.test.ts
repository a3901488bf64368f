import { beforeEach, expect, test } from 'vitest';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import { newId } from '@app/database/new-id';
import { guardCampaigns } from '../../src/campaigns/guard-campaigns.ts';
import { openArrivals } from '../arrivals.ts';
import { startCampaign, type CampaignDetails } from './campaign-scenes.ts';

const { admin, api, arrive, query } = await openArrivals();
const channelId = (await query<{ id: string }>('SELECT id FROM channels'))[0]!.id;
const parts = { db: api.db, facts: api.facts, clock: () => new Date(), logger: console };
let contactIds: string[];

beforeEach(async () => {
  await query('DELETE FROM campaigns');
  contactIds = Array.from({ length: 40 }, () => newId());
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at)
     SELECT id, $1, 'Person ' || n, '+447700912' || lpad(n::text, 3, '0'), now() + interval '9 hours'
       FROM unnest($2::uuid[]) WITH ORDINALITY AS p (id, n)`,
    [api.workspaceId, contactIds],
  );
});

type Paused = CampaignDetails & { pauseCode: string | null };
const read = async (id: string) => (await admin.get(`/api/campaigns/${id}`)).json<Paused>();
const start = () => startCampaign(admin, { audience: { contactIds } });
const qualityEvent = (event: string, severity: 'warning' | 'information'): InboundEvent => ({
  ...{ type: 'number_event', field: 'phone_number_quality_update', event, severity },
  ...{ dedupKey: newId(), occurredAt: Date.now(), account: '2', address: null, raw: {} },
  ...{ displayName: '+1 555 0100', description: null },
});

test('a campaign of which too much fails pauses, and says so; who resumes it has seen that', async () => {
  const { version } = await (await admin.get('/api/settings/messaging')).json<{ version: number }>();
  const campaignGuard = { isEnabled: true, failurePercent: 50, among: 20 };
  await admin.put('/api/settings/messaging', { version, campaignGuard });
  const { id } = await start();
  const run = `run_no = (SELECT run_no FROM delivery_runs WHERE campaign_id = '${id}')`;
  await query(
    `UPDATE delivery_recipients SET state = 2, accepted_at = now(), failed_at = now() WHERE ${run} AND seq < 20`,
  );
  await query(
    `UPDATE delivery_runs SET state = 'running', cursor = 20, accepted = 20, failed = 20 WHERE ${run}`,
  );
  await guardCampaigns(parts);
  expect(await read(id)).toMatchObject({ status: 'paused', pauseCode: 'failures' });
  expect((await read(id)).pauseReason).toMatch(/Too many/);
  expect((await admin.post(`/api/campaigns/${id}/resume`)).status).toBe(200);
  await query(`UPDATE delivery_runs SET state = 'running' WHERE ${run}`);
  await guardCampaigns(parts);
  expect(await read(id)).toMatchObject({ status: 'running', pauseCode: null });
});

test('a number that the platform rates lower pauses its campaigns; what is no drop pauses nothing', async () => {
  await query(`UPDATE channels SET display_name = '+1 (555) 0100' WHERE id = $1`, [channelId]);
  const { id } = await start();
  await arrive(qualityEvent('UNFLAGGED', 'information'));
  expect(await read(id)).toMatchObject({ status: 'running' });
  await arrive(qualityEvent('FLAGGED', 'warning'));
  expect(await read(id)).toMatchObject({ status: 'paused', pauseCode: 'number_quality' });
});
