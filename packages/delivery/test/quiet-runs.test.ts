import { newId } from '@app/database/new-id';
import { quietUntil, type QuietHours } from '@app/domain/campaigns/quiet-hours';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isQuietSql } from '../src/pace/quiet-runs.ts';
import { type DeliveryScene, openDeliveryScene } from './support/delivery-scene.ts';

let scene: DeliveryScene;
const campaignId = newId();
const query = (text: string, values: unknown[] = []) => scene.database.systemPool.query(text, values);

beforeAll(async () => {
  scene = await openDeliveryScene();
  await scene.addContacts(1);
  const runNo = await scene.startRunOf();
  await query(
    `INSERT INTO campaigns (id, workspace_id, name, custom_message, run_no) VALUES ($1, $2, 'Night', 'Hi', $3)`,
    [...[campaignId, scene.workspaceId, runNo]],
  );
});
afterAll(() => scene.close());

test.each<[string, QuietHours]>([
  ['over midnight', { from: '21:00', to: '09:00', timeZone: 'Europe/Madrid' }],
  ['within a day', { from: '12:30', to: '14:00', timeZone: 'America/New_York' }],
  ['of the other side of the earth', { from: '20:00', to: '08:00', timeZone: 'Pacific/Auckland' }],
  ['of no length', { from: '09:00', to: '09:00', timeZone: 'UTC' }],
])('quiet hours %s are those of the rule, at each quarter of two days', async (_, hours) => {
  await query('UPDATE campaigns SET quiet_hours = $2 WHERE id = $1', [campaignId, JSON.stringify(hours)]);
  const { rows } = await query(
    `SELECT m.at, ${isQuietSql('m.at')} AS is_quiet FROM delivery_runs r
      CROSS JOIN generate_series(timestamptz '2026-11-25T00:00Z', '2026-11-27T00:00Z', '15 minutes') AS m (at)`,
  );
  expect(rows).toHaveLength(193);
  expect(rows.map(({ is_quiet: isQuiet }) => isQuiet)).toEqual(
    rows.map(({ at }) => quietUntil(hours, at) !== null),
  );
});

test('a run without quiet hours, or without a campaign, is never quiet', async () => {
  const quiet = async () =>
    (await query(`SELECT ${isQuietSql('now()')} AS is_quiet FROM delivery_runs r`)).rows;
  await query('UPDATE campaigns SET quiet_hours = NULL WHERE id = $1', [campaignId]);
  expect(await quiet()).toEqual([{ is_quiet: false }]);
  await query('DELETE FROM campaigns WHERE id = $1', [campaignId]);
  expect(await quiet()).toEqual([{ is_quiet: false }]);
});

test('what waits for a time does not go on within quiet hours, and goes on after them', async () => {
  const [runNo] = (await query('SELECT run_no FROM delivery_runs')).rows.map(({ run_no: no }) => Number(no));
  const clock = (shift: number) => new Date(Date.now() + shift * 3_600_000).toISOString().slice(11, 16);
  await query(
    `INSERT INTO campaigns (id, workspace_id, name, custom_message, run_no, quiet_hours) VALUES ($1, $2, 'Night', 'Hi', $3, $4)`,
    [
      ...[newId(), scene.workspaceId, runNo],
      JSON.stringify({ from: clock(-2), to: clock(2), timeZone: 'UTC' }),
    ],
  );
  const due = `r.resume_at <= now() AND NOT ${isQuietSql('now()')}`;
  await query(
    `UPDATE delivery_runs SET state = 'paused', pause_reason = 'daily_limit', resume_at = now() - interval '1 minute'`,
  );
  expect((await query(`SELECT r.run_no FROM delivery_runs r WHERE ${due}`)).rows).toEqual([]);
  await query('UPDATE campaigns SET quiet_hours = $1', [
    JSON.stringify({ from: clock(2), to: clock(3), timeZone: 'UTC' }),
  ]);
  expect((await query(`SELECT r.run_no FROM delivery_runs r WHERE ${due}`)).rows).toHaveLength(1);
});
