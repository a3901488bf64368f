import { NodePgDatabase, NodePgSession, type NodePgClient } from 'drizzle-orm/node-postgres';
import { PgDialect, type PgPreparedQuery, type PreparedQueryConfig } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { withoutValues } from './query-error.ts';

type None = Record<string, never>;

/** drizzle puts the values of a failed query into its own error; here the database's error comes out as it is. */
class QuietSession extends NodePgSession<None, None> {
  readonly #client: NodePgClient;
  readonly #dialect: PgDialect;

  constructor(client: NodePgClient, dialect: PgDialect) {
    super(client, dialect, undefined);
    this.#client = client;
    this.#dialect = dialect;
  }

  override prepareQuery<Shape extends PreparedQueryConfig = PreparedQueryConfig>(
    ...given: Parameters<typeof NodePgSession.prototype.prepareQuery<Shape>>
  ): PgPreparedQuery<Shape> {
    const prepared = super.prepareQuery<Shape>(...given);
    const execute = prepared.execute.bind(prepared);
    prepared.execute = (values) =>
      execute(values).catch((error: unknown) => {
        throw withoutValues(error);
      });
    return prepared;
  }

  /** Over a pool drizzle would open a session of its own. */
  override async transaction<Result>(
    ...given: Parameters<typeof NodePgSession.prototype.transaction<Result>>
  ): Promise<Result> {
    if (!(this.#client instanceof pg.Pool)) return super.transaction(...given);
    const client = await this.#client.connect();
    try {
      return await new QuietSession(client, this.#dialect).transaction(...given);
    } finally {
      client.release();
    }
  }
}

/** drizzle's query builder over a connection or a pool; the only place that opens one. */
export function openQueries(client: NodePgClient): NodePgDatabase {
  const dialect = new PgDialect();
  return new NodePgDatabase(dialect, new QuietSession(client, dialect), undefined);
}
