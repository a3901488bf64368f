import fc from 'fast-check';
import { runs } from '@app/database/testing/thorough';
import { addDays, dayIn } from '@app/domain/analytics/report-period';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStory, type Status } from './rollup-story.ts';

let story: Awaited<ReturnType<typeof openStory>>;
beforeAll(async () => {
  story = await openStory();
});
afterAll(() => story.api.close());

const ZONES = ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Kiritimati'];
const HOUR = 3_600_000;

/** Events of the rows themselves, in the wall clock of a zone: `$2` the zone, `$3` and `$4` the days. Nothing of it is known to the rollups. */
const EVENTS = `
  WITH ours AS (
    SELECT r.contact_id, n.channel_id, n.campaign_id, r.accepted_at AS sent, least(r.delivered_at, r.read_at) AS delivered, r.read_at AS read,
           CASE WHEN r.delivered_at IS NULL AND r.read_at IS NULL THEN r.failed_at END AS failed,
           CASE WHEN r.state = 3 THEN r.failed_at END AS refused
      FROM delivery_recipients r JOIN delivery_runs n USING (run_no) WHERE r.workspace_id = $1 AND r.state IN (2, 3)
    UNION ALL
    SELECT contact_id, channel_id, NULL, accepted_at, least(delivered_at, read_at), read_at,
           CASE WHEN delivered_at IS NULL AND read_at IS NULL THEN failed_at END, CASE WHEN state = 'refused' THEN failed_at END
      FROM messages WHERE workspace_id = $1 AND direction = 'out' AND state IN ('accepted', 'refused')
  ), events AS (
    SELECT o.campaign_id, e.metric, e.at AT TIME ZONE $2 AS at FROM ours o CROSS JOIN LATERAL (VALUES ('sent', o.sent), ('delivered', o.delivered),
      ('read', o.read), ('failed', o.failed), ('refused', o.refused), ('replied', (SELECT min(i.occurred_at) FROM messages i WHERE i.contact_id = o.contact_id
        AND i.channel_id = o.channel_id AND i.direction = 'in' AND i.occurred_at > o.delivered
        AND i.occurred_at <= o.delivered + interval '24 hours'))) AS e (metric, at)
     WHERE e.at IS NOT NULL
  ), asked AS (SELECT * FROM events WHERE at >= $3::date AND at < $4::date + 1)`;
const COUNTS = ['sent', 'delivered', 'read', 'failed', 'replied'] as const;
const FIGURES = COUNTS.map((one) => `count(*) FILTER (WHERE metric = '${one}')::integer AS ${one}`).join(
  ', ',
);
type Counts = Record<(typeof COUNTS)[number], number>;
type Summed = Counts & { refused: number };
const isSomething = (counts: Counts) => COUNTS.some((name) => counts[name] > 0);

test('late, doubled and reordered, each report of five time zones equals a count of the rows', async () => {
  const step = fc.record({
    what: fc.constantFrom('report', 'report', 'report', 'report', 'settle', 'write', 'single', 'campaign'),
    which: fc.nat(1_000),
    status: fc.constantFrom<Status>('sent', 'delivered', 'read', 'failed'),
    minutes: fc.nat(4 * 24 * 60),
    times: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 60 }), async (steps) => {
      const people = [await story.person(), await story.person(), await story.person()];
      const own = story.ours.length;
      await story.campaign(people.map(({ id }) => id));
      for (const { what, which, status, minutes, times } of steps) {
        const mine = story.ours.slice(own);
        const one = mine[which % mine.length]!; // the campaign has three
        const person = people[which % people.length]!;
        const at = Math.floor((Date.now() - minutes * 60_000) / 1_000) * 1_000;
        if (what === 'report') for (let time = 0; time < times; time += 1) await one.report(status, at);
        if (what === 'settle') await story.settle(one, times === 3 ? 'refused' : 'accepted', at);
        if (what === 'write') await story.writes(person.phone, at);
        if (what === 'single') await story.single(person.id, 'person');
        if (what === 'campaign') await story.campaign([person.id]);
      }
      await story.settleAll();
      for (const zone of ZONES) {
        const { reported, counted } = await readBoth(zone);
        expect(reported, zone).toEqual(counted);
      }
    }),
    { numRuns: runs(2) },
  );
});

/** What the reports say of the last days in a zone, and what a count of the rows does. */
async function readBoth(zone: string) {
  const to = dayIn(zone, Date.now() + HOUR);
  const from = addDays(to, -3);
  const raw = <Row extends object>(text: string) =>
    story.query<Row>(`${EVENTS} ${text}`, [story.api.workspaceId, zone, from, to]);
  const get = async <Answer>(path: string) => {
    const response = await story.admin.get(`/api/analytics/${path}from=${from}&to=${to}&zone=${zone}`);
    return response.json<Answer>();
  };
  const summary = await get<{ counts: Summed & { received: number }; deliveryRate: { value: number } }>(
    'summary?',
  );
  const { received: _, ...sums } = summary.counts;
  const { points } = await get<{ points: ({ day: string } & Counts)[] }>('volume?bucket=day&');
  const { hours } = await get<{ hours: ({ hour: number } & Counts)[] }>('best-time?');
  const { items } = await get<{ items: ({ id: string } & Counts)[] }>('campaigns?limit=1000&');
  const campaigns = await raw<{ id: string } & Counts>(
    `SELECT campaign_id AS id, ${FIGURES} FROM asked WHERE campaign_id IS NOT NULL GROUP BY 1 ORDER BY sent DESC, 1`,
  );
  const [counted] = await raw<Summed>(
    `SELECT ${FIGURES}, count(*) FILTER (WHERE metric = 'refused')::integer AS refused FROM asked`,
  );
  const tried = counted!.sent + counted!.refused;
  return {
    reported: {
      ...{ sums, deliveryRate: summary.deliveryRate.value },
      days: points.filter(isSomething),
      hours: hours.filter(isSomething),
      campaigns: items.map(({ id, sent, read }) => ({ id, sent, read })),
    },
    counted: {
      ...{
        sums: counted,
        deliveryRate: tried === 0 ? null : Math.round((counted!.delivered / tried) * 1_000) / 10,
      },
      days: await raw(`SELECT to_char(at, 'YYYY-MM-DD') AS day, ${FIGURES} FROM asked GROUP BY 1 ORDER BY 1`),
      hours: await raw(
        `SELECT extract(hour FROM at)::integer AS hour, ${FIGURES} FROM asked GROUP BY 1 ORDER BY 1`,
      ),
      campaigns: campaigns.map(({ id, sent, read }) => ({ id, sent, read })),
    },
  };
}
