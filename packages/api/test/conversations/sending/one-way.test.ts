import { actorCaller } from '@app/domain/auth/caller';
import { describe, expect, test } from 'vitest';
import { sendMessage, type SendRequest } from '../../../src/conversations/sending/send-message.ts';
import { changeInNameOf } from '../../../src/platform/system-work.ts';
import { openReplies } from './replies-fixture.ts';

const { admin, add, api, begin, query } = await openReplies();

/** As the step of a flow does it, in a transaction of its own. */
const send = (request: SendRequest, kind: 'automation' | 'bot' = 'automation') =>
  changeInNameOf(
    api.parts,
    actorCaller(kind, { workspaceId: api.workspaceId, id: crypto.randomUUID(), name: 'Welcome' }),
    (scope) => sendMessage(scope, api.parts, request),
  );
const choices = { body: 'Keep Friday?', buttons: [{ id: 'run-7/keep', title: 'Keep' }, { title: 'Move' }] };

describe('a step of a flow', () => {
  test('writes to a contact through the default sender, once for its key, with ids of its own', async () => {
    const { id: contactId } = await add('+14155552671');
    const { id: conversationId } = await begin();
    await query('DELETE FROM messages');
    const step = () =>
      send({
        ...{ to: { contactId }, message: { interactive: choices }, purpose: 'automation' },
        ...{ key: 'flow/run 7/step 1', source: 'flow/a/run-7' },
      });
    const [one, other] = await Promise.all([step(), step()]);
    expect([one, other].map((sent) => sent.outcome === 'accepted' && sent.isNew).toSorted()).toEqual([
      false,
      true,
    ]);
    expect(one).toMatchObject({ outcome: 'accepted', conversationId, sendAt: null });
    expect(
      await query('SELECT author, author_name, purpose, priority, source, content FROM messages'),
    ).toEqual([
      {
        ...{ author: 'automation', author_name: 'Welcome', purpose: 'automation', priority: 2 },
        source: 'flow/a/run-7',
        content: {
          ...{ type: 'interactive', body: 'Keep Friday?' },
          action: {
            type: 'reply_buttons',
            buttons: [
              { id: 'run-7/keep', title: 'Keep' },
              { id: 'button-2', title: 'Move' },
            ],
          },
        },
      },
    ]);
  });

  test('is refused by a value, and changes nothing', async () => {
    const { id: contactId } = await add('+14155552671');
    const refusal = (message: object) =>
      send({ to: { contactId }, message: message as SendRequest['message'], purpose: 'automation' });
    expect(await refusal({ text: 'Hi' })).toEqual({ outcome: 'refused', code: 'window_closed' });
    expect(await refusal({ text: '  ' })).toEqual({ outcome: 'refused', code: 'message_invalid' });
    const twice = {
      body: 'Keep?',
      buttons: [
        { id: 'a', title: 'Keep' },
        { id: 'a', title: 'Move' },
      ],
    };
    expect(await refusal({ interactive: twice })).toEqual({ outcome: 'refused', code: 'message_invalid' });
    const long = { body: 'Keep?', buttons: [{ title: 'x'.repeat(21) }] };
    expect(await refusal({ interactive: long })).toEqual({
      outcome: 'refused',
      code: 'message_too_long',
      n: 20,
    });
    expect(
      await send({ to: { contactId: crypto.randomUUID() }, message: { text: 'Hi' }, purpose: 'bot' }),
    ).toEqual({
      outcome: 'refused',
      code: 'contact_not_found',
    });
    await query(`UPDATE channels SET is_connected = false`);
    expect(await refusal({ text: 'Hi' })).toEqual({ outcome: 'refused', code: 'channel_not_connected' });
    await query(`UPDATE channels SET is_connected = true`);
    expect(await query('SELECT FROM conversations')).toEqual([]);
    expect(await query('SELECT FROM messages')).toEqual([]);
  });
});

test('a person chooses the ids of buttons and rows through the API, and each is one of its own', async () => {
  const { id } = await begin();
  const post = (interactive: object) =>
    admin.post(`/api/conversations/${id}/messages`, { message: { interactive } });
  const list = (rows: object[]) => ({ body: 'Choose', list: { button: 'Open', sections: [{ rows }] } });
  const answer = await post(list([{ id: 'size:l', title: 'Large' }, { title: 'Small' }]));
  expect(await answer.json()).toMatchObject({
    content: { action: { sections: [{ rows: [{ id: 'size:l' }, { id: 'row-1-2' }] }] } },
  });
  const taken = [{ id: 'row-1-2', title: 'Large' }, { title: 'Small' }];
  expect((await post(list(taken))).status).toBe(422);
});
