import { migrationSteps } from '@app/database/database';
import { rewriteArchive, type Rewrite } from '@app/database/testing/rewrite-archive';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';
import { createMemoryMediaStore } from '../memory-media-store.ts';
import { openArchiveImports } from './archive-imports-fixture.ts';

/** A version before links were counted: it had no tables for them. */
const BEFORE = migrationSteps().findIndex(({ name }) => name === '0450_counted_links.sql');
const LATER = new Set(
  migrationSteps()
    .slice(BEFORE)
    .flatMap(({ sql }) => [...sql.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name)),
);
const withoutLaterTables: Rewrite = {
  part: (part) => (part.kind === 'table' && LATER.has(part.name) ? null : part),
};
let api: ApiFixture;
let beside: ReturnType<typeof openArchiveImports>;
let file: Uint8Array;

beforeAll(async () => {
  api = await openApiFixture({ mediaStore: createMemoryMediaStore() }, { isWorking: false });
  const admin = await api.as('admin');
  beside = openArchiveImports(api, await api.asOther(), api.otherWorkspaceId);
  await admin.post('/api/contacts', { name: 'Ana', phone: '+4915155512345' });
  file = await openArchiveImports(api, admin, api.workspaceId).take(null);
});
afterAll(() => api.close());

const namesBeside = async () =>
  (
    await api.db.systemPool.query<{ name: string }>('SELECT name FROM contacts WHERE workspace_id = $1', [
      api.otherWorkspaceId,
    ])
  ).rows.map(({ name }) => name);

longTest('an archive of an older version has no tables that came later, and is read in', async () => {
  expect(LATER).toContain('counted_links');
  const older = await rewriteArchive(file, {
    ...withoutLaterTables,
    steps: (steps) => steps.slice(0, BEFORE),
  });
  await beside.readIn(older, null);
  expect(await namesBeside()).toEqual(['Ana']);
});

test('an archive of this version without one of its tables is not whole', async () => {
  const damaged = await rewriteArchive(file, withoutLaterTables);
  const id = await beside.sent(damaged);
  expect(await beside.check(id, null)).toMatchObject({ state: 'failed', error: { code: 'archive_invalid' } });
});
