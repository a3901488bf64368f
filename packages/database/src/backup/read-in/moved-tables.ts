import { tableRulesByFeature } from '../../all-table-rules.ts';
import { listWorkspaceTables, type MovedTable } from '../../table-rules.ts';

const tables = listWorkspaceTables(tableRulesByFeature);
const namesOf = (how: 'stay' | 'recount'): ReadonlySet<string> =>
  new Set(tables.filter(([, { archive }]) => archive.how === how).map(([table]) => table));

/** Tables that are emptied, and filled from an archive. */
export const MOVED: Readonly<Record<string, MovedTable>> = Object.fromEntries(
  tables.flatMap(([table, { archive }]) => (archive.how === 'move' ? [[table, archive]] : [])),
);
/** What an archive holds and reading it leaves as it is here. */
export const STAYS_HERE = namesOf('stay');
/** What goes with what is replaced, and is made again. */
export const MADE_ANEW = namesOf('recount');
