import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiFixture, signIn, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { clearPastReauthentications } from '../../src/auth/clear-past-reauthentications.ts';
import { deleteOldSessions } from '../../src/auth/sessions/delete-old-sessions.ts';
import { readAnswer } from '../http-edge/contract-routes.ts';
import { addCaller } from './add-person.ts';

type Item = { id: string; user: { id: string }; isActive: boolean; isCurrent: boolean; device: object };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());

const list = async (query = '') =>
  (await (await admin.get(`/api/sessions?limit=200${query}`)).json<{ items: Item[] }>()).items;
const isOpen = async (caller: ApiCaller) => (await (await caller.get('/api/session')).json()) !== null;

describe('sessions', () => {
  test('are listed with who, where and on what, never with a token', async () => {
    const { id } = await addCaller(api, 'agent', 'Sesi');
    const [session] = await list(`&userId=${id}`);
    expect(session).toMatchObject({
      user: { id, name: 'Sesi Haddad', role: 'agent' },
      ipAddress: '192.0.2.1',
      device: { kind: 'desktop' },
      isActive: true,
      isCurrent: false,
    });
    expect((await list()).filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    const text = await (await admin.get('/api/sessions')).text();
    const { rows } = await api.db.systemPool.query<{ token: string }>('SELECT token FROM sessions');
    for (const { token } of rows) expect(text).not.toContain(token);
    expect(text).not.toContain('other.test');
  });

  test('go on page after page, each once', async () => {
    for (let more = 0; more < 3; more += 1) await addCaller(api, 'viewer');
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await (
        await admin.get(`/api/sessions?limit=2&cursor=${cursor}`)
      ).json<{ items: Item[]; nextCursor: string | null }>();
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? '';
    } while (cursor);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBe((await list()).length);
  });

  test('one ends at once, with its stream and its refreshing, and the others go on', async () => {
    const { id, email, caller } = await addCaller(api, 'agent');
    const second = await signIn(api.app, email);
    const stream = await caller.get('/api/events');
    const reader = stream.body!.getReader(); // a 200 of this route always has a body
    const [newer, older] = await list(`&userId=${id}`);
    expect([newer, older].every(Boolean)).toBe(true);
    const { rows } = await api.db.systemPool.query<{ id: string }>(
      'SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at LIMIT 1',
      [id],
    );
    expect(await (await admin.post(`/api/sessions/${rows[0]!.id}/end`, {})).json()).toEqual({ ended: 1 });
    expect((await caller.get('/api/contacts')).status).toBe(401);
    expect((await caller.post('/api/auth/refresh-session')).status).toBe(401);
    let isOver = false;
    while (!isOver) isOver = (await reader.read()).done;
    expect(await isOpen(second)).toBe(true);
    expect(await (await admin.post(`/api/sessions/${rows[0]!.id}/end`, {})).json()).toEqual({ ended: 0 });

    expect((await list(`&userId=${id}`)).length).toBe(1);
    expect((await list(`&userId=${id}&state=all`)).map(({ isActive }) => isActive).toSorted()).toEqual([
      false,
      true,
    ]);
  });

  test('one that is being used while it is ended stays over', async () => {
    const { id, caller } = await addCaller(api, 'agent');
    // Long enough for its row to be written when it is used.
    api.advance(11 * 60_000);
    const [session] = await list(`&userId=${id}`);
    const uses = Array.from({ length: 8 }, () => caller.get('/api/contacts'));
    await admin.post(`/api/sessions/${session!.id}/end`, {});
    await Promise.all(uses);
    expect((await caller.get('/api/contacts')).status).toBe(401);
  });

  test('all of a person end together; of one’s own the current one stays', async () => {
    const { id, email, caller } = await addCaller(api, 'agent');
    const second = await signIn(api.app, email);
    expect(await (await admin.post(`/api/users/${id}/end-sessions`, {})).json()).toEqual({ ended: 2 });
    expect([await isOpen(caller), await isOpen(second)]).toEqual([false, false]);

    const own = await addCaller(api, 'admin');
    const elsewhere = await signIn(api.app, own.email);
    await own.caller.post(`/api/users/${own.id}/end-sessions`, {});
    expect([await isOpen(own.caller), await isOpen(elsewhere)]).toEqual([true, false]);
    await admin.delete(`/api/users/${own.id}`, {});
  });

  test('the current one cannot be ended here, nor one that nobody has', async () => {
    const [current] = (await list()).filter(({ isCurrent }) => isCurrent);
    const answer = await readAnswer(await admin.post(`/api/sessions/${current!.id}/end`, {}));
    expect(answer.code).toBe('session_is_current');
    const unknown = await readAnswer(await admin.post(`/api/sessions/${crypto.randomUUID()}/end`, {}));
    expect(unknown.code).toBe('session_not_found');
  });

  test('over for a week they are forgotten', async () => {
    const { id } = await addCaller(api, 'agent');
    await admin.post(`/api/users/${id}/end-sessions`, {});
    const clock = () => new Date(api.parts.clock().getTime() + 8 * 24 * 3_600_000);
    await deleteOldSessions({ db: api.db, clock });
    const { rowCount } = await api.db.systemPool.query('SELECT FROM sessions WHERE user_id = $1', [id]);
    expect(rowCount).toBe(0);
  });

  test('links that nobody took in their time are forgotten, others stay', async () => {
    const { systemPool } = api.db;
    const now = api.parts.clock();
    await systemPool.query(
      `INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
       SELECT gen_random_uuid(), name, 'nobody', $1::timestamptz + late * interval '1 hour', $1, $1
         FROM (VALUES ('past', -1), ('open', 1)) AS link (name, late)`,
      [now],
    );
    await clearPastReauthentications({ db: api.db, clock: () => now });
    const { rows } = await systemPool.query(`SELECT identifier FROM verifications WHERE value = 'nobody'`);
    expect(rows).toEqual([{ identifier: 'open' }]);
  });
});
