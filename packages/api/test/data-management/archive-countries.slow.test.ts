import { applyRollups } from '@app/database/analytics/apply-rollups';
import { backfillRollups } from '@app/database/analytics/backfill-rollups';
import { migrationSteps } from '@app/database/database';
import { newId } from '@app/database/new-id';
import { rewriteArchive } from '@app/database/testing/rewrite-archive';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { createMemoryMediaStore } from '../memory-media-store.ts';
import { openArchiveImports } from './archive-imports-fixture.ts';

const SENT_AT = '2026-03-01T10:05:00Z';
/** Columns that came with the countries. */
const NEW_COLUMNS: Readonly<Record<string, string>> = {
  messages: 'country',
  delivery_runs: 'countries_below',
};
const BEFORE = migrationSteps().findIndex(({ name }) => name === '0730_countries_in_rollups.sql');
const BEFORE_REFUSED = migrationSteps().findIndex(({ name }) => name === '0770_refused_in_rollups.sql');
let api: ApiFixture;
let other: ApiCaller;
let file: Uint8Array;
let beside: ReturnType<typeof openArchiveImports>;

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await api.db.systemPool.query<Row>(text, values)).rows;
const countsOf = (workspaceId: string) =>
  query(
    `SELECT country, campaign_id IS NOT NULL AS campaign, sum(sent)::integer AS sent, sum(delivered)::integer AS delivered, sum(received)::integer AS received,
            sum(refused)::integer AS refused FROM country_rollups WHERE workspace_id = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
    [workspaceId],
  );
const isComplete = async (filter: string) => {
  const path = `/api/analytics/summary?from=2026-03-01&to=2026-03-01&zone=UTC${filter}`;
  return (await (await other.get(path)).json<{ isComplete: boolean }>()).isComplete;
};
const countAll = async () => {
  await backfillRollups(api.db.systemPool);
  await applyRollups(api.db.systemPool);
};
const COUNTS = [
  { country: 'DE', campaign: false, sent: 0, delivered: 0, received: 1, refused: 0 },
  { country: 'DE', campaign: true, sent: 1, delivered: 1, received: 0, refused: 1 },
  { country: 'US', campaign: false, sent: 0, delivered: 0, received: 1, refused: 0 },
  { country: 'US', campaign: true, sent: 1, delivered: 1, received: 0, refused: 0 },
];

/** A run that was sent, to two who answer and to one whom the platform refused. */
beforeAll(async () => {
  api = await openApiFixture({ mediaStore: createMemoryMediaStore() }, { isWorking: false });
  const admin = await api.as('admin');
  other = await api.asOther();
  beside = openArchiveImports(api, other, api.otherWorkspaceId);
  const { workspaceId } = api;
  const channelId = await api.addChannel();
  const campaignId = newId();
  const [run] = await query<{ no: string }>(`SELECT nextval('delivery_run_small')::text AS no`);
  await query('SELECT ensure_delivery_partition($1::bigint)', [run!.no]);
  await query(
    `INSERT INTO campaigns (id, workspace_id, name, run_no) VALUES ($1, $2, 'Spring', $3::bigint)`,
    [...[campaignId, workspaceId, run!.no]],
  );
  await query(
    `INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, state, message, category, audience, total, rolled_up_below)
     VALUES ($1::bigint, $2, $3, $4, 'completed', '{}', 'utility', '{}', 3, 0)`,
    [run!.no, workspaceId, channelId, campaignId],
  );
  for (const [place, phone] of ['+4915155512', '+14155550100'].entries()) {
    const added = await admin.post('/api/contacts', { name: phone, phone });
    const { id } = await added.json<{ id: string }>();
    await query(
      `INSERT INTO delivery_recipients (run_no, seq, state, attempt, accepted_at, delivered_at, workspace_id, contact_id, address)
       VALUES ($1::bigint, $2, 2, 1, $3, $3, $4, $5, $6)`,
      [run!.no, place, SENT_AT, workspaceId, id, phone],
    );
    await query(
      `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at)
       VALUES ($1, $2, $3, $4, 'in', $5, 'text', 'Hi', '{}', $6)`,
      [newId(), workspaceId, channelId, id, `in.${place}`, SENT_AT],
    );
  }
  await query(
    `INSERT INTO delivery_recipients (run_no, seq, state, attempt, failed_at, workspace_id, address) VALUES ($1::bigint, 2, 3, 1, $2, $3, '+4915155513')`,
    [run!.no, SENT_AT, workspaceId],
  );
  await countAll();
  file = await openArchiveImports(api, admin, workspaceId).take(null);
});
afterAll(() => api.close());

test('an archive brings its figures by country', async () => {
  expect(await countsOf(api.workspaceId)).toEqual(COUNTS);
  await beside.readIn(file, null);
  await countAll();
  expect(await countsOf(api.otherWorkspaceId)).toEqual(COUNTS);
});

test('one of before there were countries is counted by country behind it, and the page says so for a country', async () => {
  const older = await rewriteArchive(file, {
    steps: (steps) => steps.slice(0, BEFORE),
    part: (part) => {
      if (part.kind !== 'table') return part;
      if (part.name === 'country_rollups') return null;
      return { ...part, columns: part.columns.filter((column) => column !== NEW_COLUMNS[part.name]) };
    },
    rows: (table, rows, columns) => {
      const place = columns.indexOf(NEW_COLUMNS[table] ?? '');
      return place < 0 ? rows : rows.map((values) => values.toSpliced(place, 1));
    },
  });
  await beside.readIn(older, null);
  expect([await isComplete(''), await isComplete('&country=DE')]).toEqual([true, false]);
  await countAll();
  expect(await isComplete('&country=DE')).toBe(true);
  expect(await countsOf(api.otherWorkspaceId)).toEqual(COUNTS);
  await countAll();
  expect(await countsOf(api.otherWorkspaceId)).toEqual(COUNTS);
});

test('in one of before the refused were counted, they are counted as they come', async () => {
  const older = await rewriteArchive(file, {
    steps: (steps) => steps.slice(0, BEFORE_REFUSED),
    part: (part) =>
      part.kind === 'table' && part.name.includes('_rollup')
        ? { ...part, columns: part.columns.filter((column) => column !== 'refused') }
        : part,
    rows: (table, rows, columns) => {
      const place = table.includes('_rollup') ? columns.indexOf('refused') : -1;
      return place < 0 ? rows : rows.map((values) => values.toSpliced(place, 1));
    },
  });
  await beside.readIn(older, null);
  expect(await countsOf(api.otherWorkspaceId)).toEqual(COUNTS);
  // At once and after what waits was added: two of three arrived.
  for (let time = 0; time < 2; time += 1) {
    for (const filter of ['', '&country=DE']) {
      const path = `/api/analytics/summary?from=2026-03-01&to=2026-03-01&zone=UTC${filter}`;
      expect(await (await other.get(path)).json()).toMatchObject({
        counts: { refused: 1 },
        deliveryRate: { value: filter === '' ? 66.7 : 50 },
      });
    }
    await countAll();
  }
});

test('one that was taken while the past was being counted is counted to its end', async () => {
  const half = await rewriteArchive(file, {
    rows: (table, rows, columns) => {
      const at = (column: string) => columns.indexOf(column);
      const set = (column: string, value: string) => rows.map((values) => values.with(at(column), value));
      if (table === 'country_rollups') return [];
      if (table === 'messages') return set('country', '\\N');
      return table === 'delivery_runs' ? set('countries_below', '0') : rows;
    },
  });
  await beside.readIn(half, null);
  await countAll();
  expect(await countsOf(api.otherWorkspaceId)).toEqual(COUNTS);
});
