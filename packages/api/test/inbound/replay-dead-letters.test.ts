import { QueryError } from '@app/database/query-error';
import pg from 'pg';
import { expect, test } from 'vitest';
import { replayDeadLetters } from '../../src/webhooks/replay-dead-letters.ts';
import { deadLetter } from '../../src/webhooks/dead-letter-events.ts';
import { openArrivals } from '../arrivals.ts';
import { said, storeOf } from '../arriving-events.ts';

const { api, secrets, query } = await openArrivals();
const dependencies = storeOf(api, secrets);
const refused = Object.assign(new pg.DatabaseError('no', 1, 'error'), { code: '22000' });

test('what was set aside comes to its place once the database takes it, and stays where it is until then', async () => {
  const [{ id: channelId }] = await query('SELECT id FROM channels');
  await query(`CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '22000'; END $$`);
  await query(`CREATE TRIGGER refuse_poison BEFORE INSERT ON messages FOR EACH ROW
    WHEN (NEW.text = 'poison') EXECUTE FUNCTION refuse_poison()`);
  for (const text of ['STOP', 'poison'])
    await deadLetter(
      {
        event: said({ phone: '+14155552671', name: 'Ann' }, text, {
          messageId: `wamid.${text}`,
          raw: { a: text },
        }),
        ...{ workspaceId: api.workspaceId, channelId, kind: 'whatsapp' },
      },
      refused,
      dependencies,
    );
  const kept = () => query(`SELECT payload->>'text' AS raw FROM platform_events WHERE kind = 'set_aside'`);
  expect(await replayDeadLetters(dependencies)).toEqual({ stored: 1, left: 1 });
  expect(await kept()).toEqual([{ raw: '{"a":"poison"}' }]);

  await query('DROP FUNCTION refuse_poison() CASCADE');
  expect(await replayDeadLetters(dependencies)).toEqual({ stored: 1, left: 0 });
  expect(await replayDeadLetters(dependencies)).toEqual({ stored: 0, left: 0 });
  expect(await query('SELECT text, payload FROM messages ORDER BY text COLLATE "C"')).toEqual([
    { text: 'STOP', payload: { a: 'STOP' } },
    { text: 'poison', payload: { a: 'poison' } },
  ]);
  expect(await query('SELECT name, opted_out_at IS NOT NULL AS out FROM contacts')).toEqual([
    { name: 'Ann', out: true },
  ]);
});

test('what the start of the product cannot store for another reason is left, and said, and keeps nothing else from its place', async () => {
  const [{ id: channelId }] = await query('SELECT id FROM channels');
  for (const text of ['first', 'second'])
    await deadLetter(
      {
        event: said({ phone: '+14155552671' }, text),
        workspaceId: api.workspaceId,
        channelId,
        kind: 'whatsapp',
      },
      refused,
      dependencies,
    );
  const errors: unknown[] = [];
  let isBroken = true;
  const broken = {
    ...dependencies,
    logger: { ...dependencies.logger, error: ({ err }: { err?: unknown }) => void errors.push(err) },
    clock: () => {
      if (!isBroken) return new Date();
      isBroken = false;
      throw new Error('ours');
    },
  };
  expect(await replayDeadLetters(broken)).toEqual({ stored: 1, left: 1 });
  expect(errors).toEqual([new Error('ours')]);
  expect(await query('SELECT text FROM messages')).toEqual([{ text: 'second' }]);
  const away = {
    ...dependencies,
    clock: () => {
      throw new QueryError({ code: 'ECONNREFUSED' });
    },
  };
  await expect(replayDeadLetters(away)).rejects.toThrow('ECONNREFUSED');
  expect(await query(`SELECT FROM platform_events WHERE kind = 'set_aside'`)).toHaveLength(1);
});
