import pg from 'pg';
import { hideConnectErrors, hideValues } from './query-error.ts';

export type PoolOptions = {
  size: number;
  /** How long one statement may take. */
  statementMs: number;
  /** How long a piece of work waits for a connection, before it is told that the server is busy. */
  waitMs: number;
  /** The unprivileged role that a superuser assumes. */
  role: string | undefined;
  scope?: 'system';
  /** How long a connection stays open that nobody uses: 10 seconds unless it is given. */
  idleMs?: number;
  onError?: ((error: Error) => void) | undefined;
};

/** Connections whose waiting ends, whose statements end, and whose errors hold no values. */
export function openPool(
  url: string,
  { size, role, scope, onError, idleMs, ...times }: PoolOptions,
): pg.Pool {
  const settings = {
    ...(role && { role }),
    ...(scope && { 'app.scope': scope }),
    statement_timeout: times.statementMs,
    // Where the server can compile queries, that takes longer than any of ours.
    jit: 'off',
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: times.waitMs,
    // A connection whose network went away without a word is noticed, also while nobody uses it.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(idleMs !== undefined && { idleTimeoutMillis: idleMs }),
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  hideConnectErrors(pool);
  // A query over the pool itself hears of a lost connection from its socket, before the query does.
  hideValues(pool);
  // An idle connection that the server closes must not end the process; the next query opens a new one.
  pool.on('error', (error) => {
    // Who closes the pool awaits no word of how its connections end.
    if (!pool.ending) onError?.(error);
  });
  pool.on('connect', (client) => {
    hideValues(client);
    // A connection in use, or on its way out of the pool, may hear that the server stops: its next query says so.
    client.on('error', () => undefined);
  });
  return pool;
}
