import { bindTo, type BindValue } from '@app/database/bind-value';
import { contactFilterSql } from '@app/database/contacts/contact-filter';
import type { AudienceFilter } from '@app/domain/delivery/audience';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { findFilter, type FilterWords } from './contacts-queries.ts';

export type ContactChoice =
  { contactIds: string[] } | { filter: FilterWords; excludedIds?: string[] | undefined };

/** A choice with the rules of its segment, as they are now. */
export type FrozenChoice = { contactIds: string[] } | { filter: AudienceFilter; excludedIds: string[] };

/** Null when the segment is gone. */
export async function freezeChoice(scope: ReadScope, choice: ContactChoice): Promise<FrozenChoice | null> {
  if ('contactIds' in choice) return { contactIds: [...new Set(choice.contactIds)].toSorted() };
  const filter = await findFilter(scope, choice.filter);
  return filter && { filter, excludedIds: choice.excludedIds ?? [] };
}

/** A condition on `contacts c`, whose workspace the caller names. */
export function choiceSql(choice: FrozenChoice, bind: BindValue): string {
  if ('contactIds' in choice) return `c.id = ANY (${bind(choice.contactIds, 'uuid[]')})`;
  const matching = contactFilterSql(choice.filter, bind);
  if (choice.excludedIds.length === 0) return matching;
  return `${matching} AND c.id <> ALL (${bind(choice.excludedIds, 'uuid[]')})`;
}

/** How many contacts there are of the choice. */
export async function countChosen(scope: ReadScope, choice: FrozenChoice): Promise<number> {
  const values: unknown[] = [];
  const bind = bindTo(values);
  const { rows } = await scope.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM contacts c WHERE c.workspace_id = ${bind(scope.workspaceId, 'uuid')} AND ${choiceSql(choice, bind)}`,
    values,
  );
  return rows[0]?.total ?? 0;
}
