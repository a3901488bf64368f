import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import type { WorkKind } from '@app/database/database';
import pg from 'pg';
import { openApiFixture, type ApiCaller, type ApiFixture, type ApiResponse } from '../api-fixture.ts';

let api: ApiFixture;
let admin: ApiCaller;
let other: ApiCaller;
let superuser: pg.Client;
beforeAll(async () => {
  api = await openApiFixture({}, { hasTimesOfProduction: true });
  admin = await api.as('admin');
  other = await api.asOther();
  superuser = new pg.Client({ connectionString: api.databaseUrl });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await api.close();
});

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
    headers: { prefer: 'wait=50', 'content-type': 'text/csv' },
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
    // What would wait for them would not be answered before they are given back, or with 503.
    expect((await admin.get(`/api/contacts/${id}`)).status).toBe(200);
    expect((await admin.get('/api/contacts?search=an')).status).toBe(200);
    expect((await admin.patch(`/api/contacts/${id}`, { name: 'Anne', version: 1 })).status).toBe(200);
    await giveBack();
    expect(new Set((await Promise.all(counts)).map(({ status }) => status))).toEqual(new Set([200]));
  });
});

test('reports that take long make only reports wait', async () => {
  const added = await admin.post('/api/contacts', { name: 'Bea', phone: '+447700900030' });
  const { id } = await added.json<{ id: string }>();
  const giveBack = await takeAll('reporting', 3);
  const reports = Array.from({ length: 20 }, () => admin.get('/api/analytics/results'));
  try {
    // What would wait for them would not be answered before they are given back, or with 503.
    for (const path of [
      ...['/api/contacts', '/api/contacts?search=an', '/api/campaigns', '/api/conversations'],
      ...['/api/analytics/choices', '/api/analytics/filters?tag=vip', `/api/contacts/${id}/best-time`],
    ])
      expect([path, (await admin.get(path)).status]).toEqual([path, 200]);
  } finally {
    await giveBack();
  }
  expect(new Set((await Promise.all(reports)).map(({ status }) => status))).toEqual(new Set([200]));
});

longTest('who waits too long for a connection hears that the server is busy, on each way in', async () => {
  const giveBack = await takeAll('interactive', 4);
  const [rest, rpc, file] = await Promise.all([
    admin.get('/api/contacts'),
    admin.post('/api/rpc/contacts/summarize', { json: {} }),
    admin.get(`/api/media/${crypto.randomUUID()}/content`),
  ]);
  await giveBack();
  expect([rest.status, rpc.status, file.status]).toEqual([503, 503, 503]);
  for (const { headers } of [rest, rpc, file]) expect(headers.get('retry-after')).toBe('5');
  expect(await rest.json()).toMatchObject({ error: { code: 'server_busy' } });
  expect(await rpc.json()).toMatchObject({ error: { code: 'server_busy' } });
  expect(await file.json()).toMatchObject({ error: { code: 'server_busy' } });
});

/** Contacts that somebody else's transaction holds until the answer is called. */
async function holdContacts(...ids: string[]): Promise<() => Promise<void>> {
  const client = await api.db.systemPool.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM contacts WHERE id = ANY($1) FOR UPDATE', [ids]);
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}

async function addContact(phone: string, caller = admin): Promise<string> {
  const added = await caller.post('/api/contacts', { name: 'Ann', phone });
  return (await added.json<{ id: string }>()).id;
}

const edit = (contactId: string, caller = admin) =>
  caller.post('/api/contacts/bulk-edit', {
    ...{ choice: { contactIds: [contactId] }, addTags: ['new'], removeTags: [] },
  });

/** Asked as a superuser, who alone sees what others wait for. */
const waitingForRows = async () => {
  const { rows } = await superuser.query(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0].n;
};

test('long acts of one workspace wait for their own kind alone, and leave a connection to the others', async () => {
  const id = await addContact('+447700900004');
  const othersId = await addContact('+447700900004', other);
  const letGo = await holdContacts(id);
  const edits = Array.from({ length: 16 }, () => edit(id));
  // What is answered below waits for nobody: those edits go on only when they are let go.
  await expect.poll(waitingForRows).toBe(2);
  expect((await admin.get(`/api/contacts/${id}`)).status).toBe(200);
  expect((await other.get(`/api/contacts/${othersId}`)).status).toBe(200);
  expect((await edit(othersId, other)).status).toBe(200);
  await letGo();
  expect(new Set((await Promise.all(edits)).map(({ status }) => status))).toEqual(new Set([200]));
});

test('campaigns are made and started while the workspace does all the long work that it may', async () => {
  await api.addChannel();
  const id = await addContact('+447700900010');
  await api.db.systemPool.query(
    `UPDATE contacts SET window_expires_at = now() + interval '9 hours' WHERE id = $1`,
    [id],
  );
  const letGo = await holdContacts(await addContact('+447700900011'));
  const { rows } = await api.db.systemPool.query(`SELECT id FROM contacts WHERE phone = '+447700900011'`);
  const edits = [1, 2, 3].map(() => edit(rows[0].id));
  await expect.poll(waitingForRows).toBe(2);
  const draft = { message: { customMessage: 'Hi' }, audience: { contactIds: [id] } };
  const made = await admin.post('/api/campaigns', { name: 'Beside long work', ...draft });
  const { id: campaignId } = await made.json<{ id: string }>();
  const started = await admin.post(`/api/campaigns/${campaignId}/start`);
  const sent = await admin.post('/api/bulk-messages', draft);
  expect([made.status, started.status, sent.status]).toEqual([200, 200, 200]);
  await letGo();
  expect(new Set((await Promise.all(edits)).map(({ status }) => status))).toEqual(new Set([200]));
});

test('a second press of the same act holds no connection while it waits', async () => {
  const id = await addContact('+447700900005');
  const letGo = await holdContacts(id);
  const press = () =>
    admin.request(`/api/contacts/${id}`, {
      method: 'DELETE',
      headers: { 'idempotency-key': 'pressed-many-times' },
    });
  const presses = Array.from({ length: 12 }, press);
  await expect.poll(waitingForRows).toBe(1);
  expect((await other.get('/api/contacts')).status).toBe(200);
  expect(await waitingForRows()).toBe(1);
  await letGo();
  expect(new Set((await Promise.all(presses)).map(({ status }) => status))).toEqual(new Set([200]));
});

describe('an act that gave way to another transaction', () => {
  /** The next `times` rows of a table meet another transaction, and lose; what fails does not take the number back. */
  async function loseRaces(table: string, code: string, times: number): Promise<void> {
    await api.db.systemPool.query(`
      DROP SEQUENCE IF EXISTS races CASCADE;
      CREATE SEQUENCE races;
      CREATE OR REPLACE FUNCTION lose_race() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('races') <= ${times} THEN RAISE EXCEPTION 'lost' USING ERRCODE = '${code}'; END IF;
        RETURN new;
      END $$;
      CREATE OR REPLACE TRIGGER lose_race BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION lose_race()`);
  }

  test.each(['40P01', '40001'])(
    'is done anew, and told as busy when that does not help: %s',
    async (code) => {
      await loseRaces('contacts', code, 2);
      const body = { name: 'Ann', phone: code === '40001' ? '+447700900006' : '+447700900007' };
      expect((await admin.post('/api/contacts', body)).status).toBe(200);
      await loseRaces('contacts', code, 1_000);
      const refused = await admin.post('/api/contacts', { name: 'Ann', phone: '+447700900008' });
      expect([refused.status, (await refused.json<{ error: { code: string } }>()).error.code]).toEqual([
        503,
        'server_busy',
      ]);
      await loseRaces('contacts', code, 0);
    },
  );

  test('frees its key when it left nothing, although it may reach outside', async () => {
    await loseRaces('templates', '40P01', 1);
    const body = {
      name: 'Lost a race',
      category: 'utility',
      components: [{ type: 'body', text: 'Your order is on its way to you.' }],
    };
    const press = () => admin.post('/api/templates', body, 'template-that-lost');
    const first = await press();
    expect([first.status, (await first.json<{ error: { code: string } }>()).error.code]).toEqual([
      503,
      'server_busy',
    ]);
    expect(await (await press()).json()).toMatchObject({ name: 'Lost a race' });
  });
});

test('each kind has its own time for one statement', async () => {
  const times = await Promise.all(
    (['interactive', 'long'] as const).map((kind) =>
      api.db.inWorkspaceFor(kind, api.workspaceId, async (_, client) => {
        const { rows } = await client.query('SHOW statement_timeout');
        return rows[0].statement_timeout;
      }),
    ),
  );
  expect(times).toEqual(['20s', '10min']);
});
