import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveTime, type WorkKind } from '@app/database/database';
import { openApiFixture, type ApiCaller, type ApiFixture, type ApiResponse } from './api-fixture.ts';

let api: ApiFixture;
let admin: ApiCaller;
let other: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  other = await api.asOther();
});
afterAll(() => api.close());

/** The connections of one kind of work, all taken until the answer is called. */
async function takeAll(kind: WorkKind, most: number): Promise<() => Promise<unknown>> {
  let giveBack = () => {};
  const given = new Promise<void>((resolve) => (giveBack = resolve));
  let taken = 0;
  const works = Array.from({ length: most }, () =>
    api.db.inWorkspaceFor(kind, api.workspaceId, () => {
      taken += 1;
      return given;
    }),
  );
  await expect.poll(() => taken).toBe(most);
  return () => {
    giveBack();
    return Promise.all(works);
  };
}

const count = () =>
  admin.post('/api/segments/count', {
    rules: { match: 'all', conditions: [{ kind: 'name_contains', value: 'an' }] },
  });

function upload(caller: ApiCaller, body: ReadableStream<Uint8Array> | string): Promise<ApiResponse> {
  return caller.request('/api/contacts/imports', {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/csv' },
    ...(typeof body !== 'string' && { duplex: 'half' }),
  });
}

describe('25 uploads that never end', () => {
  const enders: (() => void)[] = [];
  const slowFile = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('name,phone\n'));
        enders.push(() => controller.close());
      },
    });

  test('take two places of their workspace and nothing of anybody else', async () => {
    const refused: string[] = [];
    const uploads = Array.from({ length: 25 }, () => upload(admin, slowFile()));
    const watched = uploads.map(async (running) => {
      const answer = await running;
      if (answer.status === 503) refused.push((await answer.json<{ error: { code: string } }>()).error.code);
      return answer.status;
    });
    await expect.poll(() => refused.length).toBe(23);
    expect(new Set(refused)).toEqual(new Set(['contact_import_busy']));

    expect((await admin.get('/api/contacts')).status).toBe(200);
    const imported = await upload(other, 'name,phone\nAnn,+447700900001\n');
    expect(await imported.json()).toMatchObject({ state: 'done', successful: 1 });

    enders.forEach((end) => end());
    expect((await Promise.all(watched)).toSorted()).toEqual([200, 200, ...refused.map(() => 503)]);
    expect((await upload(admin, 'name,phone\nAnn,+447700900002\n')).status).toBe(200);
  });
});

describe('many counts at the same time', () => {
  test('make only their like wait', async () => {
    const added = await admin.post('/api/contacts', { name: 'Anna', phone: '+447700900003' });
    const { id } = await added.json<{ id: string }>();
    const giveBack = await takeAll('counting', 3);
    const counts = Array.from({ length: 60 }, count);
    const begun = Date.now();
    expect((await admin.get(`/api/contacts/${id}`)).status).toBe(200);
    expect((await admin.get('/api/contacts?search=an')).status).toBe(200);
    expect((await admin.patch(`/api/contacts/${id}`, { name: 'Anne', version: 1 })).status).toBe(200);
    expect(Date.now() - begun).toBeLessThan(2_000);
    await giveBack();
    expect(new Set((await Promise.all(counts)).map(({ status }) => status))).toEqual(new Set([200]));
  });
});

test('who waits too long for a connection hears that the server is busy, on each way in', async () => {
  const giveBack = await takeAll('interactive', 4);
  const [rest, rpc, file] = await Promise.all([
    admin.get('/api/contacts'),
    admin.post('/api/rpc/contacts/summarize', { json: {} }),
    admin.get(`/api/media/${crypto.randomUUID()}/content`),
  ]);
  await giveBack();
  expect([rest.status, rpc.status, file.status]).toEqual([503, 503, 503]);
  expect(await rest.json()).toMatchObject({ code: 'server_busy' });
  expect(await rpc.json()).toMatchObject({ json: { code: 'server_busy' } });
  expect(await file.json()).toMatchObject({ error: { code: 'server_busy' } });
});

test('an act that holds its key gets the time of its kind, and its connection keeps none of it', async () => {
  const times = await api.db.inWorkspace(api.workspaceId, async (_, client) => {
    const read = async () => (await client.query('SHOW statement_timeout')).rows[0].statement_timeout;
    const before: string = await read();
    await giveTime(client, 'long');
    return [before, await read()];
  });
  expect(times).toEqual(['20s', '10min']);
  const { rows } = await api.db.inWorkspace(api.workspaceId, (_, client) =>
    client.query('SHOW statement_timeout'),
  );
  expect(rows).toEqual([{ statement_timeout: '20s' }]);
});
