import { expect } from 'vitest';
import type { ApiCaller, ApiFixture } from '../api-fixture.ts';

export type CampaignDetails = {
  id: string;
  name: string;
  status: string;
  audienceSize: number;
  pauseReason: string | null;
  plannedCost: number;
  actualCost: number;
  counts: { total: number; pending: number; failed: number };
};

export async function startCampaign(
  caller: ApiCaller,
  changes: Record<string, unknown> & { audience: object },
): Promise<CampaignDetails> {
  const created = await caller.post('/api/campaigns', {
    name: 'Spring',
    message: { customMessage: 'Hi {{name}}' },
    ...changes,
  });
  const { id } = await created.json<CampaignDetails>();
  const started = await caller.post(`/api/campaigns/${id}/start`);
  expect(started.status).toBe(200);
  return started.json<CampaignDetails>();
}

/** A campaign to four as the engine leaves it: two delivered, one refused, one taken and reported as failed. */
export async function finishRun(api: ApiFixture, campaignId: string): Promise<void> {
  const run = `(SELECT run_no FROM delivery_runs WHERE campaign_id = '${campaignId}')`;
  await api.db.systemPool.query(
    `UPDATE delivery_recipients SET accepted_at = now(), sent_at = now(),
       state = CASE seq WHEN 2 THEN 3 ELSE 2 END,
       delivered_at = CASE WHEN seq < 2 THEN now() END, failed_at = CASE WHEN seq > 1 THEN now() END,
       error_code = CASE WHEN seq > 1 THEN '131000' END WHERE run_no = ${run}`,
  );
  await api.db.systemPool.query(
    `UPDATE delivery_runs SET state = 'completed', completed_at = now(), cursor = 4, low_water = 4,
       accepted = 3, refused = 1, sent = 3, delivered = 2, failed = 1 WHERE run_no = ${run}`,
  );
}
