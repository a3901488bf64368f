import { templates } from '@app/database/templates/templates-tables';
import type { Queries } from '@app/database/database';
import { isSendable } from '@app/domain/templates/platform-status';
import { and, eq } from 'drizzle-orm';

export type ApprovedTemplate =
  | { outcome: 'approved'; template: typeof templates.$inferSelect }
  | { outcome: 'template_not_found' }
  | { outcome: 'template_not_approved' };

/** Whatever sends a template asks here first: only approved ones may go out. The outcome is the error code. */
export async function requireApprovedTemplate(
  tx: Queries,
  workspaceId: string,
  templateId: string,
): Promise<ApprovedTemplate> {
  const [template] = await tx
    .select()
    .from(templates)
    .where(and(eq(templates.workspaceId, workspaceId), eq(templates.id, templateId)));
  if (!template) return { outcome: 'template_not_found' };
  return isSendable(template) ? { outcome: 'approved', template } : { outcome: 'template_not_approved' };
}
