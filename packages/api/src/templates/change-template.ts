import { templates } from '@app/database/templates/templates-tables';
import { and, eq } from 'drizzle-orm';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { StoredTemplate } from './templates-queries.ts';

/** Undefined when it was deleted meanwhile. */
export async function changeTemplate(
  { tx, workspaceId }: WorkspaceScope,
  templateId: string,
  values: Partial<StoredTemplate>,
): Promise<StoredTemplate | undefined> {
  const [row] = await tx
    .update(templates)
    .set(values)
    .where(and(eq(templates.workspaceId, workspaceId), eq(templates.id, templateId)))
    .returning();
  return row;
}

/** Keeps what the platform says of a template, and tells it. */
export async function changeByPlatform(
  scope: WorkspaceScope,
  templateId: string,
  values: Partial<StoredTemplate>,
): Promise<void> {
  const { tx, workspaceId } = scope;
  const [before] = await tx
    .select({ platformStatus: templates.platformStatus })
    .from(templates)
    .where(and(eq(templates.workspaceId, workspaceId), eq(templates.id, templateId)))
    .for('update');
  const row = before && (await changeTemplate(scope, templateId, values));
  if (!row) return;
  const { id, name, status, platformStatus, platformCategory: category, quality } = row;
  await scope.emit({
    type: 'template.platform_changed',
    subject: id,
    values: {
      ...{ name, status, platformStatus, category, quality },
      platformStatusBefore: before.platformStatus,
    },
  });
}
