import { readRollupBackfill } from '@app/database/analytics/backfill-rollups';
import type { IncomingMessage } from 'node:http';
import { countJobsInAllWorkspaces } from '@app/api/platform/jobs/failed-jobs';
import { refuse } from '@app/api/platform/http-edge/refuse';
import type { Database } from '@app/database/database';
import type { Context, Hono } from 'hono';

type Counted = { route: string; status: number };
type Fetch = (request: Request, environment: { incoming: IncomingMessage }) => Response | Promise<Response>;

/** Addresses by what they are for: one label per address would be one more series for every contact. */
const ROUTES: readonly (readonly [prefix: string, route: string])[] = [
  ['/api/rpc/', 'rpc'],
  ['/api/auth/', 'auth'],
  ['/api/events', 'events'],
  ['/api/', 'api'],
  ['/webhooks/', 'webhooks'],
  ['/hooks/', 'hooks'],
  ['/forms/', 'forms'],
  ['/media/', 'media'],
  ['/reports/', 'reports'],
  ['/healthz', 'probe'],
  ['/readyz', 'probe'],
  ['/metrics', 'probe'],
];

/** Counts what this process answers; the figures of the queue come from the tables, whoever works on it. */
export function createMetrics({ db, isOperator }: { db: Database; isOperator: (c: Context) => boolean }) {
  const requests = new Map<string, Counted & { count: number; seconds: number }>();

  let deadLetter = 0;

  return {
    /** An event of a webhook that the database refused and that was kept for the operator. */
    countDeadLetters(): void {
      deadLetter += 1;
    },
    /** The same answers, counted. */
    watch(fetch: Fetch): Fetch {
      return async (request, environment) => {
        const startedAt = performance.now();
        const response = await fetch(request, environment);
        const route = findRoute(request.method, pathOf(request.url));
        const key = `${route} ${response.status}`;
        const counted = requests.get(key) ?? { route, status: response.status, count: 0, seconds: 0 };
        counted.count += 1;
        counted.seconds += (performance.now() - startedAt) / 1000;
        requests.set(key, counted);
        return response;
      };
    },
    /** `GET /metrics` in Prometheus' text form, for the operator. */
    mount(app: Hono): void {
      app.get('/metrics', async (c) => {
        if (!isOperator(c)) return refuse('address_unknown');
        const text = [...writeRequests([...requests.values()], deadLetter), ...(await readQueue(db))].join(
          '\n',
        );
        return c.body(`${text}\n`, 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
      });
    },
  };
}

/** Not parsed: an address of each request would be, for the sake of its first letters. */
function pathOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3)).split('?', 1)[0] ?? '';
}

function findRoute(method: string, path: string): string {
  if (method === 'GET' && path.startsWith('/webhooks/')) return 'handshake';
  return ROUTES.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'web';
}

function writeRequests(
  counted: readonly (Counted & { count: number; seconds: number })[],
  deadLetter: number,
): string[] {
  const labelled = counted.map((one) => ({
    ...one,
    labels: `{route="${one.route}",status="${one.status}"}`,
  }));
  const webhooks = (first: number) =>
    counted
      .filter(({ route, status }) => route === 'webhooks' && Math.floor(status / 100) === first)
      .reduce((sum, { count }) => sum + count, 0);
  return [
    '# HELP http_requests_total Requests that this process answered.',
    '# TYPE http_requests_total counter',
    ...labelled.map(({ labels, count }) => `http_requests_total${labels} ${count}`),
    '# HELP http_request_seconds_total Time from the head of a request to the head of its answer.',
    '# TYPE http_request_seconds_total counter',
    ...labelled.map(({ labels, seconds }) => `http_request_seconds_total${labels} ${seconds.toFixed(6)}`),
    '# HELP messaging_webhooks_total Webhooks that this process stored, refused, or could not store; events set aside.',
    '# TYPE messaging_webhooks_total counter',
    `messaging_webhooks_total{outcome="stored"} ${webhooks(2)}`,
    `messaging_webhooks_total{outcome="refused"} ${webhooks(4)}`,
    `messaging_webhooks_total{outcome="failed"} ${webhooks(5)}`,
    `messaging_webhooks_total{outcome="set_aside"} ${deadLetter}`,
  ];
}

const OUTCOMES = ['accepted', 'refused', 'delivered', 'read', 'failed'] as const;

/** Everything is read from counters; no message is counted. */
async function readQueue(db: Database): Promise<string[]> {
  const up = [
    '# HELP messaging_database_up Whether the database answers.',
    '# TYPE messaging_database_up gauge',
  ];
  try {
    const [queue, sent, kept, jobs, backfill] = await Promise.all([
      db.systemPool.query<{ waiting: string; runs: string }>(
        `SELECT coalesce(sum(total - accepted - refused - cancelled - unknown), 0) AS waiting, count(*) AS runs
           FROM delivery_progress WHERE state IN ('ready', 'running')`,
      ),
      db.systemPool.query<Record<(typeof OUTCOMES)[number], string>>(
        `SELECT ${OUTCOMES.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', ')} FROM message_stats_now`,
      ),
      db.systemPool.query<{ facts: string }>('SELECT count(*) AS facts FROM fact_dead_letters'),
      countJobsInAllWorkspaces(db),
      readRollupBackfill(db.systemPool),
    ]);
    return [
      ...up,
      'messaging_database_up 1',
      '# HELP messaging_queue_recipients Recipients of campaigns under way that wait for their message.',
      '# TYPE messaging_queue_recipients gauge',
      `messaging_queue_recipients ${queue.rows[0]?.waiting ?? 0}`,
      '# HELP messaging_queue_runs Campaigns under way.',
      '# TYPE messaging_queue_runs gauge',
      `messaging_queue_runs ${queue.rows[0]?.runs ?? 0}`,
      '# HELP messaging_fact_dead_letters Facts that a reader of them could not handle, and those that wait behind them.',
      '# TYPE messaging_fact_dead_letters gauge',
      `messaging_fact_dead_letters ${kept.rows[0]?.facts ?? 0}`,
      '# HELP messaging_rollup_backfill Whether figures of before there were rollups are still being counted.',
      '# TYPE messaging_rollup_backfill gauge',
      ...backfill.map(
        ({ source, finishedAt }) =>
          `messaging_rollup_backfill{source="${source}"} ${finishedAt === null ? 1 : 0}`,
      ),
      '# HELP messaging_jobs Work in the background that waits for its turn or its next attempt, and that failed for good.',
      '# TYPE messaging_jobs gauge',
      ...jobs.flatMap(({ job, waiting, failed }) => [
        `messaging_jobs{job="${job}",state="waiting"} ${waiting}`,
        `messaging_jobs{job="${job}",state="failed"} ${failed}`,
      ]),
      '# HELP messaging_messages_total Messages of campaigns by what became of them.',
      '# TYPE messaging_messages_total counter',
      ...OUTCOMES.map((name) => `messaging_messages_total{outcome="${name}"} ${sent.rows[0]?.[name] ?? 0}`),
    ];
  } catch {
    return [...up, 'messaging_database_up 0'];
  }
}
