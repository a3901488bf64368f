import { applyRollups } from '@app/database/analytics/apply-rollups';
import { dayIn } from '@app/domain/analytics/report-period';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestSecretBox, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { callWithKey, makeApiKey } from '../api-keys/key-caller.ts';
import { arriveWith, chose, said } from '../arriving-events.ts';

let api: ApiFixture;
let admin: ApiCaller;
let arrive: ReturnType<typeof arriveWith>;
beforeAll(async () => {
  const secrets = await createTestSecretBox();
  api = await openApiFixture({ secrets });
  admin = await api.as('admin');
  arrive = arriveWith(api, { secrets, channelId: await api.addChannel() });
});
afterAll(() => api.close());

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await api.db.systemPool.query<Row>(text, values)).rows;
const figures = async () => {
  await applyRollups(api.db.systemPool);
  const rows = await query<{ name: string; contacts: number }>(
    `SELECT kind || ' ' || source AS name, sum(contacts)::integer AS contacts FROM contact_rollups WHERE workspace_id = $1 GROUP BY 1`,
    [api.workspaceId],
  );
  return Object.fromEntries(rows.map(({ name, contacts }) => [name, contacts]));
};
const add = async (caller: ApiCaller, phone: string) =>
  (await (await caller.post('/api/contacts', { name: 'Ann', phone })).json<{ id: string }>()).id;

test('new contacts are counted by where they come from, and what is said about marketing by who says it', async () => {
  const before = await figures();
  const ann = await add(admin, '+14155550101');
  await add(callWithKey(api, (await makeApiKey(admin)).secret), '+14155550102');
  await arrive(said({ phone: '+14155550103', name: 'Bob' }, 'Hello'));
  await admin.request('/api/contacts/imports', {
    method: 'POST',
    headers: { prefer: 'wait=50' },
    body: 'name,phone\nCleo,+14155550104\nDee,+14155550105\n',
  });
  await arrive(said({ phone: '+14155550103', name: 'Bob' }, 'STOP'));
  await arrive(chose({ phone: '+14155550104' }, 'stop', Date.now()));
  await admin.post(`/api/contacts/${ann}/consents`, { kind: 'opt_in', text: 'signed' });
  const after = await figures();
  const added = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
  expect({
    form: added('new form'),
    api: added('new api'),
    conversation: added('new conversation'),
    import: added('new import'),
    keyword: added('opt_out keyword'),
    platform: added('opt_out platform'),
    staff: added('opt_in staff'),
  }).toEqual({ form: 1, api: 1, conversation: 1, import: 2, keyword: 1, platform: 1, staff: 1 });

  // The people behind each number, whatever made them, are those that it counts.
  // Since yesterday, so that midnight may pass meanwhile.
  const days = [Date.now() - 86_400_000, Date.now() + 86_400_000].map((at) => dayIn('UTC', at)).join(';');
  const phonesOf = async (what: string) => {
    const report = encodeURIComponent(`${what.replace(' ', `;${days};UTC;source=`)}`);
    const found = await (
      await admin.get(`/api/contacts?report=${report}`)
    ).json<{ items: { phone: string }[] }>();
    return found.items.map(({ phone }) => phone.slice(-2)).toSorted();
  };
  expect(await phonesOf('added api')).toEqual(['02']);
  expect(await phonesOf('added conversation')).toEqual(['03']);
  expect(await phonesOf('added import')).toEqual(['04', '05']);
  expect(await phonesOf('added form')).toContain('01');
  expect(await phonesOf('added form')).not.toContain('02');
  expect(await phonesOf('optOuts keyword')).toEqual(['03']);
  expect(await phonesOf('optOuts platform')).toEqual(['04']);
  expect(await phonesOf('optIns staff')).toEqual(['01']);

  // Who goes and comes back is nobody new, and said nothing anew.
  await admin.delete(`/api/contacts/${ann}`);
  expect((await admin.post(`/api/contacts/${ann}/restore`)).status).toBe(200);
  expect(await figures()).toEqual(after);
  expect(await phonesOf('added form')).toContain('01');
});

test('a charge counts in the quarter in which it was made, and not once it is given back', async () => {
  const [channel] = await query<{ id: string }>('SELECT id FROM channels WHERE workspace_id = $1 LIMIT 1', [
    api.workspaceId,
  ]);
  const cost = async () => {
    await applyRollups(api.db.systemPool);
    return query(
      'SELECT sum(cost)::integer AS cost, count(DISTINCT quarter)::integer AS quarters FROM message_rollups WHERE cost <> 0',
    );
  };
  await query(
    `INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, message, category, audience)
     VALUES (7, $1, $2, gen_random_uuid(), '{}', 'utility', '{}')`,
    [api.workspaceId, channel!.id],
  );
  await query(
    `INSERT INTO budget_charges (ref, workspace_id, month, amount, charged_at) VALUES ('r7.0.1', $1, '2026-05-01', 40000, '2026-05-03T10:07Z'),
       ('r7.1.1', $1, '2026-05-01', 30000, '2026-05-03T10:14:59Z')`,
    [api.workspaceId],
  );
  expect(await cost()).toEqual([{ cost: 70_000, quarters: 1 }]);
  await query(`SELECT return_charges($1, '{r7.0.1}')`, [api.workspaceId]);
  await query(`SELECT return_charges($1, '{r7.0.1}')`, [api.workspaceId]);
  expect(await cost()).toEqual([{ cost: 30_000, quarters: 1 }]);
  await query(`SELECT take_charges_again($1, '{r7.0.1}')`, [api.workspaceId]);
  expect(await cost()).toEqual([{ cost: 70_000, quarters: 1 }]);
});
