import { formatMessageTag } from '@app/domain/conversations/message-tag';
import type { MessageStatusReported } from '@app/domain/messaging/inbound-event';
import { describe, expect, test } from 'vitest';
import { sendMessage } from '../../src/conversations/sending/send-message.ts';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import type { ApiResponse } from '../api-fixture.ts';
import { openArrivals } from '../arrivals.ts';
import { failed, said } from '../arriving-events.ts';

const PHONE = '+14155552671';
const { admin, api, arrive, query } = await openArrivals();
const T = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;

type Message = {
  id: string;
  text: string;
  state: string;
  author: { kind: string; name: string };
  quoted: unknown;
};
const codeOf = async (response: ApiResponse) =>
  (await response.json<{ error: { code: string } }>()).error.code;

async function begin(occurredAt = T) {
  const hello = said({ phone: PHONE }, 'Hello', { occurredAt });
  await arrive(hello);
  const { items } = await (
    await admin.get('/api/conversations')
  ).json<{ items: { id: string; contact: { id: string }; lastMessage: { id: string } }[] }>();
  return { ...items[0]!, hello };
}
const send = (id: string, message: object, key?: string) =>
  admin.post(`/api/conversations/${id}/messages`, { message }, key);
const messagesOf = async (id: string) =>
  (await (await admin.get(`/api/conversations/${id}/messages`)).json<{ items: Message[] }>()).items;
const reported = async (
  status: MessageStatusReported['status'],
  more: Partial<MessageStatusReported> = {},
) => {
  const [row] = await query<{ no: number }>('SELECT max(send_no)::integer AS no FROM messages');
  const tag = formatMessageTag({ no: row!.no, attempt: 1 });
  return failed({ phone: PHONE }, null, { status, tag, messageId: 'wamid.reply', error: null, ...more });
};

describe('a reply', () => {
  test('stands in the conversation as soon as it is left, and nobody waits any more', async () => {
    const { id, lastMessage } = await begin();
    const answer = await send(id, { text: ' Hi there ', replyTo: lastMessage.id });
    expect(await answer.json()).toMatchObject({
      ...{ text: 'Hi there', state: 'queued', author: { kind: 'person', name: 'admin Acme' } },
      quoted: { id: lastMessage.id, text: 'Hello' },
    });
    expect(await (await admin.get(`/api/conversations/${id}`)).json()).toMatchObject({
      ...{
        waitingSince: null,
        unread: 1,
        lastMessage: { line: { kind: 'text', text: 'Hi there' }, direction: 'out', state: 'queued' },
      },
    });
    expect(await query('SELECT last_message FROM contacts')).toEqual([{ last_message: 'Hi there' }]);
  });

  test('is left once under its key, from one tab and from two', async () => {
    const { id } = await begin();
    const press = () => send(id, { text: 'Hi' }, 'one-reply-once');
    const answers = await Promise.all([press(), press(), press()]);
    const ids = await Promise.all(answers.map(async (each) => (await each.json<Message>()).id));
    expect(new Set(ids).size).toBe(1);
    expect(await messagesOf(id)).toHaveLength(2);
  });

  test('follows what the platform reports of it', async () => {
    const { id } = await begin();
    await send(id, { text: 'Hi' });
    const [sent, read] = [
      await reported('sent', { occurredAt: T + 1_000 }),
      await reported('read', { occurredAt: T + 3_000 }),
    ];
    await arrive(read, sent);
    await arrive(sent, read);
    expect((await messagesOf(id))[0]).toMatchObject({
      ...{
        state: 'read',
        sentAt: new Date(T + 1_000).toISOString(),
        readAt: new Date(T + 3_000).toISOString(),
      },
    });
    expect(await query(`SELECT FROM events WHERE type = 'messages.reported'`)).toHaveLength(1);
    expect(await query('SELECT FROM platform_events')).toEqual([]);
  });

  test('whose report comes before the answer of the platform is emitted as sent, once', async () => {
    const { id, contact } = await begin();
    await send(id, { text: 'Hi' });
    const [own] = await query(
      'SELECT id FROM messages WHERE send_no IS NOT NULL ORDER BY send_no DESC LIMIT 1',
    );
    const sent = await reported('sent', { occurredAt: T + 1_000 });
    await arrive(sent, await reported('delivered', { occurredAt: T + 2_000 }));
    await arrive(sent, await reported('read', { occurredAt: T + 3_000 }));
    expect(
      await query(`SELECT "values" FROM events WHERE type = 'message.sent' AND subject_id = $1`, [own.id]),
    ).toEqual([{ values: { conversationId: id, contactIds: [contact.id] } }]);
  });

  test('that failed says why, and what that means for the person is kept', async () => {
    const { id, contact } = await begin();
    await send(id, { text: 'Hi' });
    await arrive(
      await reported('failed', { action: { kind: 'opt_out' }, error: { code: '131050', title: 'Stopped' } }),
    );
    const [consent, message] = await messagesOf(id);
    expect(consent).toMatchObject({ kind: 'consent_changed', choice: 'opt_out' });
    expect(message).toMatchObject({ state: 'failed', error: { code: '131050' } });
    expect(await query('SELECT opted_out_at IS NOT NULL AS out FROM contacts')).toEqual([{ out: true }]);
    expect(await query(`SELECT "values" FROM events WHERE type = 'message.failed'`)).toMatchObject([
      { values: { contactIds: [contact.id], conversationId: id, code: '131050' } },
    ]);
  });

  test('of another workspace moves by no report of ours', async () => {
    const { id } = await begin();
    await send(id, { text: 'Hi' });
    await query('DELETE FROM platform_events');
    await query('UPDATE messages SET workspace_id = $1 WHERE send_no IS NOT NULL', [api.otherWorkspaceId]);
    await arrive(await reported('read'));
    expect(await query('SELECT read_at FROM messages WHERE send_no IS NOT NULL')).toEqual([
      { read_at: null },
    ]);
    expect(await query('SELECT kind FROM platform_events')).toEqual([{ kind: 'message_status' }]);
    await query('DELETE FROM platform_events');
  });

  test.each([
    ['window_closed', 409, null],
    ['contact_blocked', 409, `UPDATE contacts SET status = 'blocked'`],
    ['channel_stopped', 409, `UPDATE channels SET stopped_code = '368', stopped_for = 'everything'`],
    ['channel_not_connected', 409, 'UPDATE channels SET is_connected = false'],
  ])('is refused when it could not leave: %s', async (code, status, change) => {
    const { id } = await begin(change === null ? T - 86_400_000 : T);
    if (change) await query(change);
    const answer = await send(id, { text: 'Hi' });
    expect([answer.status, await codeOf(answer)]).toEqual([status, code]);
    expect(await messagesOf(id)).toHaveLength(1);
    await query('UPDATE channels SET is_connected = true, stopped_code = NULL, stopped_for = NULL');
  });

  test('to a message that is not of the conversation, or with a template that is not there, is refused', async () => {
    const { id } = await begin();
    expect(await codeOf(await send(id, { text: 'Hi', replyTo: crypto.randomUUID() }))).toBe(
      'message_not_found',
    );
    expect(await codeOf(await send(id, { templateId: crypto.randomUUID() }))).toBe('template_not_found');
    expect(await codeOf(await send(crypto.randomUUID(), { text: 'Hi' }))).toBe('conversation_not_found');
    expect((await send(id, { text: '   ' })).status).toBe(422);
    const viewer = await api.as('viewer');
    expect((await viewer.post(`/api/conversations/${id}/messages`, { message: { text: 'Hi' } })).status).toBe(
      403,
    );
  });

  test('ends as refused when the limit of the day is used up, that of the workspace or that of the kind of channel', async () => {
    const { id } = await begin();
    const limits = { isEnabled: true, perMinute: 60, perDay: 1 };
    await query(
      `INSERT INTO delivery_usage (workspace_id, day, used, kinds) SELECT $1, (now() AT TIME ZONE 'UTC')::date, 1, count_of_kind('{}', kind, 1)
         FROM channels WHERE workspace_id = $1 LIMIT 1`,
      [api.workspaceId],
    );
    const [channel] = await query<{ kind: string }>('SELECT kind FROM channels WHERE workspace_id = $1', [
      api.workspaceId,
    ]);
    for (const settings of [{ messageLimits: limits }, { kindLimits: { [channel!.kind]: limits } }]) {
      await query('UPDATE workspaces SET settings = $2 WHERE id = $1', [api.workspaceId, settings]);
      expect(await codeOf(await send(id, { text: 'Hi' }))).toBe('daily_limit_reached');
    }
    await query(`UPDATE workspaces SET settings = '{}' WHERE id = $1`, [api.workspaceId]);
    await query('DELETE FROM delivery_usage');
  });

  test('of which nobody knows whether it left is decided by a person, once', async () => {
    const { id } = await begin();
    const { id: messageId } = await (await send(id, { text: 'Hi' })).json<Message>();
    const at = `/api/conversations/${id}/messages/${messageId}/decision`;
    expect(await codeOf(await admin.post(at, { decision: 'send_again' }))).toBe('message_changed');
    await query(`UPDATE messages SET state = 'unknown', attempt = 1 WHERE id = $1`, [messageId]);
    expect((await (await api.as('viewer')).post(at, { decision: 'sent' })).status).toBe(403);
    const elsewhere = at.replace(messageId, crypto.randomUUID());
    expect(await codeOf(await admin.post(elsewhere, { decision: 'sent' }))).toBe('message_not_found');
    await query(`UPDATE contacts SET status = 'blocked'`);
    expect(await codeOf(await admin.post(at, { decision: 'send_again' }))).toBe('contact_blocked');
    await query(`UPDATE contacts SET status = 'active'`);
    const press = () => admin.post(at, { decision: 'send_again' }, 'one-decision-once');
    for (const answer of await Promise.all([press(), press()]))
      expect(await answer.json()).toMatchObject({ id: messageId, state: 'queued' });
    expect(await codeOf(await admin.post(at, { decision: 'sent' }))).toBe('message_changed');
    expect(await query(`SELECT "values" FROM events WHERE type = 'message.decided'`)).toMatchObject([
      { values: { conversationId: id, decision: 'send_again' } },
    ]);
  });

  test('of a bot is sent once for its step, however often the step is run', async () => {
    const { id } = await begin();
    const step = () =>
      changeAsSystem(api.parts, 'delivery', api.workspaceId, (scope) =>
        sendMessage(scope, api.parts, {
          ...{ to: { conversationId: id }, message: { text: 'How can I help?' } },
          ...{ purpose: 'bot', key: 'run 1, visit 1, effect 1' },
        }),
      );
    const answers = await Promise.all([step(), step()]);
    expect(answers).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted' }]);
    const [one, other] = answers.map((answer) => answer.outcome === 'accepted' && answer.messageIds);
    expect(one).toEqual(other);
    expect(await messagesOf(id)).toHaveLength(2);
  });
});
