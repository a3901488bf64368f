import { newId } from '@app/database/new-id';
import { describe, expect, test } from 'vitest';
import { tidyFiles } from '../../src/message-files/tidy-files.ts';
import { deleteDrafts } from '../../src/drafts/delete-drafts.ts';
import type { ApiResponse } from '../api-fixture.ts';
import { openArrivals } from '../arrivals.ts';
import { said } from '../arriving-events.ts';

const PHONE = '+14155552671';
const { admin, api, arrive, query } = await openArrivals();
const agent = await api.as('agent');
const viewer = await api.as('viewer');
await query('UPDATE channels SET is_connected = true');

type Draft = { writingId: string; text: string; replyTo: string | null; version: number };
type Drafts = { reply: Draft | null; note: Draft | null };

const codeOf = async (response: ApiResponse) =>
  (await response.json<{ error: { code: string } }>()).error.code;

async function open(phone = PHONE) {
  await query('DELETE FROM conversation_drafts');
  await arrive(said({ phone }, 'Hello', { occurredAt: Date.now() - 60_000 }));
  const { items } = await (
    await admin.get('/api/conversations')
  ).json<{ items: { id: string; contact: { id: string } }[] }>();
  const [{ id, contact }] = items as [(typeof items)[0]];
  const at = `/api/conversations/${id}/drafts`;
  const save = async (of: object, kind = 'reply', caller = admin) => {
    const response = await caller.put(at, { kind, seen: 0, ...of });
    if (response.status !== 200) return codeOf(response);
    const saved = await response.json<{ outcome: string; version?: number }>();
    return saved.version ?? saved.outcome;
  };
  const read = async (caller = admin) => (await caller.get(at)).json<Drafts>();
  return { id, contactId: contact.id, at, save, read };
}

describe('a draft', () => {
  test('is kept for each person, and of reply and note apart', async () => {
    const { save, read, id } = await open();
    const shown = async (caller = admin) =>
      (await caller.get(`/api/conversations/${id}`)).json<{ draft: object | null }>();
    expect(await shown()).toMatchObject({ draft: null });
    const [reply, note] = [newId(), newId()];
    expect(await save({ writingId: reply, text: 'Dear  Ann\n' })).toBe(1);
    expect(await shown()).toMatchObject({ draft: { kind: 'text', text: 'Dear  Ann\n' } });
    expect(await shown(agent)).toMatchObject({ draft: null });
    expect(await save({ writingId: note, text: 'She is angry' }, 'note')).toBe(1);
    expect(await read()).toMatchObject({
      reply: { text: 'Dear  Ann\n', version: 1 },
      note: { text: 'She is angry' },
    });
    expect(await read(agent)).toEqual({ reply: null, note: null });
    expect(await save({ writingId: reply, text: 'Dear Ann, we', seen: 1 })).toBe(2);
    expect((await read()).reply).toMatchObject({ writingId: reply, text: 'Dear Ann, we', version: 2 });
  });

  test('saved by another device is not written over unseen, and the same text again is the same draft', async () => {
    const { save, read } = await open();
    const writingId = newId();
    await save({ writingId, text: 'On the desk' });
    expect(await save({ writingId: newId(), text: 'On the phone' })).toBe('changed');
    expect(await save({ writingId, text: 'On the desk' })).toBe(1);
    expect(await save({ writingId, text: 'On the phone', seen: 1 })).toBe(2);
    expect(await save({ writingId, text: 'On the desk again', seen: 1 })).toBe('changed');
    expect((await read()).reply?.text).toBe('On the phone');
  });

  test('without text ends, unless it answers a message', async () => {
    const { save, read } = await open();
    const writingId = newId();
    await save({ writingId, text: 'x' });
    expect(await save({ writingId, text: ' ', replyTo: newId(), seen: 1 })).toBe(2);
    expect((await read()).reply).not.toBeNull();
    expect(await save({ writingId, text: ' \n', seen: 2 })).toBe(3);
    expect((await read()).reply).toBeNull();
    expect(await save({ writingId: newId(), text: 'Anew' })).toBe(4);
  });

  test('keeps its files and buttons on the server, and loses them when it is sent', async () => {
    const { id, save, read } = await open();
    const [writingId, fileId] = [newId(), newId()];
    const uploaded = await admin.request(
      `/api/conversations/files/${fileId}?conversationId=${id}&name=a.txt`,
      {
        ...{ method: 'POST', body: 'a note' },
        headers: { 'content-type': 'application/octet-stream' },
      },
    );
    expect(uploaded.status).toBe(200);
    const files = [{ fileId, name: 'a.txt', kind: 'document', size: 6, caption: 'Look' }];
    const written = { writingId, text: '', files, buttons: ['Yes', 'No'] };
    expect(await save(written)).toBe(1);
    expect((await read()).reply).toMatchObject({ text: '', files, buttons: ['Yes', 'No'], version: 1 });
    const line = { kind: 'document', text: 'Look' };
    expect(await (await admin.get(`/api/conversations/${id}`)).json()).toMatchObject({ draft: line });
    // Its answer was lost.
    expect(await save(written)).toBe(1);
    await query(`UPDATE message_files SET created_at = now() - interval '9 days'`);
    await tidyFiles(api.parts);
    const sent = await admin.post(`/api/conversations/${id}/messages`, {
      writingId,
      message: { files: [{ fileId }] },
    });
    expect(sent.status).toBe(200);
    expect((await read()).reply).toBeNull();
    expect(await save({ ...written, seen: 1 })).toBe('ended');
  });

  test('that was given up keeps no file', async () => {
    const { id, save } = await open();
    const [writingId, fileId] = [newId(), newId()];
    await admin.request(`/api/conversations/files/${fileId}?conversationId=${id}&name=a.txt`, {
      ...{ method: 'POST', body: 'a note' },
      headers: { 'content-type': 'application/octet-stream' },
    });
    const files = [{ fileId, name: 'a.txt', kind: 'document', size: 6, caption: '' }];
    await save({ writingId, text: '', files });
    expect(await save({ writingId, text: '', seen: 1 })).toBe(2);
    await query(`UPDATE message_files SET created_at = now() - interval '9 days' WHERE id = $1`, [fileId]);
    await tidyFiles(api.parts);
    expect(await query('SELECT FROM message_files WHERE id = $1', [fileId])).toEqual([]);
  });

  test('that names a file of another workspace neither sends it nor keeps it there', async () => {
    const { id, save } = await open();
    const [writingId, fileId] = [newId(), newId()];
    await query(
      `INSERT INTO message_files (id, workspace_id, user_id, kind, mime_type, name, size, sha256, state, content, stored_at, created_at)
       SELECT $1, m.workspace_id, m.user_id, 'image', 'image/png', 'theirs.png', 1, 'ab', 'stored', 'no-bytes', now(), now() - interval '9 days'
         FROM memberships m WHERE m.workspace_id = $2 AND m.role = 'admin' LIMIT 1`,
      [fileId, api.otherWorkspaceId],
    );
    const files = [{ fileId, name: 'theirs.png', kind: 'image', size: 1, caption: '' }];
    expect(await save({ writingId, text: '', files })).toBe(1);
    expect((await admin.get(`/api/conversations/files/${fileId}`)).status).toBe(404);
    const sent = await admin.post(`/api/conversations/${id}/messages`, {
      writingId,
      message: { files: [{ fileId }] },
    });
    expect(await codeOf(sent)).toBe('message_file_not_found');
    expect(await query('SELECT message_id FROM message_files WHERE id = $1', [fileId])).toEqual([
      { message_id: null },
    ]);
    await tidyFiles(api.parts);
    expect(await query('SELECT FROM message_files WHERE id = $1', [fileId])).toEqual([]);
  });

  test.each(['before', 'behind'])(
    'that is saved %s the act that sends it brings nothing back',
    async (when) => {
      const { id, save, read } = await open();
      const writingId = newId();
      const send = () =>
        admin.post(`/api/conversations/${id}/messages`, { writingId, message: { text: 'Hello Ann' } });
      if (when === 'before') await save({ writingId, text: 'Hello' });
      expect((await send()).status).toBe(200);
      expect(await save({ writingId, text: 'Hello Ann', seen: when === 'before' ? 1 : 0 })).toBe('ended');
      expect((await read()).reply).toBeNull();
      const next = newId();
      expect(await save({ writingId: next, text: 'And' })).toEqual(expect.any(Number));
      // What was sent later ends only what it was.
      expect((await send()).status).toBe(200);
      expect((await read()).reply).toMatchObject({ writingId: next, text: 'And' });
    },
  );

  test('of a note ends with the note', async () => {
    const { id, save, read } = await open();
    const writingId = newId();
    await save({ writingId, text: 'She is a regular' }, 'note');
    const note = { writingId, body: 'She is a regular' };
    expect((await admin.post(`/api/conversations/${id}/notes`, note)).status).toBe(200);
    expect((await read()).note).toBeNull();
    expect(await save({ writingId, text: 'She is a', seen: 1 }, 'note')).toBe('ended');
  });

  test('stays when the message is refused', async () => {
    const { id, save, read } = await open();
    const writingId = newId();
    await save({ writingId, text: 'Too late' });
    await query(`UPDATE conversations SET window_ends_at = now() - interval '1 minute' WHERE id = $1`, [id]);
    const refused = await admin.post(`/api/conversations/${id}/messages`, {
      writingId,
      message: { text: 'Too late' },
    });
    expect(await codeOf(refused)).toBe('window_closed');
    expect((await read()).reply?.text).toBe('Too late');
  });

  test.each([
    ['of too much text', { text: 'x'.repeat(20_000) }, 422],
    ['with a half character', { text: '\ud800' }, 422],
    ['of no version', { text: 'x', seen: -1 }, 422],
  ])('%s is refused', async (_, of, status) => {
    const { at } = await open();
    expect((await admin.put(at, { kind: 'reply', writingId: newId(), seen: 0, ...of })).status).toBe(status);
  });

  test('is nothing for who only reads, and none of a conversation that there is not', async () => {
    const { at } = await open();
    expect((await viewer.get(at)).status).toBe(403);
    expect((await admin.get(`/api/conversations/${newId()}/drafts`)).status).toBe(404);
  });
});

test('a draft saved twenty times at once is one draft', async () => {
  const { save } = await open();
  const writingId = newId();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => save({ writingId, text: `Text ${n}` })),
  );
  expect(answers.filter((answer) => answer === 1)).toHaveLength(1);
  expect(answers.filter((answer) => answer !== 1)).toEqual(Array(19).fill('changed'));
});

test('a draft goes over to the contact that stays when two are merged, and back', async () => {
  const { id, save, contactId, read } = await open();
  await save({ writingId: newId(), text: 'To the one who goes' });
  const added = await (
    await admin.post('/api/contacts', { name: 'Ann', phone: '+14155552672' })
  ).json<{ id: string; version: number }>();
  const { version } = await (await admin.get(`/api/contacts/${contactId}`)).json<{ version: number }>();
  const mergeId = newId();
  const merged = await admin.post('/api/contacts/merges', {
    mergeId,
    survivorId: added.id,
    contacts: [
      { contactId: added.id, version: added.version },
      { contactId, version },
    ],
  });
  expect(merged.status).toBe(200);
  expect((await read()).reply?.text).toBe('To the one who goes');
  expect((await admin.post(`/api/contacts/merges/${mergeId}/undo`)).status).toBe(200);
  const [row] = await query<{ contact_id: string }>('SELECT contact_id FROM conversation_drafts');
  expect(row?.contact_id).toBe(contactId);
  expect((await admin.get(`/api/conversations/${id}/drafts`)).status).toBe(200);
});

test('a draft goes with the person who is erased, and when it has ended long ago', async () => {
  const { contactId, save } = await open();
  await save({ writingId: newId(), text: 'Something about Ann' });
  await save({ writingId: newId(), text: '' }, 'note');
  api.advance(3 * 86_400_000);
  await deleteDrafts(api.parts);
  expect(await query('SELECT kind FROM conversation_drafts')).toEqual([{ kind: 'reply' }]);
  await query('UPDATE sessions SET proven_at = $1, expires_at = $2', [
    api.parts.clock(),
    new Date(api.parts.clock().getTime() + 1e9),
  ]);
  await admin.post(`/api/contacts/${contactId}/erase`, {});
  expect(await query('SELECT kind FROM conversation_drafts')).toEqual([]);
});
