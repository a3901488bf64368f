/** A transaction, a pooled connection, or anything else that runs PostgreSQL text with values. */
export type SqlQueries = {
  query<Row extends object = Record<string, unknown>>(
    text: string | Statement,
    values?: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
};

export type Statement = {
  /** Parsed and planned once per connection under this name. */
  name?: string;
  text: string;
  values: unknown[];
  /** Rows as lists of their columns, which cost the driver much less than objects. */
  rowMode?: 'array';
};
