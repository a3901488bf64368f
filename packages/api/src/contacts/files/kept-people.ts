import { bindTo } from '@app/database/bind-value';
import type { ContactSort } from '@app/domain/contacts/contact';
import { FIRST_BESIDE, keepParts, readPart } from '../../platform/operations/operation-parts.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { choiceSql, type FrozenChoice } from '../contact-choice.ts';
import { orderSql } from '../contacts-queries.ts';

type Kept = { choice: FrozenChoice; sort: ContactSort; limit: number };

/** What became of the recipients of a campaign changes while a file of them is written, so who they are is asked once. */
export function changesMeanwhile(choice: FrozenChoice): boolean {
  return 'filter' in choice && choice.filter.campaignId !== undefined;
}

/** Keeps with the act who is on each page of its file. */
export async function keepPeople(scope: WorkspaceScope, operationId: string, kept: Kept): Promise<void> {
  const { sql, values } = pagesSql(scope, kept);
  await keepParts(
    scope,
    { workspaceId: scope.workspaceId, operationId },
    `SELECT ${FIRST_BESIDE} - page AS part, convert_to(ids, 'UTF8') AS bytes FROM (${sql}) AS pages`,
    values,
  );
}

export async function readKeptPeople(
  scope: ReadScope,
  operationId: string,
  page: number,
): Promise<string[] | null> {
  const bytes = await readPart(scope, { workspaceId: scope.workspaceId, operationId }, FIRST_BESIDE - page);
  return bytes && new TextDecoder().decode(bytes).split(',');
}

/** The same for a file that leaves at once. */
export async function listPages(scope: ReadScope, kept: Kept): Promise<string[]> {
  const { sql, values } = pagesSql(scope, kept);
  const { rows } = await scope.query<{ ids: string }>(`${sql} ORDER BY page`, values);
  return rows.map(({ ids }) => ids);
}

function pagesSql({ workspaceId }: ReadScope, { choice, sort, limit }: Kept) {
  const values: unknown[] = [];
  const bind = bindTo(values);
  const workspace = bind(workspaceId, 'uuid');
  const sql = `SELECT page, string_agg(id::text, ',' ORDER BY place) AS ids
    FROM (SELECT c.id, place, ((place - 1) / ${limit})::integer AS page
            FROM (SELECT c.id, row_number() OVER (ORDER BY ${orderSql(sort)}) AS place FROM contacts c
                   WHERE c.workspace_id = ${workspace} AND ${choiceSql(choice, bind, workspaceId)}) AS c) AS placed
   GROUP BY page`;
  return { sql, values };
}
