import type { MessageDecision } from '@app/domain/conversations/message-state';
import { formatMessageTag } from '@app/domain/conversations/message-tag';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { applyMessageStatuses } from '../src/messages/apply-message-statuses.ts';
import { stopChannel } from '../src/run-controls.ts';
import { decideUnknown } from '../src/messages/decide-unknown.ts';
import { inTransaction } from '../src/transaction.ts';
import { waitFor } from './support/delivery-scene.ts';
import { accept } from './support/fake-platform.ts';
import { openMessageScene } from './support/message-scene.ts';

const scene = await openMessageScene();
const pool = scene.database.systemPool;
afterAll(() => scene.close());

beforeEach(async () => {
  await scene.query('DELETE FROM messages');
  await scene.query('DELETE FROM conversations');
  scene.platform.ledger.length = 0;
  scene.platform.answer = () => undefined;
});

const ended = async (id: string) => {
  await waitFor(async () => !['queued', 'sending'].includes((await scene.read(id)).state));
  return scene.read(id);
};
const bodies = () => scene.platform.ledger.map(({ body }) => (body as { body: string }).body);

describe('a message in doubt', () => {
  const lose = async (text: string) => {
    scene.platform.answer = (message) => {
      accept(scene.platform, message);
      return { outcome: 'unknown', reason: 'response_timeout' };
    };
    const engine = await scene.engine();
    const id = await scene.leave(await scene.addConversation(), text);
    expect(await ended(id)).toMatchObject({ state: 'unknown' });
    await engine.stop(500);
    scene.platform.answer = () => undefined;
    return scene.read(id);
  };
  const decide = (id: string, decision: MessageDecision) =>
    inTransaction(pool, (client) => decideUnknown(client, { id, decision }));

  test('leaves once more when a person decides so, and only once', async () => {
    const { id } = await lose('Hello');
    expect(await Promise.all([1, 2, 3].map(() => decide(id, 'send_again')))).toContain(true);
    const engine = await scene.engine();
    expect(await ended(id)).toMatchObject({ state: 'accepted', attempt: 2 });
    expect(await decide(id, 'send_again')).toBe(false);
    expect(bodies()).toEqual(['Hello', 'Hello']);
    await engine.stop(500);
  });

  test('does not leave again when the platform reports the first try meanwhile', async () => {
    const { id, no } = await lose('Hello');
    await decide(id, 'send_again');
    await scene.report(no, 'sent', Date.now());
    const engine = await scene.engine();
    const behind = await scene.leave((await scene.read(id)).contact_id, 'behind');
    expect(await ended(behind)).toMatchObject({ state: 'accepted' });
    expect(await scene.read(id)).toMatchObject({ state: 'accepted', attempt: 1 });
    expect(bodies()).toEqual(['Hello', 'behind']);
    await engine.stop(500);
  });

  test('keeps the end of its second try when the failure of the first is reported late', async () => {
    const { id, no } = await lose('Hello');
    await decide(id, 'send_again');
    const engine = await scene.engine();
    expect(await ended(id)).toMatchObject({ state: 'accepted', attempt: 2 });
    expect((await scene.report(no, 'failed', Date.now())).changed).toEqual([]);
    expect(await scene.query('SELECT failed_at FROM messages WHERE id = $1', [id])).toEqual([
      { failed_at: null },
    ]);
    await engine.stop(500);
  });

  test('that is taken as sent never leaves, and still hears that it failed', async () => {
    const { id, no } = await lose('Hello');
    expect(await decide(id, 'sent')).toBe(true);
    expect(await scene.read(id)).toMatchObject({ state: 'accepted', error_code: null });
    await scene.report(no, 'failed', Date.now());
    expect(await scene.read(id)).toMatchObject({ state: 'accepted', error_code: '131026' });
    expect(bodies()).toEqual(['Hello']);
  });
});

describe('reports of the platform', () => {
  test('that speak against the number stop it, unless somebody let it send since', async () => {
    const { no } = await scene.read(await scene.leave(await scene.addConversation(), 'Hello'));
    const fail = (at: number) =>
      inTransaction(pool, (client) =>
        applyMessageStatuses(
          client,
          [
            {
              ...{ tag: formatMessageTag({ no, attempt: 1 }), status: 'failed', messageId: `wamid.${no}` },
              ...{ occurredAt: at, error: { code: '131048', title: 'Spam' }, workspaceId: scene.workspaceId },
              action: { kind: 'stop_channel', blocks: 'campaigns' },
            },
          ],
          Date.now(),
        ),
      );
    const stopped = () =>
      scene.query('SELECT stopped_code, stopped_for FROM channels WHERE id = $1', [scene.channelId]);
    await scene.addContacts(1);
    const runNo = await scene.startRunOf();
    expect((await fail(Date.now())).pausedRuns).toEqual([runNo]);
    expect(await stopped()).toEqual([{ stopped_code: '131048', stopped_for: 'campaigns' }]);
    await scene.query(
      `UPDATE channels SET stopped_code = NULL, stopped_for = NULL, resumed_at = now() + interval '5 seconds'`,
    );
    // A copy, and the same of another message from before.
    expect((await fail(Date.now() - 60_000)).pausedRuns).toEqual([]);
    const other = await scene.read(await scene.leave(await scene.addConversation(), 'Hello'));
    expect((await scene.report(other.no, 'failed', Date.now())).pausedRuns).toEqual([]);
    expect(await stopped()).toEqual([{ stopped_code: null, stopped_for: null }]);
    await scene.query('UPDATE channels SET resumed_at = NULL');
  });

  test.each([
    ['a whole second of the platform, in that of the resume', '10:00:07.000', ['131031']],
    ['a question of ours before the resume, in the same second', '10:00:07.250', [null]],
    ['one after it', '10:00:07.750', ['131031']],
  ])('stop the number after a resume by their time: %s', async (_, time, codes) => {
    await scene.query(
      `UPDATE channels SET stopped_code = NULL, stopped_for = NULL, stopped_at = NULL, resumed_at = '2026-11-27T10:00:07.5Z'`,
    );
    const at = new Date(`2026-11-27T${time}Z`);
    await inTransaction(pool, (client) =>
      stopChannel(client, scene.channelId, { code: '131031', detail: '', blocks: 'everything', at }),
    );
    const rows = await scene.query('SELECT stopped_code FROM channels WHERE id = $1', [scene.channelId]);
    expect(rows).toEqual(codes.map((code) => ({ stopped_code: code })));
    await scene.query(
      'UPDATE channels SET stopped_code = NULL, stopped_for = NULL, stopped_at = NULL, resumed_at = NULL',
    );
  });

  test('fold to the same in every order, doubled or not, and stay with their workspace', async () => {
    const contactId = await scene.addConversation();
    const reports = [
      ['sent', 1_000],
      ['sent', 2_000],
      ['read', 4_000],
      ['delivered', 3_000],
      ['failed', 2_500],
    ] as const;
    const orders = [
      [0, 1, 2, 3, 4],
      [4, 3, 2, 1, 0, 0],
      [2, 4, 0, 3, 1, 2],
      [3, 1, 4, 2, 0],
    ];
    for (const order of orders) {
      const id = await scene.leave(contactId, 'Hello');
      const { no } = await scene.read(id);
      const failures = [];
      for (const place of order) {
        const [status, at] = reports[place]!;
        expect(await scene.report(no, status, at, crypto.randomUUID())).toMatchObject({
          changed: [],
          unmatched: [0],
        });
        const { changed } = await scene.report(no, status, at);
        failures.push(...changed.filter(({ failedNow }) => failedNow !== null));
      }
      expect(failures).toHaveLength(1);
      const [row] = await scene.query(
        'SELECT state, provider_message_id AS wamid, sent_at, delivered_at, read_at, failed_at, error_code FROM messages WHERE id = $1',
        [id],
      );
      expect(row).toEqual({
        ...{
          state: 'accepted',
          wamid: `wamid.${no}`,
          sent_at: new Date(1_000),
          delivered_at: new Date(3_000),
        },
        ...{ read_at: new Date(4_000), failed_at: new Date(2_500), error_code: '131026' },
      });
      expect((await scene.report(no, 'read', 4_000)).changed).toEqual([]);
    }
  });
});
