import { expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { openApiFixture } from '../api-fixture.ts';

const api = await openApiFixture();
const admin = await api.as('admin');
await api.addChannel();

const priceList = {
  asOf: '2026-01-01',
  countries: { DE: { marketing: 0.1, utility: 0.05 } },
  others: { marketing: 0.3, utility: 0.15 },
};
const save = async (change: object) => {
  const { version } = await (await admin.get('/api/settings/general')).json<{ version: number }>();
  return admin.put('/api/settings/general', { version, ...change });
};
const templateId = newId();
await api.db.systemPool.query(
  `INSERT INTO templates (id, workspace_id, name, category, language, status, components, content)
   VALUES ($1, $2, 'Offer', 'promotion', 'en', 'approved', '[{"type":"body","text":"Hello"}]', 'Hello')`,
  [templateId, api.workspaceId],
);
const contactIds: string[] = [];
for (const phone of ['+4915112345678', '+4915112345679', '+14155552671']) {
  const added = await admin.post('/api/contacts', { name: 'Ann', phone });
  contactIds.push((await added.json<{ id: string }>()).id);
}
const asked = { message: { templateId }, audience: { contactIds } };
type Check = { estimatedCost: number; priceCurrency: string; receiving: number };
const check = async () => (await admin.post('/api/campaigns/preflight', asked)).json<Check>();

test('without a list a message costs the flat price of the specification', async () => {
  expect(await check()).toMatchObject({ receiving: 3, estimatedCost: 0.15, priceCurrency: 'USD' });
});

test('with a list it costs what it costs where people are, and a campaign keeps that', async () => {
  expect((await save({ priceList, currency: 'EUR' })).status).toBe(200);
  expect(await check()).toMatchObject({ receiving: 3, estimatedCost: 0.5, priceCurrency: 'EUR' });
  const made = await admin.post('/api/campaigns', {
    ...asked,
    ...{ name: 'Offer', variables: {}, scheduledAt: null, status: 'draft' },
  });
  const { id, plannedCost } = await made.json<{ id: string; plannedCost: number }>();
  expect(plannedCost).toBe(0.5);
  await save({ priceList: null });
  const kept = await (await admin.get(`/api/campaigns/${id}`)).json<object>();
  expect(kept).toMatchObject({ plannedCost: 0.5, priceCurrency: 'EUR' });
  expect(await check()).toMatchObject({ estimatedCost: 0.15, priceCurrency: 'USD' });
});

test.each([
  ['a country that there is not', { priceList: { ...priceList, countries: { XX: priceList.others } } }],
  ['less than nothing', { priceList: { ...priceList, others: { marketing: -1, utility: 0 } } }],
  ['no day', { priceList: { ...priceList, asOf: 'soon' } }],
  ['a currency that is none', { currency: 'euro' }],
])('%s is refused', async (_, change) => {
  expect((await save(change)).status).toBe(422);
});
