import type { ReadScope } from '../workspace-scope.ts';
import type { ExportPage, Person } from './person-data.ts';

type Read = (scope: ReadScope, person: Person, after: string | null) => Promise<ExportPage>;

const ROWS_AT_ONCE = 1_000;
const START = ['-infinity', '00000000-0000-0000-0000-000000000000'];

/** A section that is short for every person, by one statement; $1 is the workspace, and what `valuesOf` gives follows. */
export function readAtOnce(text: string, valuesOf: (person: Person) => readonly unknown[]): Read {
  return async (scope, person) => {
    const { rows } = await scope.query<object>(text, [scope.workspaceId, ...valuesOf(person)]);
    return { rows, next: null };
  };
}

/**
 * A section that may be long, in the order of time: `text` selects rows with `at` and `id` behind the place of $3 and $4, of this
 * workspace ($1) and of what `valueOf` gives ($2), and ends in `ORDER BY at, id LIMIT $5`.
 */
export function readByTime(text: string, valueOf: (person: Person) => unknown): Read {
  return async (scope, person, after) => {
    const [at, id] = after?.split(' ') ?? START;
    const { rows } = await scope.query<{ place: string; row: object }>(
      `SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || ' ' || id AS place,
              to_jsonb(page) - 'at' - 'id' AS row FROM (${text}) AS page ORDER BY at, id`,
      [scope.workspaceId, valueOf(person), at, id, ROWS_AT_ONCE],
    );
    const last = rows.length < ROWS_AT_ONCE ? null : rows.at(-1);
    return { rows: rows.map(({ row }) => row), next: last?.place ?? null };
  };
}
