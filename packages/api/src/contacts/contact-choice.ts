import { bindTo, type BindValue } from '@app/database/bind-value';
import { contactFilterSql } from '@app/database/contacts/contact-filter';
import type { AudienceFilter } from '@app/domain/delivery/audience';
import { keepParts, readPart } from '../platform/operations/operation-parts.ts';
import type { StoredOperation } from '../platform/operations/operation-rows.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { findFilter, type FilterError, type FilterWords } from './contacts-queries.ts';

export type ContactChoice =
  | { contactIds: string[] }
  | { filter: FilterWords; excludedIds?: string[] | undefined };

/** A choice with the rules of its segment, as they are now. */
export type FrozenChoice = { contactIds: string[] } | { filter: AudienceFilter; excludedIds: string[] };

export async function freezeChoice(
  scope: ReadScope,
  choice: ContactChoice,
): Promise<FrozenChoice | FilterError> {
  if ('contactIds' in choice) return { contactIds: [...new Set(choice.contactIds)].toSorted() };
  const filter = await findFilter(scope, choice.filter);
  return typeof filter === 'string' ? filter : { filter, excludedIds: choice.excludedIds ?? [] };
}

/** A condition on `contacts c`, whose workspace the caller names. */
export function choiceSql(choice: FrozenChoice, bind: BindValue, workspaceId: string): string {
  if ('contactIds' in choice) return `c.id = ANY (${bind(choice.contactIds, 'uuid[]')})`;
  const matching = contactFilterSql(choice.filter, bind, { workspaceId });
  if (choice.excludedIds.length === 0) return matching;
  return `${matching} AND c.id <> ALL (${bind(choice.excludedIds, 'uuid[]')})`;
}

/** How many contacts there are of the choice. */
export async function countChosen(scope: ReadScope, choice: FrozenChoice): Promise<number> {
  return (await countOptedOut(scope, choice)).chosen;
}

/** Whether there are more than so many; the others are not counted. */
export async function isLarger(scope: ReadScope, choice: FrozenChoice, most: number): Promise<boolean> {
  const values: unknown[] = [];
  const bind = bindTo(values);
  const { rows } = await scope.query(
    `SELECT 1 FROM contacts c WHERE c.workspace_id = ${bind(scope.workspaceId, 'uuid')} AND ${choiceSql(choice, bind, scope.workspaceId)}
      OFFSET ${most} LIMIT 1`,
    values,
  );
  return rows.length > 0;
}

/** The same, with how many of them opted out of marketing. */
export async function countOptedOut(
  scope: ReadScope,
  choice: FrozenChoice,
): Promise<{ chosen: number; optedOut: number }> {
  const values: unknown[] = [];
  const bind = bindTo(values);
  const { rows } = await scope.query<{ chosen: number; optedOut: number }>(
    `SELECT count(*)::int AS chosen, count(opted_out_at)::int AS "optedOut" FROM contacts c WHERE c.workspace_id = ${bind(scope.workspaceId, 'uuid')} AND ${choiceSql(choice, bind, scope.workspaceId)}`,
    values,
  );
  return rows[0]!; // an aggregate without GROUP BY gives one row
}

/** Below every id. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

type Bit = { contactIds: string[]; resume: Record<string, unknown>; isOver: boolean };

/**
 * The next ones of an act that goes through a choice. What became of the recipients of a campaign, or of messages of a report, changes while they are gone through, so who they
 * are is kept with the first bit, and each bit reads its own.
 */
export async function nextOfOperation(
  scope: WorkspaceScope,
  { id: operationId, resume, created_at: startedAt }: Pick<StoredOperation, 'id' | 'resume' | 'created_at'>,
  choice: FrozenChoice,
  atOnce: number,
): Promise<Bit> {
  if ('contactIds' in choice || !(choice.filter.campaignId || choice.filter.report)) {
    const lastId = typeof resume['lastId'] === 'string' ? resume['lastId'] : NOBODY;
    const contactIds = await nextChosen(scope, { choice, lastId, startedAt }, atOnce);
    return {
      contactIds,
      resume: { lastId: contactIds.at(-1) ?? lastId },
      isOver: contactIds.length < atOnce,
    };
  }
  const part = typeof resume['part'] === 'number' ? resume['part'] : 0;
  const place = { workspaceId: scope.workspaceId, operationId };
  if (part === 0) await keepChosen(scope, operationId, choice, atOnce);
  const kept = await readPart(scope, place, part);
  const contactIds = kept ? new TextDecoder().decode(kept).split(',') : [];
  return { contactIds, resume: { part: part + 1 }, isOver: contactIds.length < atOnce };
}

async function keepChosen(
  scope: WorkspaceScope,
  operationId: string,
  choice: FrozenChoice,
  atOnce: number,
): Promise<void> {
  const values: unknown[] = [];
  const bind = bindTo(values);
  const workspace = bind(scope.workspaceId, 'uuid');
  await keepParts(
    scope,
    { workspaceId: scope.workspaceId, operationId },
    `SELECT part, convert_to(string_agg(id::text, ',' ORDER BY id), 'UTF8') AS bytes
       FROM (SELECT c.id, ((row_number() OVER (ORDER BY c.id) - 1) / ${atOnce})::integer AS part FROM contacts c
              WHERE c.workspace_id = ${workspace} AND ${choiceSql(choice, bind, scope.workspaceId)}) AS chosen GROUP BY part`,
    values,
  );
}

type Place = { choice: FrozenChoice; lastId: string; startedAt: Date };

/** The next ones of a choice in the order of their ids, for an act that goes through all who were there when it began. */
async function nextChosen(
  scope: ReadScope,
  { choice, lastId, startedAt }: Place,
  atOnce: number,
): Promise<string[]> {
  // Ids that were picked are in order: the bit is cut out here, so that 100,000 of them do not travel with each bit.
  if ('contactIds' in choice) return choice.contactIds.filter((id) => id > lastId).slice(0, atOnce);
  const values: unknown[] = [];
  const bind = bindTo(values);
  const { rows } = await scope.query<{ id: string }>(
    `SELECT c.id FROM contacts c WHERE c.workspace_id = ${bind(scope.workspaceId, 'uuid')} AND c.id > ${bind(lastId, 'uuid')}
        AND c.created_at <= ${bind(startedAt, 'timestamptz')} AND ${choiceSql(choice, bind, scope.workspaceId)}
      ORDER BY c.id LIMIT ${bind(atOnce, 'integer')}`,
    values,
  );
  return rows.map(({ id }) => id);
}
