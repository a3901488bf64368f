import { tableRulesByFeature } from '../all-table-rules.ts';
import { listWorkspaceTables } from '../table-rules.ts';

/** Tables of which an archive of one workspace holds the rows, beside the workspace itself and the people whom its memberships name. */
export const ARCHIVED: readonly string[] = listWorkspaceTables(tableRulesByFeature)
  .filter(([, { archive }]) => archive.how !== 'leave-out')
  .map(([table]) => table);

/** What an archive tells of people: they are known by their e-mail where it is read in, and bring no way to sign in. */
export const PEOPLE_COLUMNS = ['id', 'email', 'name'] as const;
