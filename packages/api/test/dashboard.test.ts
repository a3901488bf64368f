import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiFixture, type ApiFixture } from './api-fixture.ts';

type Overview = {
  totalContacts: { value: number; change: number | null };
  recentCampaigns: unknown[];
  week: { day: string; sent: number }[];
};

let api: ApiFixture;

beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

const readOverview = async () =>
  (await (await api.as('viewer')).get('/api/dashboard?timeZone=Asia/Kathmandu')).json<Overview>();

const addContacts = (count: number, createdAt: string, from: number) =>
  api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, created_at)
     SELECT gen_random_uuid(), $1, 'Person ' || n, '+4915112' || n, ${createdAt} FROM generate_series($2::int, $3::int) n`,
    [api.workspaceId, from, from + count - 1],
  );

describe('the overview', () => {
  test('of an empty workspace is all zeros with a week of days', async () => {
    const overview = await readOverview();
    expect(overview.totalContacts).toEqual({ value: 0, change: null });
    expect(overview.recentCampaigns).toEqual([]);
    expect(overview.week).toHaveLength(7);
    expect(overview.week.every(({ sent }) => sent === 0)).toBe(true);
  });

  test('compares contacts with those at the beginning of the month, also after deletions', async () => {
    const monthStart = `date_trunc('month', now(), 'Asia/Kathmandu')`;
    await addContacts(8, `${monthStart} - interval '1 second'`, 10_000);
    expect((await readOverview()).totalContacts).toEqual({ value: 8, change: 0 });
    await addContacts(4, monthStart, 20_000);
    expect((await readOverview()).totalContacts).toEqual({ value: 12, change: 50 });
    await api.db.systemPool.query(`DELETE FROM contacts WHERE phone IN ('+491511210000', '+491511220000')`);
    expect((await readOverview()).totalContacts).toEqual({ value: 10, change: 42.9 });
  });

  test('stays the same when the sums of the growth are folded', async () => {
    const before = await readOverview();
    await api.db.systemPool.query('SELECT fold_contact_growth($1)', [api.workspaceId]);
    expect(await readOverview()).toEqual(before);
    const { rows } = await api.db.systemPool.query(
      'SELECT count(*)::int AS parts FROM contact_growth WHERE workspace_id = $1',
      [api.workspaceId],
    );
    expect(rows[0].parts).toBe(2);
  });
});
