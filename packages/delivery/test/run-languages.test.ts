import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatDeliveryTag } from '@app/domain/delivery/delivery-tag';
import type { RunMessage } from '@app/domain/delivery/run-message';
import { createMortalProcess } from './support/simulation.ts';
import { systemClock } from '../src/delivery-host.ts';
import { createDeliveryEngine } from '../src/engine/engine.ts';
import { freezeRest } from '../src/start-run.ts';
import { applyStatuses } from '../src/statuses/apply-statuses.ts';
import { inTransaction } from '../src/transaction.ts';
import {
  openDeliveryScene,
  quietLogger,
  emitPlainly,
  waitFor,
  type DeliveryScene,
} from './support/delivery-scene.ts';

let scene: DeliveryScene;
beforeEach(async () => {
  scene = await openDeliveryScene();
});
afterEach(() => scene.close());

const template = (language: string, values: Record<string, string> = {}) =>
  ({ type: 'template', name: 'offer', language, body: { format: 'named', values } }) as const;
const message: RunMessage = {
  content: template('en', { who: '{{name}}' }),
  inLanguages: { de: template('de', { who: '{{name}}' }), pt_BR: template('pt_BR', { who: '{{name}}' }) },
  ...{ variables: {}, businessName: 'Shop' },
};
/** What each language becomes, in turn, for the people of a scene. */
const spoken = ['de', 'en', null, 'de_AT', 'pt', 'fr'] as const;
const got = ['de', 'en', 'en', 'de', 'pt_BR', 'en'];

async function addPeople(count: number): Promise<string[]> {
  const ids = await scene.addContacts(count);
  await speak(ids, [...spoken]);
  return ids;
}
async function speak(ids: readonly string[], languages: readonly (string | null)[]): Promise<void> {
  await scene.database.systemPool.query(
    `UPDATE contacts c SET language = ($2::text[])[(p.place - 1) % $3 + 1]
       FROM unnest($1::uuid[]) WITH ORDINALITY AS p (id, place) WHERE c.id = p.id`,
    [ids, languages, languages.length],
  );
}
/** The language that each number got, by its place: +4477 and 10000001 onwards. */
const sentLanguages = () =>
  scene.platform.ledger
    .toSorted((one, other) => Number(one.to) - Number(other.to))
    .map(({ body }) => (body as { language: string }).language);

test('everybody gets their own language, as it was when the run began, by the first try and by the next ones', async () => {
  const ids = await addPeople(6);
  const runNo = await scene.startRunOf({ message });
  // What somebody says meanwhile is for the next message.
  await speak(ids, ['fr']);
  const tried = new Set<string>();
  scene.platform.answer = ({ to }) => {
    if (tried.has(to)) return undefined;
    tried.add(to);
    const action = { kind: 'retry', afterMs: 50, maxAttempts: 3, pauses: 'recipient' } as const;
    return { outcome: 'refused', error: { code: '131016', title: 'Later' }, action };
  };
  await scene.engine();
  await scene.finish(runNo);
  expect(sentLanguages()).toEqual(got);
  expect(scene.platform.ledger[0]?.body).toMatchObject({ body: { values: { who: expect.any(String) } } });
});

test('a process that dies in the middle leaves nobody another language than the one that was frozen', async () => {
  const ids = await addPeople(60);
  scene.messagesPerSecond = 30;
  const dying = createMortalProcess(scene.database.systemPool, systemClock, Math.random, 0);
  const runNo = await scene.startRunOf({ message });
  await createDeliveryEngine({
    systemPool: dying.pool,
    clock: dying.clock,
    channelFor: () => Promise.resolve({ channel: scene.platform, messagesPerSecond: 30 }),
    ...{ publish: () => undefined, emit: emitPlainly, logger: quietLogger, ownerId: randomUUID() },
  }).start();
  await waitFor(() => scene.platform.ledger.length >= 10);
  dying.die();
  await speak(ids, ['fr']);
  await scene.database.systemPool.query(
    'UPDATE delivery_channels SET lease_until = now() WHERE channel_id = $1',
    [scene.channelId],
  );
  scene.messagesPerSecond = null;
  await scene.engine();
  const { counters } = await scene.finish(runNo);
  expect(counters).toMatchObject({ total: 60, pending: 0 });
  expect(new Set(scene.platform.ledger.map(({ to }) => to)).size).toBe(scene.platform.ledger.length);
  for (const { to, body } of scene.platform.ledger)
    expect(body).toMatchObject({ language: got[(Number(to.slice(-8)) - 10_000_001) % got.length] });
});

test('the part of a large audience that is frozen later has its languages too; a message in one keeps none', async () => {
  await addPeople(60);
  const started = await scene.start({ message, largeFrom: 30, headSize: 6 });
  const runNo = 'runNo' in started ? started.runNo : 0;
  await inTransaction(scene.database.systemPool, (client) => freezeRest(client, runNo));
  const other = await scene.startRunOf();
  const keptOf = async (run: number) =>
    (
      await scene.database.systemPool.query<{ language: string | null; count: number }>(
        'SELECT language, count(*)::integer AS count FROM delivery_recipients WHERE run_no = $1 GROUP BY 1 ORDER BY 1',
        [run],
      )
    ).rows;
  expect(await keptOf(runNo)).toHaveLength(spoken.length);
  expect((await keptOf(runNo)).every(({ count }) => count === 10)).toBe(true);
  expect(await keptOf(other)).toEqual([{ language: null, count: 60 }]);
});

const stopped = { kind: 'stop_campaign', recipient: 'requeued' } as const;

test('a language that the platform stops fails for those who want it, and everybody else gets theirs', async () => {
  await addPeople(12);
  const runNo = await scene.startRunOf({ message });
  scene.platform.answer = ({ content }) =>
    (content as { language: string }).language === 'de'
      ? { outcome: 'refused', error: { code: '132015', title: 'Paused' }, action: stopped }
      : undefined;
  await scene.engine();
  const { counters } = await scene.finish(runNo);
  expect(counters).toMatchObject({ total: 12, accepted: 8, refused: 4, pending: 0 });
  expect(new Set(sentLanguages())).toEqual(new Set(['en', 'pt_BR']));
});

test.each([
  ['the chosen language is stopped', 'en', stopped],
  ['the account may send no template', 'de', { ...stopped, ofAccount: true }],
] as const)('a campaign waits for a person where %s', async (_, language, action) => {
  await addPeople(12);
  const runNo = await scene.startRunOf({ message });
  scene.platform.answer = ({ content }) =>
    (content as { language: string }).language === language
      ? { outcome: 'refused', error: { code: '132015', title: 'Paused' }, action }
      : undefined;
  await scene.engine();
  const { counters } = await scene.finish(runNo, 'paused');
  expect(counters).toMatchObject({ refused: 0 });
});

test('a report later that a language is stopped pauses nobody else either', async () => {
  await addPeople(6);
  const runNo = await scene.startRunOf({ message });
  const error = { code: '132015', title: 'Paused' };
  const failed = (seq: number) => ({
    ...{
      tag: formatDeliveryTag({ runNo, seq, attempt: 1 }),
      messageId: `wamid.${seq}`,
      status: 'failed' as const,
    },
    ...{ occurredAt: Date.now(), workspaceId: scene.workspaceId, error, action: stopped },
  });
  const { rows } = await scene.database.systemPool.query<{ seq: number; language: string | null }>(
    'SELECT seq, language FROM delivery_recipients WHERE run_no = $1',
    [runNo],
  );
  const seqOf = (wanted: string) => rows.find(({ language }) => language === wanted)?.seq ?? -1;
  const apply = (seq: number) =>
    inTransaction(scene.database.systemPool, (client) => applyStatuses(client, [failed(seq)]));
  expect(await apply(seqOf('de_AT'))).toMatchObject({ matched: 1, pausedRuns: [] });
  expect(await apply(seqOf('fr'))).toMatchObject({ matched: 1, pausedRuns: [runNo] });
});
