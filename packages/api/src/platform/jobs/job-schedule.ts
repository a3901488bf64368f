import type { Database } from '@app/database/database';
import type { SqlQueries } from '@app/database/sql-queries';

const SHORTEST_WAIT_MS = 100;
/** After trouble, which the caller logs. */
const TROUBLE_WAIT_MS = 5_000;

export type Schedule = {
  name: string;
  everySeconds: number;
  /** So long after the start it is due in any case; null for what waits for its time then too. */
  afterStartSeconds: number | null;
  /** In the transaction that moves the time on. */
  begin(client: SqlQueries): Promise<unknown>;
  onTrouble(error: unknown): void;
};

/** Begins it whenever it is due. Any number of processes do, and one of them finds that it is. */
export function keepSchedule(db: Database, schedule: Schedule): { stop(): Promise<void> } {
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looking: Promise<void> | undefined;
  const look = async (isDue: boolean) => {
    let isDueStill = false;
    const waitMs = await beginIfDue(db, schedule, isDue).catch((error: unknown) => {
      if (!isStopped) schedule.onTrouble(error);
      isDueStill = isDue;
      return TROUBLE_WAIT_MS;
    });
    lookIn(waitMs, isDueStill);
  };
  const lookIn = (ms: number, isDue: boolean) => {
    if (!isStopped) timer = setTimeout(() => (looking = look(isDue)), Math.max(ms, SHORTEST_WAIT_MS));
  };
  const { afterStartSeconds } = schedule;
  lookIn((afterStartSeconds ?? 0) * 1_000, afterStartSeconds !== null);
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

/** Milliseconds until it is due again. */
async function beginIfDue(
  db: Database,
  { name, everySeconds, begin }: Schedule,
  isDue: boolean,
): Promise<number> {
  return db.inSystem(async (_, client) => {
    const { rowCount } = await client.query(
      `INSERT INTO job_schedules AS s (name, due_at) VALUES ($1, now() + make_interval(secs => $2))
       ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at WHERE s.due_at <= now() OR $3`,
      [name, everySeconds, isDue],
    );
    if (rowCount === 1) {
      await begin(client);
      return everySeconds * 1_000;
    }
    const { rows } = await client.query<{ ms: number }>(
      `SELECT (extract(epoch FROM due_at - clock_timestamp()) * 1000)::float8 AS ms FROM job_schedules WHERE name = $1`,
      [name],
    );
    return Math.min(rows[0]?.ms ?? 0, everySeconds * 1_000);
  });
}
