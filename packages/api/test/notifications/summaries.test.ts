import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { enqueueSummaries } from '../../src/notifications/summaries/enqueue-summaries.ts';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';
import { addCaller } from '../users/add-person.ts';

let api: ApiFixture;
let noor: Awaited<ReturnType<typeof addCaller>>;
let channelId: string;
beforeAll(async () => {
  api = await openApiFixture();
  channelId = await api.addChannel();
});
beforeEach(async () => {
  await query('DELETE FROM message_stats');
  await query('DELETE FROM summaries');
  noor = await addCaller(api, 'manager');
  // Everybody else has just come.
  await query(
    `UPDATE memberships SET created_at = CASE WHEN user_id = $1 THEN '2020-01-01' ELSE '2100-01-01' END::timestamptz`,
    [noor.id],
  );
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const lives = (timeZone: string, language = 'en') =>
  query('UPDATE users SET timezone = $2, language = $3 WHERE id = $1', [noor.id, timeZone, language]);
const count = (hour: string, figures: { accepted: number; failed?: number }) =>
  query(
    'INSERT INTO message_stats (workspace_id, channel_id, hour, accepted, failed) VALUES ($1, $2, $3, $4, $5)',
    [api.workspaceId, channelId, hour, figures.accepted, figures.failed ?? 0],
  );
/** Two processes look at that moment. */
async function look(at: string): Promise<void> {
  const parts = { ...api.parts, clock: () => new Date(at) };
  await Promise.all([enqueueSummaries(parts), enqueueSummaries(parts)]);
  const open = `SELECT state, output FROM jobs.job WHERE name = 'summary-mail' AND state <> 'completed'`;
  await expect.poll(async () => (await query(open)).rows).toEqual([]);
  await api.facts.catchUp();
}
const mails = () => api.mails.filter(({ to }) => to === noor.email);
const days = async (kind: string) =>
  (
    await query(`SELECT day::text FROM summaries WHERE user_id = $1 AND kind = $2 ORDER BY day`, [
      noor.id,
      kind,
    ])
  ).rows.map(({ day }) => String(day));

describe('a summary', () => {
  test('tells of yesterday in the words and by the clock of its reader, and once', async () => {
    await lives('America/New_York', 'de');
    // Their Tuesday is from five in the morning to five, in UTC.
    await count('2026-12-01T04:00:00Z', { accepted: 1000 });
    await count('2026-12-01T05:00:00Z', { accepted: 1100 });
    await count('2026-12-02T04:00:00Z', { accepted: 134, failed: 3 });
    await count('2026-12-02T05:00:00Z', { accepted: 9999 });
    await look('2026-12-02T12:59:00Z');
    expect(mails()).toEqual([]);
    await look('2026-12-02T13:01:00Z');
    await look('2026-12-02T14:00:00Z');
    expect(mails().length).toBe(1);
    const [mail] = mails();
    expect(mail?.subject).toContain('Dienstag, 1. Dezember 2026');
    expect(mail?.text).toContain('Gesendete Nachrichten: 1.234 · +23 % (davor: 1.000)');
    expect(mail?.text).not.toContain('Zugestellt');
    expect(mail?.html).toContain('1.234');
    expect(mail?.html).not.toMatch(/<img|<script|undefined|null/);
    const { items } = await (
      await noor.caller.get('/api/notifications')
    ).json<{ items: { kind: string; values: object }[] }>();
    expect(items[0]).toMatchObject({ kind: 'daily_summary', values: { sent: 1234, answered: 0 } });
  });

  test('is none when nothing happened, none for who has just come, and none where nobody wants it', async () => {
    await lives('UTC');
    await look('2026-12-02T09:00:00Z');
    await count('2026-12-02T09:00:00Z', { accepted: 5 });
    const choices = await (await noor.caller.get('/api/profile/notifications')).json<{ options: object }>();
    const off = { inApp: false, push: false, email: false };
    await noor.caller.put('/api/profile/notifications', {
      ...choices,
      options: { daily_summary: off },
    });
    await look('2026-12-03T09:00:00Z');
    expect(await days('daily_summary')).toEqual(['2026-12-02', '2026-12-03']);
    expect(mails()).toEqual([]);
  });

  test.each([
    ['an hour that is left out', '2027-03-27', 4],
    ['an hour that comes twice', '2026-10-24', 4],
  ])('comes once on each day, around %s', async (_, first, number) => {
    await lives('Europe/Paris');
    for (let hour = 0; hour < number * 24; hour += 1)
      await enqueueSummaries({
        ...api.parts,
        clock: () => new Date(Date.parse(`${first}T00:30:00+02:00`) + hour * 3_600_000),
      });
    const expected = Array.from({ length: number }, (__, day) =>
      new Date(Date.parse(`${first}T00:00:00Z`) + day * 86_400_000).toISOString().slice(0, 10),
    );
    expect(await days('daily_summary')).toEqual(expected);
    // A Monday is among them.
    expect(await days('weekly_report')).toEqual([expected[2]]);
  });

  test('of a week names what needs somebody, though nothing happened', async () => {
    await lives('UTC');
    await query(
      `UPDATE channels SET stopped_code = '190', stopped_reason = 'no', stopped_for = 'everything' WHERE id = $1`,
      [channelId],
    );
    await look('2026-12-07T09:00:00Z');
    expect(mails().map(({ subject }) => subject)).toEqual([
      expect.stringContaining('your week, November 30'),
    ]);
    expect(mails()[0]?.text).toContain('Sending has stopped: ');
  });
});

test('one press ends these mails without a sign-in, opening the page does not, and a guess opens nothing', async () => {
  await lives('UTC', 'fr');
  await count('2026-12-01T09:00:00Z', { accepted: 5 });
  await look('2026-12-02T09:00:00Z');
  const url = mails()[0]?.unsubscribeUrl ?? '';
  expect(mails()[0]?.text).toContain(url);
  const { pathname } = new URL(url);
  const isMailed = async () =>
    (
      await (
        await noor.caller.get('/api/profile/notifications')
      ).json<{ options: Record<string, { email: boolean }> }>()
    ).options['daily_summary']?.email;
  const page = await api.stranger.get(pathname);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form method="post">')]);
  expect(await isMailed()).toBe(true);
  // As a mail program presses it by itself.
  const press = () =>
    api.stranger.request(pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
  expect([(await press()).status, (await press()).status]).toEqual([200, 200]);
  expect(await isMailed()).toBe(false);
  expect((await api.stranger.get(pathname.replace('daily_summary', 'weekly_report'))).status).toBe(404);
  expect((await api.stranger.post(`${pathname}x`, {})).status).toBe(404);
});
