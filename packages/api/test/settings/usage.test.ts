import { expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { deliveryFeature } from '../../src/delivery/delivery-feature.ts';
import { openApiFixture } from '../api-fixture.ts';

const api = await openApiFixture();
const admin = await api.as('admin');
await api.addChannel();
const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);

const templateId = newId();
await query(
  `INSERT INTO templates (id, workspace_id, name, category, language, status, components, content)
   VALUES ($1, $2, 'Offer', 'promotion', 'en', 'approved', '[{"type":"body","text":"Hello"}]', 'Hello')`,
  [templateId, api.workspaceId],
);
const contactIds: string[] = [];
for (const phone of ['+4915112345678', '+4915112345679', '+14155552671']) {
  const added = await admin.post('/api/contacts', { name: 'Ann', phone });
  contactIds.push((await added.json<{ id: string }>()).id);
}
const saveBudget = async (budget: object) => {
  const { version } = await (await admin.get('/api/settings/messaging')).json<{ version: number }>();
  return admin.put('/api/settings/messaging', { version, budget });
};
const readUsage = async () => (await admin.get('/api/settings/usage')).json<object>();
const check = async () =>
  (
    await admin.post('/api/campaigns/preflight', { message: { templateId }, audience: { contactIds } })
  ).json();

test('a budget is off from the start, and shown with what is left of it', async () => {
  expect(await readUsage()).toMatchObject({ budget: null, timeZone: 'UTC' });
  expect(await check()).toMatchObject({ budgetLeft: null });
  expect((await saveBudget({ isEnabled: true, perMonth: 0.1 })).status).toBe(200);
  await query(
    `INSERT INTO budget_months (workspace_id, month, used) VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), 85000)`,
    [api.workspaceId],
  );
  expect(await readUsage()).toMatchObject({
    budget: { perMonth: 0.1, used: 0.085, left: 0.015, currency: 'USD', level: 'near' },
  });
  // Three messages at the flat price do not fit.
  expect(await check()).toMatchObject({ budgetLeft: 0.015, estimatedCost: 0.15 });
});

test('a month begins where the clocks of the workspace show it, also where these are named by their distance', async () => {
  await query(`UPDATE workspaces SET settings = settings || '{"timeZone": "+05:30"}' WHERE id = $1`, [
    api.workspaceId,
  ]);
  const { month } = await (await admin.get('/api/settings/usage')).json<{ month: string }>();
  // Half past six in the evening before, by the clock of Greenwich.
  await query(
    `INSERT INTO message_stats (workspace_id, channel_id, hour, accepted)
     SELECT $1, id, $2::timestamptz - interval '1 hour' * h, 10 ^ h FROM channels, generate_series(5, 6) AS h WHERE workspace_id = $1`,
    [api.workspaceId, `${month}T00:00:00Z`],
  );
  expect(await readUsage()).toMatchObject({ month, plan: { messages: { used: 100_000 } } });
  await query(`UPDATE workspaces SET settings = settings - 'timeZone' WHERE id = $1`, [api.workspaceId]);
});

test.each([
  ['nothing', { isEnabled: true, perMonth: 0 }],
  ['less than nothing', { isEnabled: true, perMonth: -5 }],
  ['no amount', { isEnabled: true }],
])('a budget of %s is refused', async (_, budget) => {
  expect((await saveBudget(budget)).status).toBe(422);
});

test('a plan is chosen by whoever manages settings, and nothing is refused beyond it', async () => {
  const agent = await api.as('agent');
  expect((await agent.put('/api/settings/plan', { plan: 'enterprise' })).status).toBe(403);
  expect(await readUsage()).toMatchObject({ plan: { id: 'starter', contacts: { used: 3, most: 500 } } });
  await query('UPDATE contact_counts SET total = total + 500 WHERE workspace_id = $1', [api.workspaceId]);
  expect(await readUsage()).toMatchObject({ plan: { contacts: { level: 'full' } } });
  expect((await admin.post('/api/contacts', { name: 'Ben', phone: '+14155552672' })).status).toBe(200);
  const chosen = await admin.put('/api/settings/plan', { plan: 'professional' });
  expect(await chosen.json()).toMatchObject({ plan: { id: 'professional', contacts: { most: 5000 } } });
  expect((await admin.put('/api/settings/plan', { plan: 'gold' })).status).toBe(422);
});

test('charges of months that are long over are forgotten, and looked through only where there are some', async () => {
  const old = `now() - interval '5 months'`;
  const recent = `m${newId()}.1`;
  await query(`INSERT INTO budget_months (workspace_id, month) VALUES ($1, ${old})`, [api.workspaceId]);
  await query(
    `INSERT INTO budget_charges (ref, workspace_id, month, amount) VALUES ($2, $1, ${old}, 1), ($3, $1, now(), 1)`,
    [api.workspaceId, `m${newId()}.1`, recent],
  );
  const [forget] = deliveryFeature.upkeep.seldom;
  const sent: string[] = [];
  const systemPool = { query: (text: string) => (sent.push(text), query(text)) };
  const parts = { ...api.parts, db: { ...api.parts.db, systemPool } } as unknown as typeof api.parts; // it asks nothing else
  await forget?.(parts);
  expect((await query('SELECT ref FROM budget_charges')).rows).toEqual([{ ref: recent }]);
  sent.splice(0);
  await forget?.(parts);
  expect(sent.filter((text) => text.includes('budget_charges'))).toEqual([]);
});
