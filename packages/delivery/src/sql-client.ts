import type { SqlQueries } from '@app/database/sql-queries';

/** The engine's name for it. */
export type SqlClient = SqlQueries;
