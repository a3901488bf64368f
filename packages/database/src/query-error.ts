import { DrizzleQueryError } from 'drizzle-orm/errors';
import pg from 'pg';

const LONGEST_STATEMENT = 1_000;

/**
 * A query that failed, with nothing of the values it carried: PostgreSQL repeats them in messages, details and contexts,
 * drizzle in its message. What is left is enough to find the fault: code, constraint and the statement with its placeholders.
 */
export class QueryError extends Error {
  override name = 'QueryError';
  /** SQLSTATE, the system's code of a failed connection, or `no_connection_free`. */
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  readonly statement: string | undefined;

  constructor(known: {
    code?: string | undefined;
    constraint?: string | undefined;
    statement?: string | undefined;
  }) {
    const { code, constraint, statement } = known;
    super(`A query failed: ${code ?? 'without a code'}${constraint === undefined ? '' : ` (${constraint})`}`);
    this.code = code;
    this.constraint = constraint;
    this.statement = statement?.slice(0, LONGEST_STATEMENT);
  }
}

export const NO_CONNECTION_FREE = 'no_connection_free';
const CONNECTION_LOST = '08006';

/** What the client says about its connection itself has no code of its own. */
const codesOfWords: Record<string, string> = {
  'timeout exceeded when trying to connect': NO_CONNECTION_FREE,
  'Connection terminated due to connection timeout': CONNECTION_LOST,
  'Connection terminated unexpectedly': CONNECTION_LOST,
  'Connection terminated': CONNECTION_LOST,
  'Client has encountered a connection error and is not queryable': CONNECTION_LOST,
  'Client was closed and is not queryable': CONNECTION_LOST,
};

/** Errors of queries without their values; every other error stays what it is. */
export function withoutValues(error: unknown): unknown {
  if (error instanceof DrizzleQueryError)
    return error.cause instanceof QueryError ? error.cause : toQueryError(error.cause, error.query);
  return error instanceof pg.DatabaseError ? toQueryError(error, undefined) : error;
}

function toQueryError(error: unknown, statement: string | undefined): QueryError {
  if (error instanceof QueryError) return error;
  if (!(error instanceof Error)) return new QueryError({ statement });
  const code = 'code' in error && typeof error.code === 'string' ? error.code : codesOfWords[error.message];
  const constraint = error instanceof pg.DatabaseError ? error.constraint : undefined;
  return new QueryError({ code, constraint, statement });
}

/** From now on nothing that this connection throws holds a value of a query. */
export function hideValues(client: { query: pg.ClientBase['query'] }): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const quiet = (...given: unknown[]): unknown => {
    const last = given.at(-1);
    if (typeof last === 'function') {
      return query(...given.slice(0, -1), (error: unknown, result: unknown) =>
        last(error && toQueryError(error, readStatement(given[0])), result),
      );
    }
    const result = query(...given);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      throw toQueryError(error, readStatement(given[0]));
    });
  };
  client.query = quiet as typeof client.query; // the overloads are those of the method that it calls
}

/** The same for a pool that has no connection to give. */
export function hideConnectErrors(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (...given: unknown[]) => unknown;
  const quiet = (callback?: (error: unknown, ...rest: unknown[]) => void): unknown => {
    if (callback)
      return connect((error: unknown, ...rest: unknown[]) =>
        callback(error && toQueryError(error, undefined), ...rest),
      );
    return (connect() as Promise<unknown>).catch((error: unknown) => {
      throw toQueryError(error, undefined);
    });
  };
  pool.connect = quiet as typeof pool.connect; // the overloads are those of the method that it calls
}

function readStatement(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  const text: unknown =
    typeof given === 'object' && given !== null && 'text' in given ? given.text : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** The code that the database gave an error, however it was wrapped on its way. */
export function databaseCode(error: unknown): string | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const known = withoutValues(inner);
    if (known instanceof QueryError) return known.code;
  }
  return undefined;
}

const LOCK_NOT_FREE = '55P03';
/** Two transactions met, and PostgreSQL rolled one of them back so that the other can go on. */
const lostRaces = new Set(['40P01', '40001']);
const noConnectionCodes = new Set([NO_CONNECTION_FREE, '53300']);
const busyCodes = new Set([...noConnectionCodes, LOCK_NOT_FREE, '57014', ...lostRaces]);
const awayCodes = new Set([
  ...[CONNECTION_LOST, '08000', '08001', '08003', '08004', '57P01', '57P02', '57P03', '57P05'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
]);

const FULL = '53100';
const READ_ONLY = '25006';

/**
 * `busy`: no connection became free in time, the query took longer than work of its kind may, or gave way to another one. `away`: the server
 * cannot be reached. `full`: its disk has no room. `read_only`: it takes no writes. All pass, so that the caller may try again; undefined for every other error.
 */
export function databaseTrouble(error: unknown): 'busy' | 'away' | 'full' | 'read_only' | undefined {
  const code = databaseCode(error);
  if (code === undefined) return undefined;
  if (code === FULL) return 'full';
  if (code === READ_ONLY) return 'read_only';
  return busyCodes.has(code) ? 'busy' : awayCodes.has(code) ? 'away' : undefined;
}

/** Whether the next query would meet the same trouble, whatever it is about: there is no connection, no server or no room. Not where this one waited for a lock, took too long or gave way. */
export function meetsEveryone(error: unknown): boolean {
  const trouble = databaseTrouble(error);
  return trouble === 'busy' ? noConnectionCodes.has(databaseCode(error) ?? '') : trouble !== undefined;
}

/** Somebody else had a lock for longer than this transaction was to wait. */
export function isHeldUp(error: unknown): boolean {
  return databaseCode(error) === LOCK_NOT_FREE;
}

/** Nothing of the transaction is left, and the same work will most likely succeed. */
export function hasLostRace(error: unknown): boolean {
  return lostRaces.has(databaseCode(error) ?? '');
}
