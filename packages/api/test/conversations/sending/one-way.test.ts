import { actorCaller, systemCaller } from '@app/domain/auth/caller';
import { describe, expect, test } from 'vitest';
import { sendMessage, type SendRequest } from '../../../src/conversations/sending/send-message.ts';
import {
  countOpenMessages,
  withdrawMessages,
  type OpenMessages,
} from '../../../src/conversations/sending/withdraw-queued.ts';
import type { WorkspaceScope } from '../../../src/platform/workspace-scope.ts';
import { said } from '../../arriving-events.ts';
import { changeInNameOf } from '../../../src/platform/system-work.ts';
import { openReplies } from './replies-fixture.ts';

const { admin, add, api, arrive, begin, query } = await openReplies();

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

describe('what a flow has waiting', () => {
  const welcome = (contactId: string, source: string, key: string) =>
    send({ to: { contactId }, message: { text: 'Welcome' }, purpose: 'automation', source, key });
  const within = <Result>(work: (scope: WorkspaceScope) => Promise<Result>) =>
    changeInNameOf(api.parts, systemCaller('scheduler', api.workspaceId), work);

  test('is counted and withdrawn by its run, by its flow and by its keys, once', async () => {
    const { id: contactId } = await add('+14155552671');
    const { id: conversationId } = await begin();
    for (const [place, source] of ['flow/a/1', 'flow/a/1', 'flow/a/2', 'flow/ab/1'].entries())
      await welcome(contactId, source, `effect/${source}/${place}`);
    const count = (source: string) => within((scope) => countOpenMessages(scope, { source }));
    expect([
      await count('flow/a'),
      await count('flow/a/1'),
      await count('flow/ab'),
      await count('flow'),
    ]).toEqual([3, 2, 1, 4]);
    const withdraw = (which: OpenMessages) => within((scope) => withdrawMessages(scope, which));
    expect(await withdraw({ source: 'flow/a/1' })).toBe(2);
    expect(await withdraw({ source: 'flow/a/1' })).toBe(0);
    expect([await count('flow/a'), await count('flow/ab')]).toEqual([1, 1]);
    expect(await withdraw({ keyPrefix: 'effect/flow/a/2' })).toBe(1);
    await query(`UPDATE messages SET state = 'sending' WHERE source = 'flow/ab/1'`);
    expect(await withdraw({ source: 'flow' })).toBe(0);
    expect(await count('flow')).toBe(1);
    expect(await query(`SELECT "values" FROM events WHERE type = 'messages.withdrawn'`)).toMatchObject([
      { values: { contactIds: [contactId], conversationIds: [conversationId] } },
    ]);
    expect(await query(`SELECT DISTINCT error_code FROM messages WHERE state = 'cancelled'`)).toEqual([
      { error_code: 'withdrawn' },
    ]);
  });

  test('waits for the end of the quiet hours, and an agent does not', async () => {
    const { id } = await begin();
    const around = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
    const quietHours = { from: around(-2), to: around(2), timeZone: 'UTC' };
    await query('UPDATE workspaces SET settings = $2 WHERE id = $1', [api.workspaceId, { quietHours }]);
    const waits = await send({
      ...{
        to: { conversationId: id },
        message: { text: 'Welcome' },
        purpose: 'automation',
        source: 'flow/a/1',
      },
    });
    expect(waits.outcome === 'accepted' && waits.sendAt?.toISOString().slice(11, 16)).toBe(quietHours.to);
    const bot = await send({ to: { conversationId: id }, message: { text: 'Yes?' }, purpose: 'bot' }, 'bot');
    expect(bot).toMatchObject({ outcome: 'accepted', sendAt: null });
    const reply = await admin.post(`/api/conversations/${id}/messages`, { message: { text: 'Hi' } });
    expect(await reply.json()).toMatchObject({ state: 'queued', sendAt: null });
    expect(await query('SELECT state FROM messages WHERE source IS NOT NULL')).toEqual([
      { state: 'scheduled' },
    ]);
    await query(`UPDATE workspaces SET settings = '{}' WHERE id = $1`, [api.workspaceId]);
  });
});

test('the id of a tapped button comes back in the message and in the fact of its arrival', async () => {
  await begin();
  const tap = said({ phone: '+14155552671' }, 'Keep');
  const content = {
    type: 'button_reply',
    source: 'interactive',
    payload: 'run-7/keep',
    title: 'Keep',
  } as const;
  const row = { type: 'list_reply', id: 'size:l', title: 'Large', description: null } as const;
  await arrive(
    { ...tap, content, messageId: 'wamid.tap', dedupKey: 'tap' },
    { ...tap, content: row, messageId: 'wamid.row', dedupKey: 'row' },
    said({ phone: '+14155552671' }, 'Thanks'),
  );
  expect(
    await query(`SELECT content->>'payload' AS id FROM messages WHERE provider_message_id = 'wamid.tap'`),
  ).toEqual([{ id: 'run-7/keep' }]);
  const [fact] = await query(
    `SELECT "values"->'buttonIds' AS ids FROM events WHERE type = 'messages.arrived' ORDER BY id DESC LIMIT 1`,
  );
  expect(fact.ids).toEqual(['run-7/keep', 'size:l', null]);
});
