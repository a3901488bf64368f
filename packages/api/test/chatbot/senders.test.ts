import { createFlowEngine } from '@app/flows/flow-engine';
import { rcsKind } from '@app/providers/rcs/rcs-kind';
import { whatsAppKind } from '@app/providers/whatsapp-cloud/whatsapp-kind';
import { expect, test } from 'vitest';
import { openFlowHost } from '../../src/automation/engine/flow-host.ts';
import { indexChannelKinds } from '@app/domain/channels/channel-kind';
import { openArrivals } from '../arrivals.ts';
import { arriveWith, said } from '../arriving-events.ts';

const { admin, api, arrive, query, secrets } = await openArrivals({
  channelKinds: indexChannelKinds([whatsAppKind, rcsKind]),
});
const engine = createFlowEngine(openFlowHost(api.parts));
const [{ id: first }] = await query('SELECT id FROM channels ORDER BY id LIMIT 1');
const [{ id: second }] = await query(
  `INSERT INTO channels (id, workspace_id, kind, address, credentials, messages_per_second, is_connected)
   SELECT gen_random_uuid(), workspace_id, kind, gen_random_uuid(), credentials, 80, true FROM channels RETURNING id`,
);
const arriveAtSecond = arriveWith(api, { secrets, channelId: second });

const save = async (change: object) => {
  const { version } = await (await admin.get('/api/bot/settings')).json<{ version: number }>();
  return admin.put('/api/bot/settings', { responseDelay: 0, ...change, version });
};
let spoken = 0;
const write = async (to: typeof arrive, text: string) => {
  spoken += 1;
  await to(said({ phone: '+14155552671' }, text, { occurredAt: Date.now() - 600_000 + spoken * 5_000 }));
  for (let round = 0; round < 4; round += 1) {
    await api.facts.catchUp();
    await engine.drain();
  }
};
const texts = () =>
  query<{ channel_id: string; text: string }>(
    `SELECT channel_id, text FROM messages WHERE direction = 'out' ORDER BY send_no`,
  );

test('the bot has flows and texts of its own at a sender, is off at another one, and the same at all others', async () => {
  const flow = async (name: string) => {
    const made = await admin.post('/api/bot-flows', {
      ...{ name, trigger: { type: 'keyword', value: 'size' } },
      responses: [{ type: 'text', content: name }],
    });
    const { id } = await made.json<{ id: string }>();
    expect((await admin.put(`/api/bot-flows/${id}/active`, { isActive: true })).status).toBe(200);
    return id;
  };
  await flow('Sizes of shoes');
  const ofSecond = await flow('Sizes of hats');
  const gone = crypto.randomUUID();
  const saved = await save({
    isEnabled: true,
    senders: [
      { channelId: second, botFlowIds: [ofSecond, gone], fallbackMessage: 'Ask the hatter.' },
      { channelId: gone, isEnabled: false },
    ],
  });
  // What is not of the workspace is left out.
  expect(await saved.json()).toMatchObject({
    senders: [{ channelId: second, isEnabled: true, botFlowIds: [ofSecond], closedMessage: '' }],
  });
  await write(arrive, 'what size');
  await write(arriveAtSecond, 'what size');
  await write(arriveAtSecond, 'blue');
  await write(arriveAtSecond, 'blue again');
  expect(await texts()).toMatchObject([
    { channel_id: first, text: 'Sizes of shoes' },
    { channel_id: second, text: 'Sizes of hats' },
    { channel_id: second },
    { channel_id: second, text: 'Ask the hatter.' },
  ]);
  expect((await save({ senders: [{ channelId: first, isEnabled: false }] })).status).toBe(200);
  await query('DELETE FROM messages');
  await write(arrive, 'what size');
  expect(await texts()).toEqual([]);
  const twice = await save({ senders: [{ channelId: first }, { channelId: first }] });
  expect(twice.status).toBe(422);
});

test('a channel without captions, as RCS, gets the caption of a file as a text of its own after it', async () => {
  await query('DELETE FROM messages');
  await query('DELETE FROM bot_settings');
  const [{ id: rcs }] = await query(
    `INSERT INTO channels (id, workspace_id, kind, address, credentials, messages_per_second, is_connected)
     SELECT gen_random_uuid(), workspace_id, 'rcs', gen_random_uuid(), credentials, 80, true FROM channels WHERE id = $1 RETURNING id`,
    [first],
  );
  const media = { media: 'image', source: 'address', link: 'https://example.com/map.png', channel: rcs };
  const made = await admin.post('/api/bot-flows/import', {
    ...{ kind: 'bot', name: 'Map', start: 'map' },
    triggers: [{ id: 'begin', type: 'keyword', config: { value: 'map' } }],
    steps: [{ id: 'map', type: 'send_media', config: { ...media, caption: 'You find us here.' }, next: {} }],
  });
  const { id } = await made.json<{ id: string }>();
  expect((await admin.post(`/api/workflows/${id}/publish`, { version: 1 })).status).toBe(200);
  expect((await admin.put(`/api/bot-flows/${id}/active`, { isActive: true })).status).toBe(200);
  await save({ isEnabled: true });
  await write(arrive, 'map');
  const sent = await query<{ channel_id: string; content: object }>(
    `SELECT channel_id, content FROM messages WHERE direction = 'out' ORDER BY send_no`,
  );
  expect(sent).toMatchObject([
    { channel_id: rcs, content: { kind: 'image', media: { link: 'https://example.com/map.png' } } },
    { channel_id: rcs, content: { type: 'text', body: 'You find us here.' } },
  ]);
  expect(sent[0]!.content).not.toHaveProperty('caption');
});
