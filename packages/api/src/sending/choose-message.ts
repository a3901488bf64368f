import type { campaigns } from '@app/database/campaigns/campaigns-tables';
import { templates } from '@app/database/templates/templates-tables';
import type { MessageCategory } from '@app/domain/delivery/audience';
import type { RunMessage } from '@app/domain/delivery/run-message';
import { isSendable as isTemplateSendable } from '@app/domain/templates/platform-status';
import { isMarketingCategory } from '@app/domain/templates/template-category';
import { templateContent, type HeaderFile } from '@app/domain/templates/template-content';
import { and, eq } from 'drizzle-orm';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { findHeaderFile } from './header-file.ts';

export type MessageChoice = { templateId: string } | { customMessage: string };
type StoredCampaign = typeof campaigns.$inferSelect;
type StoredTemplate = typeof templates.$inferSelect;

/** What is to be sent: a stored template or a text of one's own. */
export type ChosenMessage =
  | { kind: 'template'; template: StoredTemplate; headerFile: HeaderFile | undefined }
  | { kind: 'text'; text: string }
  | { kind: 'missing' };

export async function findMessage(scope: ReadScope, choice: MessageChoice): Promise<ChosenMessage> {
  if ('customMessage' in choice) return { kind: 'text', text: choice.customMessage };
  const [template] = await scope.tx
    .select()
    .from(templates)
    .where(and(eq(templates.workspaceId, scope.workspaceId), eq(templates.id, choice.templateId)));
  if (!template) return { kind: 'missing' };
  return { kind: 'template', template, headerFile: await findHeaderFile(scope, template) };
}

/** The choice that a stored campaign holds; null when its template was deleted. */
export function choiceOf(
  campaign: Pick<StoredCampaign, 'templateId' | 'customMessage'>,
): MessageChoice | null {
  if (campaign.customMessage !== null) return { customMessage: campaign.customMessage };
  return campaign.templateId === null ? null : { templateId: campaign.templateId };
}

/** Free text is a reply within the 24-hour window; of templates only those of utility may go to people who opted out. */
export function categoryOf(message: ChosenMessage): MessageCategory {
  if (message.kind !== 'template') return 'service';
  return isMarketingCategory(message.template) ? 'marketing' : 'utility';
}

export function isSendable(message: ChosenMessage): boolean {
  if (message.kind !== 'template') return message.kind === 'text';
  // A header without its file would be refused for each recipient.
  const hasFile = message.template.headerMediaId === null || message.headerFile !== undefined;
  return hasFile && isTemplateSendable(message.template);
}

/** The message as the engine freezes it: placeholders stay in place and are filled for each recipient. */
export function runMessageOf(
  message: ChosenMessage,
  variables: RunMessage['variables'],
  businessName: string,
): RunMessage {
  if (message.kind === 'missing') throw new Error('A deleted template cannot be sent.');
  const content =
    message.kind === 'text'
      ? ({ type: 'text', body: message.text } as const)
      : templateContent(message.template, {}, message.headerFile);
  return { content, variables, businessName };
}
