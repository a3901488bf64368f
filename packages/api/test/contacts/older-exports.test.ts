import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resultsExport } from '../../src/campaigns/results-export-operation.ts';
import { contactExport } from '../../src/contacts/files/contact-export-operation.ts';
import { runOperation } from '../../src/platform/operations/run-operation.ts';
import type { SteppingKind } from '../../src/platform/operations/step-operation.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { startCampaign } from '../campaigns/campaign-scenes.ts';

const PEOPLE = 5_010;

let api: ApiFixture;
let admin: ApiCaller;
let campaignId: string;
beforeAll(async () => {
  api = await openApiFixture({}, { isWorking: false });
  admin = await api.as('admin');
  const contactIds = Array.from({ length: PEOPLE }, () => newId());
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at)
     SELECT id, $1, 'Person ' || n, '+4477' || (10000000 + n), now() + interval '9 hours'
       FROM unnest($2::uuid[]) WITH ORDINALITY AS p (id, n)`,
    [api.workspaceId, contactIds],
  );
  await api.addChannel();
  campaignId = (await startCampaign(admin, { audience: { contactIds } })).id;
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);

/** The lines of a file whose first page is written, and whose place is then as an earlier version kept it: behind the first two. */
async function goOn(kind: SteppingKind, begun: string, body: object, place: object): Promise<string[]> {
  const { id } = await (await admin.post(begun, body)).json<{ id: string }>();
  await query(
    `UPDATE operations SET resume = (resume - 'isOfKept' - 'workbook') || $2 WHERE id = $1 AND ended_at IS NULL`,
    [id, JSON.stringify(place)],
  );
  await query('DELETE FROM operation_parts WHERE operation_id = $1 AND part <> 0', [id]);
  await runOperation(api.parts, kind, {
    ...{ id, workspaceId: api.workspaceId, signal: new AbortController().signal },
  });
  const file = await admin.get(`/api/operations/${id}/file`);
  expect(file.status).toBe(200);
  return (await file.text()).trim().split('\r\n');
}

async function cursorBehindTwo(address: string): Promise<string> {
  const { nextCursor } = await (await admin.get(address)).json<{ nextCursor: string }>();
  return nextCursor;
}

test('an export of the people of a campaign that was begun before they were kept goes on behind its cursor', async () => {
  const cursor = await cursorBehindTwo(`/api/contacts?campaignId=${campaignId}&sort=name&limit=2`);
  const wish = { format: 'csv', sort: 'name', choice: { filter: { campaignId } } };
  const lines = await goOn(contactExport, '/api/contacts/exports', wish, { cursor, written: 2 });
  expect([lines.length, new Set(lines).size]).toEqual([1 + 5_000 + PEOPLE - 2, 1 + PEOPLE]);
});

test('results that were begun before they had workbooks go on behind their cursor', async () => {
  const cursor = await cursorBehindTwo(`/api/campaigns/${campaignId}/recipients?limit=2`);
  const lines = await goOn(resultsExport, `/api/campaigns/${campaignId}/results-exports`, {}, { cursor });
  expect([lines.length, new Set(lines).size]).toEqual([1 + 5_000 + PEOPLE - 2, 1 + PEOPLE]);
});

test('a place that says no cursor is none', async () => {
  const lines = await goOn(
    ...([resultsExport, `/api/campaigns/${campaignId}/results-exports`, {}, { cursor: null }] as const),
  );
  expect(
    lines.filter((line) =>
      line.endsWith(
        'name,phone,outcome,code,explanation,time,fallback,fallback code,fallback time,clicked,converted',
      ),
    ),
  ).toHaveLength(2);
  expect(new Set(lines.slice(1)).size).toBe(1 + PEOPLE);
});
