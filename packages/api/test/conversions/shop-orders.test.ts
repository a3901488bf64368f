import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '@app/database/new-id';
import { recordLateOrders } from '../../src/conversions/shop-orders.ts';
import { startCampaign } from '../campaigns/campaign-scenes.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
let admin: ApiCaller;
const people = { within: newId(), after: newId(), before: newId(), cancelled: newId() };

beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  await api.addChannel();
});
afterAll(() => api.close());

it('an order of a shop counts for the campaign within 7 days of a click, once, and not when it is cancelled', async () => {
  const query = api.db.systemPool.query.bind(api.db.systemPool);
  const contactIds = Object.values(people);
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at)
     SELECT id, $1, 'Person', '+44770090020' || n, now() + interval '9 hours' FROM unnest($2::uuid[]) WITH ORDINALITY AS p (id, n)`,
    [api.workspaceId, contactIds],
  );
  const { id } = await startCampaign(admin, { audience: { contactIds } });
  const links = await query<{ id: string }>(
    `INSERT INTO counted_links (id, workspace_id, code, key, target, label, place, is_counted, campaign_id, channel_id, run_no, owner, created_at)
     SELECT gen_random_uuid(), $1, 'shop', 'k', 'https://shop.example', 'Shop', 'text', true, $2, channel_id, run_no, 'r' || run_no, now()
       FROM delivery_runs WHERE campaign_id = $2 RETURNING id`,
    [api.workspaceId, id],
  );
  await query(
    `INSERT INTO link_clicks (id, workspace_id, link_id, campaign_id, owner, seq, contact_id, clicked_at, ten_seconds, is_first)
     SELECT gen_random_uuid(), $1, $2, $3, 'r1', n, contact, now() - interval '10 days', n, true
       FROM unnest($4::uuid[]) WITH ORDINALITY AS p (contact, n)`,
    [api.workspaceId, links.rows[0]!.id, id, contactIds],
  );
  const shop = newId();
  await query(
    `INSERT INTO integrations (id, workspace_id, kind, status, is_started, created_at, updated_at)
     VALUES ($1, $2, 'shopify', 'connected', true, now(), now())`,
    [shop, api.workspaceId],
  );
  for (const [who, hoursAfterClick, status] of [
    ['within', 7 * 24 - 1, 'paid'],
    ['after', 7 * 24 + 1, 'paid'],
    ['before', -1, 'paid'],
    ['cancelled', 1, 'cancelled'],
  ] as const)
    await query(
      `INSERT INTO integration_items (id, workspace_id, integration_id, type, external_id, contact_id, title, status, amount, currency, occurred_at, remote_updated_at)
       VALUES (gen_random_uuid(), $1, $2, 'order', $3, $4, 'Order', $5, 25, 'USD', now() - interval '10 days' + make_interval(hours => $6), now())`,
      [api.workspaceId, shop, who, people[who], status, hoursAfterClick],
    );
  const count = async () =>
    (await admin.get(`/api/campaigns/${id}/conversions`)).json<{ conversions: number; revenue: number }>();
  await recordLateOrders(api.parts);
  expect(await count()).toMatchObject({ conversions: 1, revenue: 25 });
  // The shop tells of it again, then takes it back.
  await recordLateOrders(api.parts);
  expect(await count()).toMatchObject({ conversions: 1 });
  await query(`UPDATE integration_items SET status = 'refunded' WHERE external_id = 'within'`);
  await recordLateOrders(api.parts);
  expect(await count()).toMatchObject({ conversions: 0, revenue: 0 });
});
