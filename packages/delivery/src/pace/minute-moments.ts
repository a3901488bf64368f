import type { SqlClient } from '../sql-client.ts';

/** A message leaves within so long of its moment or takes another one. */
export const MOMENT_LASTS_MS = 1_000;

/**
 * How far apart moments lie, in milliseconds. By so much more than a minute's share that no sixty seconds see more than the limit, although
 * each message may leave a little after its moment.
 */
export function gapOf(perMinute: number): number {
  return (60_000 + MOMENT_LASTS_MS) / perMinute;
}

/**
 * How many milliseconds it is to the next free moment of a workspace, over all its numbers and processes, by the clock of the database. Call it
 * inside a transaction, after the day's allowance and the budget and before any lock on a run or a number: until that ends nobody else of the workspace takes one.
 */
export async function lockMinute(client: SqlClient, workspaceId: string): Promise<number> {
  const { rows } = await client.query<{ wait_ms: number }>(
    `INSERT INTO delivery_minutes AS m (workspace_id, next_at) VALUES ($1, clock_timestamp())
     ON CONFLICT (workspace_id) DO UPDATE SET next_at = greatest(m.next_at, clock_timestamp())
     RETURNING greatest(0, extract(epoch FROM next_at - clock_timestamp()) * 1000)::double precision AS wait_ms`,
    [workspaceId],
  );
  return rows[0]?.wait_ms ?? 0;
}

/** Takes so many moments from the next free one on; in the transaction of `lockMinute`. */
export async function takeMoments(
  client: SqlClient,
  workspaceId: string,
  { count, perMinute }: { count: number; perMinute: number },
): Promise<void> {
  if (count === 0) return;
  await client.query(
    `UPDATE delivery_minutes SET next_at = next_at + make_interval(secs => $2::double precision / 1000) WHERE workspace_id = $1`,
    [workspaceId, count * gapOf(perMinute)],
  );
}

/** Takes the moment that lies so far from now, at or behind the next free one; in the transaction of `lockMinute`. */
export async function takeMomentAfter(
  client: SqlClient,
  workspaceId: string,
  { waitMs, perMinute }: { waitMs: number; perMinute: number },
): Promise<void> {
  await client.query(
    `UPDATE delivery_minutes
        SET next_at = greatest(next_at, clock_timestamp() + make_interval(secs => $2::double precision / 1000)) + make_interval(secs => $3::double precision / 1000)
      WHERE workspace_id = $1`,
    [workspaceId, waitMs, gapOf(perMinute)],
  );
}

/** Until when a message may leave whose moment is not before `from`; any time without a limit. */
export function leavesBy(perMinute: number | null, from: number): number | undefined {
  return perMinute === null ? undefined : from + MOMENT_LASTS_MS;
}

/** The moments that a number has taken for its campaigns, each for one message. Times in milliseconds of the engine's clock. */
export class TakenMoments {
  #moments: { from: number; until: number }[] = [];
  /** When the workspace has another one, as far as is known. */
  #nextFreeAt = 0;

  /** `askedAt` lies before the database was asked, `now` behind it: between them is the moment that its answer means. */
  add({ askedAt, now, waitMs }: Asked, count: number, perMinute: number): void {
    const gap = gapOf(perMinute);
    for (let place = 0; place < count; place += 1) {
      const offset = waitMs + place * gap;
      this.#moments.push({ from: now + offset, until: askedAt + offset + MOMENT_LASTS_MS });
    }
    this.#nextFreeAt = now + waitMs + count * gap;
  }

  /** Somebody else of the workspace has it until then. */
  waitUntil(at: number): void {
    this.#nextFreeAt = Math.max(this.#nextFreeAt, at);
  }

  get nextFreeAt(): number {
    return this.#nextFreeAt;
  }

  /** Infinity when none is left. */
  nextAt(now: number): number {
    const over = this.#moments.findIndex(({ until }) => until >= now);
    this.#moments.splice(0, over < 0 ? this.#moments.length : over);
    return this.#moments[0]?.from ?? Infinity;
  }

  leave(): void {
    this.#moments.shift();
  }
}

export type Asked = { askedAt: number; now: number; waitMs: number };
