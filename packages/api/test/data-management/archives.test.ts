import { newId } from '@app/database/new-id';
import { openBackup } from '@app/database/backup/read-parts';
import { DAYS_ARCHIVE_KEPT, MOST_ARCHIVES } from '@app/domain/data-management/workspace-archive';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longDescribe, longTest } from '@app/database/testing/long-test';
import { workspaceArchive } from '../../src/data-management/archive-operation.ts';
import { archivesPersonData, removeEndedArchives } from '../../src/data-management/workspace-archives.ts';
import { runOperation } from '../../src/platform/operations/run-operation.ts';
import { StorageFull } from '../../src/platform/media-store.ts';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import { createTestSecretBox, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { createMemoryMediaStore } from '../memory-media-store.ts';

type Operation = {
  id: string;
  state: string;
  done: number;
  total: number;
  error: { code: string } | null;
};
type Archive = {
  id: string;
  bytes: number;
  withSecrets: boolean;
  isEncrypted: boolean;
  keptUntil: string;
};

const PASSPHRASE = 'a passphrase of the tests';
const DAY_MS = 86_400_000;
const store = createMemoryMediaStore();
let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  // Nobody works in the background: an act waits until a test takes it up.
  api = await openApiFixture({ mediaStore: store }, { isWorking: false });
  admin = await api.as('admin');
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone) SELECT gen_random_uuid(), w, 'Ann of ' || w, '+4915' || n
       FROM unnest($1::uuid[]) WITH ORDINALITY AS t (w, n)`,
    [[api.workspaceId, api.otherWorkspaceId]],
  );
  await api.addChannel();
});
afterAll(() => api.close());
beforeEach(async () => {
  await query('DELETE FROM workspace_archives');
  await query('DELETE FROM operations');
  store.files.clear();
});

const query = async (text: string, values: unknown[] = []) =>
  (await api.db.systemPool.query(text, values)).rows;
const plain = { withSecrets: false, passphrase: null };
const begin = async (wish: object = plain, key?: string) =>
  (await admin.post('/api/data/archives', wish, key)).json<Operation>();
const work = async (id: string, parts: Partial<ApiFixture['parts']> = {}) => {
  const signal = new AbortController().signal;
  await runOperation({ ...api.parts, ...parts }, workspaceArchive, {
    id,
    workspaceId: api.workspaceId,
    signal,
  });
  return (await admin.get(`/api/operations/${id}`)).json<Operation>();
};
const list = async (caller = admin) =>
  (await (await caller.get('/api/data/archives')).json<{ items: Archive[] }>()).items;
const fileOf = (id: string) => `/api/data/archives/${id}/file`;
const told = async (type: string) => (await query('SELECT FROM events WHERE type = $1', [type])).length;

async function readTexts(bytes: Uint8Array, passphrase?: string): Promise<Map<string, string>> {
  const pieces = async function* () {
    yield bytes;
  };
  const { parts } = await openBackup(pieces(), passphrase);
  const texts = new Map<string, string>();
  for await (const part of parts) {
    const name = 'name' in part.part ? part.part.name : part.part.kind;
    if (part.event === 'data') texts.set(name, (texts.get(name) ?? '') + Buffer.from(part.bytes).toString());
  }
  return texts;
}

describe('an archive', () => {
  test('is written as a long act, and handed out whole or from some byte on to whoever may have it', async () => {
    const begun = await begin();
    expect(begun).toMatchObject({ kind: 'workspace-archive', state: 'queued' });
    expect(await list()).toEqual([]);
    const done = await work(begun.id);
    expect(done.state).toBe('done');
    expect(done.done).toBe(done.total);
    const [archive, ...others] = await list();
    expect(others).toEqual([]);
    expect(archive).toMatchObject({
      id: begun.id,
      withSecrets: false,
      isEncrypted: false,
    });

    const answer = await admin.get(fileOf(begun.id));
    expect(answer.headers.get('content-disposition')).toMatch(/filename="workspace-[\d-]{10}\.archive"/);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(bytes.length).toBe(archive!.bytes);
    const texts = await readTexts(bytes);
    expect(texts.get('contacts')).toContain(`Ann of ${api.workspaceId}`);
    expect([...texts.values()].join('\n')).not.toContain(api.otherWorkspaceId);

    const rest = await admin.request(fileOf(begun.id), {
      headers: { range: 'bytes=100-' },
    });
    expect([rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      `bytes 100-${bytes.length - 1}/${bytes.length}`,
    ]);
    expect(new Uint8Array(await rest.arrayBuffer())).toEqual(bytes.subarray(100));
    expect([await told('data.archived'), await told('data.archive_downloaded')]).toEqual([1, 2]);
  });

  longTest(
    'with secrets is closed by the passphrase, which is sealed until it is written and forgotten then',
    async () => {
      const tooOpen = await admin.post('/api/data/archives', {
        withSecrets: true,
        passphrase: null,
      });
      const tooShort = await admin.post('/api/data/archives', {
        withSecrets: true,
        passphrase: 'short',
      });
      expect([tooOpen.status, tooShort.status]).toEqual([422, 422]);
      const { id } = await begin({ withSecrets: true, passphrase: PASSPHRASE });
      const everything = async () =>
        JSON.stringify([
          await query('SELECT to_jsonb(a) AS row FROM operations a'),
          await query('SELECT to_jsonb(a) AS row FROM idempotency_keys a'),
          await query('SELECT to_jsonb(a) AS row FROM workspace_archives a'),
          await query('SELECT data FROM jobs.job'),
          await query('SELECT to_jsonb(a) AS row FROM events a'),
        ]);
      expect(await everything()).not.toContain(PASSPHRASE);
      expect((await work(id)).state).toBe('done');
      expect(await query('SELECT wish FROM operations WHERE id = $1', [id])).toEqual([{ wish: {} }]);
      expect(await everything()).not.toContain(PASSPHRASE);
      const bytes = new Uint8Array(await (await admin.get(fileOf(id))).arrayBuffer());
      await expect(readTexts(bytes)).rejects.toMatchObject({
        fault: 'passphrase_missing',
      });
      const texts = await readTexts(bytes, PASSPHRASE);
      expect(JSON.parse(texts.get('secrets')!)).not.toEqual([]);
    },
  );

  test('pressed twice is one, and another one waits until it is ready', async () => {
    const [first, second] = await Promise.all([begin(plain, 'pressed-once'), begin(plain, 'pressed-once')]);
    expect([first.state, second.id]).toEqual(['queued', first.id]);
    const other = await admin.post('/api/data/archives', plain, 'another-tab');
    expect([other.status, await other.json()]).toMatchObject([409, { error: { code: 'archive_under_way' } }]);
    await work(first.id);
    expect(await list()).toHaveLength(1);
    expect((await admin.post('/api/data/archives', plain, 'another-tab-later')).status).toBe(200);
  });

  test('is refused while as many lie ready as may', async () => {
    await query(
      `INSERT INTO workspace_archives (id, workspace_id, with_secrets, is_encrypted, run, bytes, created_at, kept_until)
       SELECT gen_random_uuid(), $1, false, false, 1, 4, now(), now() + interval '1 day' FROM generate_series(1, $2)`,
      [api.workspaceId, MOST_ARCHIVES],
    );
    const refused = await admin.post('/api/data/archives', plain);
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { error: { code: 'too_many_archives' } },
    ]);
    expect(await query('SELECT FROM operations')).toHaveLength(0);
  });
});

describe('who may', () => {
  test('nobody of another workspace sees, takes or deletes it', async () => {
    const { id } = await begin();
    await work(id);
    const other = await api.asOther();
    expect(await list(other)).toEqual([]);
    expect((await other.get(fileOf(id))).status).toBe(404);
    expect((await other.delete(`/api/data/archives/${id}`)).status).toBe(404);
    expect(await list()).toHaveLength(1);
  });

  longTest(
    'roles without the settings neither begin, take nor delete one, and a proof of long ago opens nothing',
    async () => {
      const { id } = await begin();
      await work(id);
      for (const role of ['manager', 'agent', 'viewer'] as const) {
        const caller = await api.as(role);
        const answers = [
          await caller.post('/api/data/archives', plain),
          await caller.get(fileOf(id)),
          await caller.delete(`/api/data/archives/${id}`),
        ];
        expect(
          answers.map(({ status }) => status),
          role,
        ).toEqual([403, 403, 403]);
      }
      api.advance(DAY_MS / 2);
      try {
        for (const answer of [await admin.get(fileOf(id)), await admin.post('/api/data/archives', plain)])
          expect([answer.status, await answer.json()]).toMatchObject([
            403,
            { error: { code: 'password_needed' } },
          ]);
      } finally {
        api.advance(-DAY_MS / 2);
      }
      expect(await told('data.archive_deleted')).toBe(0);
    },
  );
});

longDescribe('an end', () => {
  test('comes by itself after its days, or by somebody once; its bytes go with it', async () => {
    const first = await begin();
    await work(first.id);
    expect(store.files.size).toBe(1);
    const key = 'delete-it';
    expect((await admin.request(`/api/data/archives/${first.id}`, remove(key))).status).toBe(200);
    expect((await admin.request(`/api/data/archives/${first.id}`, remove(key))).status).toBe(200);
    expect((await admin.request(`/api/data/archives/${first.id}`, remove('delete-again'))).status).toBe(404);
    expect(await told('data.archive_deleted')).toBe(1);
    expect((await admin.get(fileOf(first.id))).status).toBe(404);
    await removeEndedArchives(api.parts);
    expect([store.files.size, await query('SELECT FROM workspace_archives')]).toEqual([0, []]);

    const second = await begin();
    await work(second.id);
    await removeEndedArchives(api.parts);
    expect(await list()).toHaveLength(1);
    const later = {
      ...api.parts,
      clock: () => new Date(Date.now() + DAYS_ARCHIVE_KEPT * DAY_MS + 1000),
    };
    await removeEndedArchives(later);
    expect([store.files.size, await list()]).toEqual([0, []]);
  });

  test('comes to each when somebody of the workspace is erased, and one that is read meanwhile is read anew', async () => {
    const ready = await begin();
    await work(ready.id);
    const erase = () =>
      changeAsSystem(api.parts, 'upkeep', api.workspaceId, (scope) =>
        archivesPersonData.erase(scope, {
          ids: [],
          identifiers: [],
          names: [],
        } as never),
      );
    await erase();
    expect(await list()).toEqual([]);
    const { id } = await begin();
    let readings = 0;
    const takeArchive: ApiFixture['parts']['takeArchive'] = async (wanted) => {
      const taken = await api.parts.takeArchive(wanted);
      readings += 1;
      if (readings === 1) await erase();
      return taken;
    };
    expect(await work(id, { takeArchive })).toMatchObject({ state: 'done' });
    expect([readings, (await list()).map((one) => one.id)]).toEqual([2, [id]]);
  });

  test('comes to none that begins while somebody is erased: it waits, and is without them', async () => {
    const contactId = newId();
    await query(
      `INSERT INTO contacts (id, workspace_id, name, phone) VALUES ($1, $2, 'Zoe Erased', '+4917012345')`,
      [...[contactId, api.workspaceId]],
    );
    const hasLooked = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const erasing = changeAsSystem(api.parts, 'upkeep', api.workspaceId, async (scope) => {
      await archivesPersonData.erase(scope, {
        ids: [],
        identifiers: [],
        names: [],
      } as never);
      await scope.query('DELETE FROM contacts WHERE id = $1', [contactId]);
      hasLooked.resolve();
      await mayCommit.promise;
    });
    await hasLooked.promise;
    // Nobody has told this one that somebody goes.
    const { id } = await begin();
    const working = work(id);
    await expect
      .poll(() => query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`), {})
      .toHaveLength(1);
    mayCommit.resolve();
    await erasing;
    expect(await working).toMatchObject({ state: 'done' });
    const bytes = new Uint8Array(await (await admin.get(fileOf(id))).arrayBuffer());
    expect([...(await readTexts(bytes)).values()].join('\n')).not.toContain('Zoe Erased');
  });
});

describe('what goes wrong', () => {
  longTest(
    'files that the store has lost and secrets that no key opens are told of with the archive',
    async () => {
      await query(
        `INSERT INTO media (id, workspace_id, name, type, mime_type, size, sha256, storage_key)
       SELECT gen_random_uuid(), $1, 'lost ' || n, 'image', 'image/png', 5000, 'x', 'lost-' || n FROM generate_series(1, 2) AS n`,
        [api.workspaceId],
      );
      const other = await createTestSecretBox();
      const sealed = await other.seal('of another key');
      await query(
        `UPDATE channels SET credentials = jsonb_set(credentials, '{secrets,accessToken}', to_jsonb($2::text)) WHERE workspace_id = $1`,
        [api.workspaceId, sealed],
      );
      const { id } = await begin({ withSecrets: true, passphrase: PASSPHRASE });
      expect(await work(id)).toMatchObject({
        state: 'done',
        result: { missingFiles: 2, lockedSecrets: 1 },
      });
      expect(await list()).toMatchObject([{ missingFiles: 2, lockedSecrets: 1 }]);
      await query('DELETE FROM media WHERE workspace_id = $1', [api.workspaceId]);
    },
  );

  longTest('how far it is grows by rows and by bytes of files, and never beyond all of it', async () => {
    await query(
      `INSERT INTO contacts (id, workspace_id, name, phone) SELECT gen_random_uuid(), $1, repeat('Long ', 60), '+4916' || (10000000 + n)
         FROM generate_series(1, 5000) AS n`,
      [api.workspaceId],
    );
    const size = 3_000_000;
    await store.put('large-file', new Uint8Array(size));
    await query(
      `INSERT INTO media (id, workspace_id, name, type, mime_type, size, sha256, storage_key) VALUES (gen_random_uuid(), $1, 'large', 'image', 'image/png', $2, 'x', 'large-file')`,
      [api.workspaceId, size],
    );
    const rows: number[] = [];
    const bytes: number[] = [];
    const takeArchive: ApiFixture['parts']['takeArchive'] = (wanted) =>
      api.parts.takeArchive({
        ...wanted,
        onRows(done) {
          rows.push(done);
          wanted.onRows?.(done);
        },
        onFile(files, done) {
          bytes.push(done);
          wanted.onFile(files, done);
        },
      });
    const { id } = await begin();
    const done = await work(id, { takeArchive });
    // In the middle of the one table, and of the one file.
    expect(rows.filter((one) => one > 500 && one < 5_000).length).toBeGreaterThan(2);
    expect(bytes.filter((one) => one > 0 && one < size).length).toBeGreaterThan(1);
    expect(done.total).toBeGreaterThan(5_000 + size / 1_024);
    expect(done.done).toBe(done.total);
    await query(`DELETE FROM contacts WHERE phone LIKE '+4916%'`);
    await query('DELETE FROM media WHERE workspace_id = $1', [api.workspaceId]);
  });

  test('what takes longer than it may has failed, says so, and is not begun again by itself', async () => {
    const { id } = await begin();
    const stopping = new AbortController();
    const takeArchive: ApiFixture['parts']['takeArchive'] = async (wanted) => {
      stopping.abort(new DOMException('too long', 'TimeoutError'));
      return api.parts.takeArchive(wanted);
    };
    await runOperation({ ...api.parts, takeArchive }, workspaceArchive, {
      ...{ id, workspaceId: api.workspaceId, signal: stopping.signal },
    });
    expect(await (await admin.get(`/api/operations/${id}`)).json<Operation>()).toMatchObject({
      ...{ state: 'failed', error: { code: 'archive_too_slow' } },
    });
    expect(store.files.size).toBe(0);
  });

  longTest(
    'a process that dies leaves it to the next, which writes it whole; what the first one left goes too',
    async () => {
      const { id } = await begin();
      const { workspaceId, parts } = api;
      const dying: ApiFixture['parts']['takeArchive'] = async (wanted) => {
        await parts.takeArchive(wanted);
        // It has kept its bytes, and is never heard of again.
        await store.put(`${workspaceId}/archive-${id}-1`, new Uint8Array(3));
        throw new DOMException('gone', 'AbortError');
      };
      const stopping = new AbortController();
      const stopped = runOperation({ ...parts, takeArchive: dying }, workspaceArchive, {
        ...{ id, workspaceId, signal: stopping.signal },
      });
      stopping.abort();
      await expect(stopped).rejects.toThrow('aborted');
      expect((await (await admin.get(`/api/operations/${id}`)).json<Operation>()).state).toBe('interrupted');
      expect(await work(id)).toMatchObject({
        state: 'done',
        wasInterrupted: true,
      });
      const [archive] = await list();
      const bytes = new Uint8Array(await (await admin.get(fileOf(id))).arrayBuffer());
      expect(bytes.length).toBe(archive!.bytes);
      await readTexts(bytes);
      await admin.delete(`/api/data/archives/${id}`);
      await removeEndedArchives(parts);
      expect([...store.files.keys()]).toEqual([]);
    },
  );

  test('whoever comes to the end after another one ended it leaves no bytes behind', async () => {
    const { id } = await begin();
    const takeArchive: ApiFixture['parts']['takeArchive'] = async (wanted) => {
      const taken = await api.parts.takeArchive(wanted);
      await query('UPDATE operations SET run = run + 1 WHERE id = $1', [id]);
      await query('DELETE FROM workspace_archives WHERE id = $1', [id]);
      return taken;
    };
    await work(id, { takeArchive });
    expect([...store.files.keys()]).toEqual([]);
    await query('DELETE FROM operations WHERE id = $1', [id]);
  });

  longTest('what no process brings to its end is given up, and the next may begin', async () => {
    const { id } = await begin();
    await query('UPDATE operations SET run = 10 WHERE id = $1', [id]);
    expect(await work(id)).toMatchObject({
      state: 'failed',
      error: { code: 'archive_interrupted' },
    });
    const next = await begin();
    expect(await work(next.id)).toMatchObject({ state: 'done' });
  });

  test('a disk without room, somebody who stops it, or whose rights went: nothing lies ready, and the next may begin', async () => {
    const full = await begin();
    const takeArchive = async () => {
      throw new StorageFull('full');
    };
    expect(await work(full.id, { takeArchive })).toMatchObject({
      ...{ state: 'failed', error: { code: 'storage_full' } },
    });
    const unopened = await begin();
    const begins = async () => {
      throw new StorageFull('full');
    };
    expect(await work(unopened.id, { mediaStore: { ...store, begin: begins } })).toMatchObject({
      ...{ state: 'failed', error: { code: 'storage_full' } },
    });
    const stopped = await begin();
    expect((await admin.post(`/api/operations/${stopped.id}/cancel`)).status).toBe(200);
    expect(await work(stopped.id)).toMatchObject({ state: 'cancelled' });
    const unwanted = await begin();
    const own = [await api.userId('admin@acme.test')];
    await query(`UPDATE memberships SET role = 'viewer' WHERE user_id = $1`, own);
    await runOperation(api.parts, workspaceArchive, {
      ...{
        id: unwanted.id,
        workspaceId: api.workspaceId,
        signal: new AbortController().signal,
      },
    });
    await query(`UPDATE memberships SET role = 'admin' WHERE user_id = $1`, own);
    expect(await query('SELECT error_code FROM operations WHERE id = $1', [unwanted.id])).toEqual([
      { error_code: 'starter_not_allowed' },
    ]);
    expect(await list()).toEqual([]);
    await removeEndedArchives(api.parts);
    expect([store.files.size, await query('SELECT FROM workspace_archives')]).toEqual([0, []]);
  });

  test('bytes that are gone are a refusal, and no half file', async () => {
    const { id } = await begin();
    await work(id);
    store.files.clear();
    expect((await admin.get(fileOf(id))).status).toBe(404);
    expect((await admin.get(fileOf(newId()))).status).toBe(404);
  });
});

function remove(key: string): RequestInit {
  return { method: 'DELETE', headers: { 'idempotency-key': key } };
}
