import { indexChannelKinds } from '@app/domain/channels/channel-kind';
import { actorCaller } from '@app/domain/auth/caller';
import { whatsAppKind } from '@app/providers/whatsapp-cloud/whatsapp-kind';
import { expect, test } from 'vitest';
import { sendMessage } from '../../../src/conversations/sending/send-message.ts';
import { changeInNameOf } from '../../../src/platform/system-work.ts';
import { openArrivals } from '../../arrivals.ts';
import { said } from '../../arriving-events.ts';

const PHONE = '+14155552671';
/** A channel through which anything may be written at any time. */
const kind = { ...whatsAppKind, capabilities: { ...whatsAppKind.capabilities, freeTextHours: null } };
const { add, admin, api, arrive, query } = await openArrivals({ channelKinds: indexChannelKinds([kind]) });
const byFlow = actorCaller('automation', {
  workspaceId: api.workspaceId,
  id: crypto.randomUUID(),
  name: 'Welcome',
});

test('somebody who writes through a channel without a window is answered automatically', async () => {
  const { version } = await (await admin.get('/api/settings/messaging')).json<{ version: number }>();
  await admin.put('/api/settings/messaging', {
    version,
    autoReply: { isEnabled: true, message: 'We are away.', when: 'always', pauseHours: 12 },
  });
  await arrive(said({ phone: PHONE }, 'Hello', { occurredAt: Math.floor(Date.now() / 1000) * 1000 }));
  await api.facts.catchUp();
  expect(
    await query(`SELECT text, state, priority, is_marketing AS ad FROM messages WHERE direction = 'out'`),
  ).toEqual([{ text: 'We are away.', state: 'queued', priority: 1, ad: false }]);
});

test('a flow begins a conversation that is resolved, and its free text is marketing unless it says otherwise', async () => {
  const { id: contactId } = await add(PHONE);
  const send = (more: { isMarketing?: boolean } = {}) =>
    changeInNameOf(api.parts, byFlow, (scope) =>
      sendMessage(scope, api.parts, {
        to: { contactId },
        message: { text: 'Hi' },
        purpose: 'automation',
        ...more,
      }),
    );
  await query('UPDATE contacts SET opted_out_at = now()');
  expect(await send()).toEqual({ outcome: 'refused', code: 'contact_opted_out' });
  expect(await query('SELECT FROM conversations')).toEqual([]);
  expect(await send({ isMarketing: false })).toMatchObject({ outcome: 'accepted', isNew: true });
  expect(await query('SELECT status, last_message_direction AS last FROM conversations')).toEqual([
    { status: 'resolved', last: 'out' },
  ]);
  await arrive(said({ phone: PHONE }, 'Thanks'));
  expect(await query('SELECT status, unread FROM conversations')).toEqual([{ status: 'open', unread: 1 }]);
});

test('a file that a step sends again and again stays, and each message has a copy', async () => {
  const { id: contactId } = await add(PHONE);
  const fileId = crypto.randomUUID();
  await query(
    `INSERT INTO message_files (id, workspace_id, user_id, kind, mime_type, name, size, sha256, state, content, stored_at)
     VALUES ($1, $2, $3, 'document', 'application/pdf', 'menu.pdf', 5, repeat('0', 64), 'stored', 'files/menu', now())`,
    [fileId, api.workspaceId, await api.userId('admin@acme.test')],
  );
  const send = (copiesFiles: boolean) =>
    changeInNameOf(api.parts, byFlow, (scope) =>
      sendMessage(scope, api.parts, {
        ...{ to: { contactId }, message: { files: [{ fileId, caption: 'Menu' }] }, purpose: 'automation' },
        ...{ copiesFiles, isMarketing: false },
      }),
    );
  expect(await send(false)).toEqual({ outcome: 'refused', code: 'message_file_not_found' });
  for (const _ of [1, 2]) expect(await send(true)).toMatchObject({ outcome: 'accepted' });
  const files = await query(
    `SELECT f.name, f.content, m.content->'media'->>'fileId' = f.id::text AS named FROM message_files f JOIN messages m ON m.id = f.message_id`,
  );
  expect(files).toEqual(
    Array.from({ length: 2 }, () => ({ name: 'menu.pdf', content: 'files/menu', named: true })),
  );
  expect(await query('SELECT message_id FROM message_files WHERE id = $1', [fileId])).toEqual([
    { message_id: null },
  ]);
});
