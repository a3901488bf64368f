import type { templateColumns, templatesList } from '@app/contracts/templates/templates-contract';
import { containsPattern } from '@app/database/contains-pattern';
import { equals } from '@app/database/equals';
import { templates } from '@app/database/templates/templates-tables';
import {
  explainRejection,
  platformWords,
  readRejection,
  standingOf,
  whyNotSendable,
  type TemplateReview,
} from '@app/domain/templates/platform-status';
import type { TemplateStatus } from '@app/domain/templates/template';
import { and, asc, desc, eq, ilike, or, sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import { readTemplateReview } from '../channels/channel-connection.ts';
import { cutPage, readCursor, readTimeCursor, timeKey } from '../platform/keyset.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { findHeaderFiles } from '../sending/header-file.ts';
import { listByName } from './list-by-name.ts';

export type StoredTemplate = typeof templates.$inferSelect;

type ListInput = z.output<typeof templatesList>;
type ColumnInput = z.output<typeof templateColumns>;

// `standingOf` as a query: both read the same table of words.
const judged = sql<TemplateStatus>`CASE WHEN ${templates.status} <> 'approved' THEN ${templates.status}
  ELSE coalesce(${JSON.stringify(platformWords)}::jsonb ->> upper(${templates.platformStatus}), 'approved') END`;
const standingFor = (review: TemplateReview) =>
  review === 'none' ? sql<TemplateStatus>`${templates.status}` : judged;

export type TemplateParts = Pick<ApiDependencies, 'sandboxUrl' | 'channelKinds'>;

const nameOrder = sql`${templates.name} COLLATE "und-x-icu"`;
const createdKey = sql.raw(timeKey('templates.created_at')) as SQL<string>;

export async function listTemplates(scope: ReadScope, parts: TemplateParts, input: ListInput) {
  const { tx, workspaceId } = scope;
  const standing = standingFor(await readTemplateReview(scope, parts));
  const { search, status, sort, limit, cursor, together, ...columns } = input;
  const pattern = search?.trim() ? containsPattern(search.trim()) : undefined;
  const wanted = and(
    ...among(workspaceId, columns),
    pattern ? or(ilike(templates.name, pattern), ilike(templates.content, pattern)) : undefined,
    status && sql`${standing} = ${status}`,
  );
  if (together) {
    const { rows: found, nextCursor } = await listByName(scope, wanted, { sort, limit, cursor });
    return { items: await presentTemplates(scope, parts, found), nextCursor };
  }
  const rows = await tx
    .select({ template: templates, createdKey })
    .from(templates)
    .where(and(wanted, continueAfter(sort, cursor)))
    .orderBy(...orderOf(sort))
    .limit(limit + 1);
  const { items, nextCursor } = cutPage(rows, limit, ({ template, createdKey: created }) => ({
    key: sort === 'name' ? template.name : created,
    id: template.id,
  }));
  return {
    items: await presentTemplates(
      scope,
      parts,
      items.map(({ template }) => template),
    ),
    nextCursor,
  };
}

/** By what the templates count for. A workspace has thousands of templates at most: counting them is quick. */
export async function countByStatus(scope: ReadScope, parts: TemplateParts, columns: ColumnInput) {
  const { tx, workspaceId } = scope;
  const standing = standingFor(await readTemplateReview(scope, parts));
  const rows = await tx
    .select({ status: standing, count: sql<number>`count(*)::int` })
    .from(templates)
    .where(and(...among(workspaceId, columns)))
    .groupBy(sql`1`);
  const counts = { total: 0, approved: 0, pending: 0, draft: 0, rejected: 0 };
  for (const { status, count } of rows) {
    counts[status] = count;
    counts.total += count;
  }
  return counts;
}

/** Which rows list and counts speak of. */
function among(workspaceId: string, columns: ColumnInput): SQL[] {
  return [eq(templates.workspaceId, workspaceId), ...equals(templates, columns)];
}

export async function findTemplate(
  { tx, workspaceId }: ReadScope,
  templateId: string,
): Promise<StoredTemplate | undefined> {
  const [row] = await tx
    .select()
    .from(templates)
    .where(and(eq(templates.workspaceId, workspaceId), eq(templates.id, templateId)));
  return row;
}

export async function lockTemplate(
  { tx, workspaceId }: WorkspaceScope,
  templateId: string,
): Promise<StoredTemplate | undefined> {
  const [row] = await tx
    .select()
    .from(templates)
    .where(and(eq(templates.workspaceId, workspaceId), eq(templates.id, templateId)))
    .for('update');
  return row;
}

/** Of `campaigns_now c` and `templates t`: it still sends the template, to everybody or to those whose language it is. */
const needsIt = sql`c.status IN ('scheduled', 'running', 'paused') AND (c.template_id = t.id OR (c.in_contact_language
  AND EXISTS (SELECT FROM templates m WHERE m.id = c.template_id AND m.workspace_id = t.workspace_id AND m.name = t.name)))`;

/** The names of the scheduled, running and paused campaigns that still need the template. */
export async function findCampaignsWith({ tx, workspaceId }: ReadScope, templateId: string) {
  const { rows } = await tx.execute<{ name: string }>(sql`
    SELECT c.name FROM campaigns_now c JOIN templates t ON t.workspace_id = c.workspace_id AND t.id = ${templateId}
     WHERE c.workspace_id = ${workspaceId} AND ${needsIt} ORDER BY c.created_at DESC LIMIT 10`);
  return rows.map(({ name }) => name);
}

/** Which of the templates such campaigns still need. */
export async function findNeededTemplates(
  { tx, workspaceId }: ReadScope,
  templateIds: readonly string[],
): Promise<Set<string>> {
  if (templateIds.length === 0) return new Set();
  const { rows } = await tx.execute<{ id: string }>(sql`
    SELECT DISTINCT t.id FROM campaigns_now c JOIN templates t ON t.workspace_id = c.workspace_id
     WHERE c.workspace_id = ${workspaceId} AND t.id = ANY (${sql.param([...templateIds])}::uuid[]) AND ${needsIt}`);
  return new Set(rows.map(({ id }) => id));
}

type Standing = { review: TemplateReview; hasHeaderFile: boolean };

/** Templates as the contract promises them, with what the channel that sends makes of them. */
export async function presentTemplates(
  scope: ReadScope,
  parts: TemplateParts,
  rows: readonly StoredTemplate[],
) {
  const [review, files] = [await readTemplateReview(scope, parts), await findHeaderFiles(scope, rows)];
  return rows.map((row) => presentRow(row, { review, hasHeaderFile: files.has(row.headerMediaId ?? '') }));
}

function presentRow(row: StoredTemplate, standing: Standing) {
  const obstacle = whyNotSendable(row, standing);
  const rejection = readRejection(row);
  return {
    // The contract names the columns that leave.
    ...row,
    standing: standingOf(row.status, row.platformStatus, standing.review),
    ...{ isSendable: obstacle === null, whyNotSendable: obstacle },
    platform:
      row.platformName === null
        ? null
        : {
            name: row.platformName,
            status: row.platformStatus,
            category: row.platformCategory,
            quality: row.quality,
          },
    ...{ rejection, rejectionReason: rejection && explainRejection(rejection) },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt?.toISOString() ?? null,
  };
}

function orderOf(sort: ListInput['sort']): SQL[] {
  if (sort === 'name') return [asc(nameOrder), asc(templates.id)];
  return sort === 'oldest'
    ? [asc(templates.createdAt), asc(templates.id)]
    : [desc(templates.createdAt), desc(templates.id)];
}

/** A cursor that was tampered with begins at the start, like a cursor of another list. */
function continueAfter(sort: ListInput['sort'], cursor: string | undefined): SQL | undefined {
  const after = sort === 'name' ? readCursor(cursor) : readTimeCursor(cursor);
  if (!after) return undefined;
  if (sort === 'name') return sql`(${nameOrder}, ${templates.id}) > (${after.key}, ${after.id}::uuid)`;
  const position = sql`(${after.key}::timestamptz, ${after.id}::uuid)`;
  return sort === 'oldest'
    ? sql`(${templates.createdAt}, ${templates.id}) > ${position}`
    : sql`(${templates.createdAt}, ${templates.id}) < ${position}`;
}
