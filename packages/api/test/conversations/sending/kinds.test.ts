import { describe, expect, test } from 'vitest';
import { codeOf, openReplies } from './replies-fixture.ts';

const { admin, begin, send, sent, messagesOf, query } = await openReplies();

describe('a reply of every kind stands in the product’s own terms', () => {
  test.each<[string, object, object, string]>([
    [
      'a place',
      { location: { latitude: 51.5, longitude: -0.12, name: 'Shop' } },
      { type: 'location', location: { latitude: 51.5, longitude: -0.12, name: 'Shop' } },
      'Shop',
    ],
    [
      'contact cards',
      { contacts: [{ formattedName: 'Ann Lee', phones: [{ phone: '+14155550100' }] }] },
      { type: 'contacts', contacts: [{ formattedName: 'Ann Lee', phones: [{ phone: '+14155550100' }] }] },
      'Ann Lee',
    ],
    [
      'a question with buttons',
      {
        interactive: {
          body: 'Keep Friday?',
          footer: 'Shop',
          buttons: [{ title: 'Keep' }, { title: 'Move' }],
        },
      },
      {
        ...{ type: 'interactive', body: 'Keep Friday?', footer: 'Shop' },
        action: {
          type: 'reply_buttons',
          buttons: [
            { id: 'button-1', title: 'Keep' },
            { id: 'button-2', title: 'Move' },
          ],
        },
      },
      'Keep Friday?',
    ],
    [
      'a list',
      {
        interactive: {
          body: 'Choose',
          list: { button: 'Open', sections: [{ rows: [{ title: 'Today', description: 'before 8' }] }] },
        },
      },
      {
        ...{ type: 'interactive', body: 'Choose' },
        action: {
          ...{ type: 'list', button: 'Open' },
          sections: [{ rows: [{ id: 'row-1-1', title: 'Today', description: 'before 8' }] }],
        },
      },
      'Choose',
    ],
  ])('%s', async (_, message, content, text) => {
    const { id } = await begin();
    expect(await sent(id, message)).toMatchObject({ content, text, state: 'queued', others: [] });
  });

  test('a reaction belongs to its message and is none of its own', async () => {
    const { id, lastMessage } = await begin();
    await send(id, { reaction: { messageId: lastMessage.id, emoji: '👍' } });
    const [shown, ...more] = await messagesOf(id);
    expect(more).toEqual([]);
    expect(shown).toMatchObject({ text: 'Hello', reactions: [{ emoji: '👍', direction: 'out' }] });
    expect(await query('SELECT last_message FROM contacts')).toEqual([{ last_message: 'Hello' }]);
  });
});

describe('a reply is refused', () => {
  test.each<[string, object, string]>([
    ['blank', { text: ' \n ' }, 'invalid_input'],
    ['longer than the platform takes', { text: 'x'.repeat(4_097) }, 'invalid_input'],
    [
      'with a button that is too long',
      { interactive: { body: 'Keep?', buttons: [{ title: 'x'.repeat(21) }] } },
      'message_too_long',
    ],
    [
      'with more buttons than fit',
      { interactive: { body: 'Keep?', buttons: ['1', '2', '3', '4'].map((title) => ({ title })) } },
      'message_kind_unsupported',
    ],
    [
      'with two equal buttons',
      { interactive: { body: 'Keep?', buttons: [{ title: 'a' }, { title: 'a' }] } },
      'invalid_input',
    ],
    ['to a place beyond the earth', { location: { latitude: 91, longitude: 0 } }, 'invalid_input'],
    ['with nobody’s file', { files: [{ fileId: crypto.randomUUID() }] }, 'message_file_not_found'],
    ['answering nothing', { text: 'Hi', replyTo: crypto.randomUUID() }, 'message_not_found'],
    [
      'for a time that is over',
      { text: 'Hi', sendAt: new Date(Date.now() - 60_000) },
      'message_time_invalid',
    ],
    [
      'for a time beyond a year',
      { text: 'Hi', sendAt: new Date(Date.now() + 367 * 86_400_000) },
      'message_time_invalid',
    ],
  ])('%s', async (_, message, code) => {
    const { id } = await begin();
    const answer = await send(id, message);
    expect(await codeOf(answer)).toBe(code);
    expect(await messagesOf(id)).toHaveLength(1);
  });
});

describe('who keeps messages until they are sent', () => {
  test('asks under another key, and hears of the one message', async () => {
    const { id } = await begin();
    const clientId = 'of-one-outbox';
    const first = await sent(id, { text: 'Hi' }, { clientId, key: 'the-first-key' });
    const again = await sent(id, { text: 'Hi' }, { clientId, key: 'the-second-key' });
    expect(again.id).toBe(first.id);
    const shown = await messagesOf(id);
    expect(shown).toHaveLength(2);
    // By it the outbox finds its own message.
    expect(shown.find((one) => one.id === first.id)).toMatchObject({ clientId });
  });

  test('hears of the one message with its file, however many ask at once', async () => {
    const { id } = await begin();
    const fileId = crypto.randomUUID();
    const uploaded = await admin.request(
      `/api/conversations/files/${fileId}?conversationId=${id}&name=a.txt`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: 'a note',
      },
    );
    expect(uploaded.status).toBe(200);
    const asking = Array.from({ length: 6 }, (_, n) =>
      sent(id, { files: [{ fileId }] }, { clientId: 'of-one-outbox', key: `key-number-${n}` }),
    );
    const answers = await Promise.all(asking);
    expect(new Set(answers.map((one) => one.id)).size).toBe(1);
    expect(await messagesOf(id)).toHaveLength(2);
  });

  test('hears of it even when it could not be sent by now', async () => {
    const { id } = await begin();
    const clientId = 'of-one-outbox';
    const first = await sent(id, { text: 'Hi' }, { clientId });
    await query(`UPDATE contacts SET status = 'blocked'`);
    expect((await sent(id, { text: 'Hi' }, { clientId })).id).toBe(first.id);
  });
});
