import { tableRulesByFeature } from '@app/database/all-table-rules';
import { listWorkspaceTables, orderByAfter } from '@app/database/table-rules';

const deleted = listWorkspaceTables(tableRulesByFeature).flatMap(([table, { clear }]) =>
  clear.how === 'delete' ? [[table, clear] as const] : [],
);
const rules = new Map(deleted);

/**
 * What Clear All deletes, in this order, beside the contacts and what goes with them. A table comes behind those whose rows refer to it, or whose
 * deletion writes into it.
 */
export const CLEARED: readonly string[] = orderByAfter(deleted);

/** Which rows of a table Clear All deletes, as a condition; `$1` is the workspace. */
export const whichAreCleared = (table: string): string => rules.get(table)?.where ?? 'true';

/** What a file of data deletes where it replaces what is here, in this order, beside the contacts and what goes with them. */
export const GOES_FOR_FILE = CLEARED.filter((table) => rules.get(table)?.keptForFile === undefined);
