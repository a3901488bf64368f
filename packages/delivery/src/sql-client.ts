/** A pooled connection, a client inside a transaction, or anything else that runs PostgreSQL text with values. */
export type SqlClient = {
  query<Row extends object = Record<string, unknown>>(
    text: string | NamedStatement,
    values?: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
};

/** Parsed and planned once per connection under its name. */
export type NamedStatement = { name: string; text: string; values: unknown[] };
