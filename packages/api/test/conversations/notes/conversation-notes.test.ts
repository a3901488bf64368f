import { newId } from '@app/database/new-id';
import { describe, expect, test } from 'vitest';
import { readErrorBody } from '../../api-fixture.ts';
import { openArrivals } from '../../arrivals.ts';
import { addCaller } from '../../users/add-person.ts';

const { admin, api, add, query } = await openArrivals();
const ana = await addCaller(api, 'agent', 'Ana');
const ben = await addCaller(api, 'agent', 'Ben');
const viewer = await addCaller(api, 'viewer', 'Vera');

type Note = { id: string; body: string; version: number; editedAt: string | null; mentions: object[] };
let phones = 2_000_000;
const open = async (phone = `+1415${(phones += 1)}`) => {
  const contact = await add(phone);
  const opened = await admin.post('/api/conversations', { contactId: contact.id });
  return { contact, id: (await opened.json<{ id: string }>()).id };
};
const write = (caller: typeof admin, conversationId: string, body: string, mentions?: object) =>
  caller.post(`/api/conversations/${conversationId}/notes`, { body, ...(mentions && { mentions }) });
const edit = (caller: typeof admin, conversationId: string, { id, version }: Note, more: object) =>
  caller.put(`/api/conversations/${conversationId}/notes/${id}`, { version, ...more });
const ask = (caller: typeof admin, conversationId: string, note: Note) =>
  caller.get(`/api/conversations/${conversationId}/notes/${note.id}/versions`);
const told = async (caller: typeof admin) => {
  await api.facts.catchUp();
  const { items } = await (
    await caller.get('/api/notifications')
  ).json<{ items: { kind: string; subject: string; values: { note: string } }[] }>();
  return items
    .filter(({ kind }) => kind === 'conversation_mentioned')
    .map(({ subject, values }) => [subject, values.note]);
};

describe('a note', () => {
  test('is written by whoever may answer, and names its author', async () => {
    const { id } = await open();
    const response = await write(ana.caller, id, '  Likes tea \n');
    expect(await response.json()).toMatchObject({
      ...{ conversationId: id, author: { id: ana.id, name: 'Ana Haddad' } },
      ...{ body: 'Likes tea', mentions: [], editedAt: null, version: 1 },
    });
    expect((await write(viewer.caller, id, 'Mine')).status).toBe(403);
    expect(await readErrorBody(await write(ana.caller, newId(), 'Whose'))).toMatchObject({
      code: 'conversation_not_found',
    });
    expect((await write(ana.caller, id, '   ')).status).toBe(422);
    expect((await write(ana.caller, id, 'x'.repeat(10_001))).status).toBe(422);
  });

  test('is changed by its author alone, and keeps what it said before', async () => {
    const { id } = await open();
    const note = await (await write(ana.caller, id, 'One')).json<Note>();
    expect(await readErrorBody(await edit(admin, id, note, { body: 'Not hers' }))).toMatchObject({
      code: 'note_not_yours',
    });
    const edited = await (await edit(ana.caller, id, note, { body: 'Two' })).json<Note>();
    expect(edited).toMatchObject({ body: 'Two', version: 2, editedAt: expect.any(String) });
    expect(await readErrorBody(await edit(ana.caller, id, note, { body: 'Late' }))).toMatchObject({
      code: 'note_changed',
    });
    await edit(ana.caller, id, edited, { body: 'Three' });
    const versions = await (await ask(viewer.caller, id, note)).json<{ items: { body: string }[] }>();
    expect(versions.items.map(({ body }) => body)).toEqual(['Two', 'One']);
  });

  test('goes with all it said; a second request finds none', async () => {
    const { id } = await open();
    const note = await (await write(ana.caller, id, 'Private')).json<Note>();
    await edit(ana.caller, id, note, { body: 'Still private' });
    const path = `/api/conversations/${id}/notes/${note.id}`;
    expect((await viewer.caller.delete(path)).status).toBe(403);
    expect((await ana.caller.delete(path)).status).toBe(200);
    expect(await readErrorBody(await ana.caller.delete(path))).toMatchObject({ code: 'note_not_found' });
    expect((await ask(ana.caller, id, note)).status).toBe(404);
    const rows = await query('SELECT * FROM conversation_notes WHERE id = $1', [note.id]);
    expect(JSON.stringify(rows)).not.toContain('rivate');
  });
});

describe('whoever is mentioned', () => {
  test('hears of it once, and not of their own note', async () => {
    const { id } = await open();
    const mentions = { userIds: [ana.id, ben.id], teamIds: [] };
    const note = await (await write(ana.caller, id, 'Ask @Ben', mentions)).json<Note>();
    expect(note.mentions).toEqual([
      { kind: 'user', id: ana.id, name: 'Ana Haddad' },
      { kind: 'user', id: ben.id, name: 'Ben Haddad' },
    ]);
    expect(await told(ben.caller)).toEqual([[id, note.id]]);
    expect(await told(ana.caller)).toEqual([]);
    await edit(ana.caller, id, note, { body: 'Ask @Ben again', mentions });
    expect(await told(ben.caller)).toHaveLength(1);
  });

  test('hears of it with their team', async () => {
    const { id } = await open();
    const teamId = newId();
    await query(
      `INSERT INTO teams (id, workspace_id, name, created_at, updated_at) VALUES ($1, $2, 'North', now(), now())`,
      [...[teamId, api.workspaceId]],
    );
    await query(
      `INSERT INTO team_members (workspace_id, team_id, user_id, role, joined_at) VALUES ($1, $2, $3, 'member', now())`,
      [api.workspaceId, teamId, viewer.id],
    );
    const note = await (
      await write(ana.caller, id, '@North look', { userIds: [], teamIds: [teamId] })
    ).json<Note>();
    expect(note.mentions).toEqual([{ kind: 'team', id: teamId, name: 'North' }]);
    expect(await told(viewer.caller)).toEqual([[id, note.id]]);
  });

  test('works here and may read messages', async () => {
    const { id } = await open();
    const readNames = async () => {
      const answer = await ana.caller.get('/api/inbox/mentionable');
      return (await answer.json<{ people: { name: string }[] }>()).people.map(({ name }) => name);
    };
    for (const mentions of [
      { userIds: [newId()], teamIds: [] },
      { userIds: [], teamIds: [newId()] },
    ])
      expect(await readErrorBody(await write(ana.caller, id, 'Hello', mentions))).toMatchObject({
        code: 'note_mention_unknown',
      });
    await query(`UPDATE workspaces SET role_permissions = '{"viewer": ["contacts:read"]}' WHERE id = $1`, [
      api.workspaceId,
    ]);
    const refused = await write(ana.caller, id, 'Hello', { userIds: [viewer.id], teamIds: [] });
    const without = await readNames();
    await query(`UPDATE workspaces SET role_permissions = '{}' WHERE id = $1`, [api.workspaceId]);
    expect(await readErrorBody(refused)).toMatchObject({ code: 'note_mention_unknown' });
    expect(without).toEqual(expect.arrayContaining(['Ana Haddad', 'Ben Haddad']));
    expect(without).not.toContain('Vera Haddad');
    // Who may answer nobody is called all the same.
    expect(await readNames()).toContain('Vera Haddad');
    expect((await viewer.caller.get('/api/inbox/mentionable')).status).toBe(403);
  });
});

test('notes of merged contacts stand together, and each returns when they part', async () => {
  const [ann, bob] = [await open(), await open()];
  await write(ana.caller, ann.id, 'Of Ann');
  const note = await (await write(ana.caller, bob.id, 'Of Bob')).json<Note>();
  const mergeId = newId();
  const read = async ({ id }: { id: string }) =>
    (await admin.get(`/api/contacts/${id}`)).json<{ id: string; version: number }>();
  const contacts = await Promise.all([ann.contact, bob.contact].map(read));
  const merged = await admin.post('/api/contacts/merges', {
    ...{ mergeId, survivorId: ann.contact.id },
    contacts: contacts.map(({ id: contactId, version }) => ({ contactId, version })),
  });
  expect(merged.status).toBe(200);
  const notesOf = async (id: string) =>
    (
      await query<{ body: string }>(
        'SELECT body FROM conversation_notes WHERE conversation_id = $1 ORDER BY at',
        [id],
      )
    ).map(({ body }) => body);
  expect(await notesOf(ann.id)).toEqual(['Of Ann', 'Of Bob']);
  await edit(ana.caller, ann.id, note, { body: 'Of Bob, changed' });
  expect((await admin.post(`/api/contacts/merges/${mergeId}/undo`)).status).toBe(200);
  expect(await notesOf(ann.id)).toEqual(['Of Ann']);
  expect(await notesOf(bob.id)).toEqual(['Of Bob, changed']);
});
