import type { campaigns } from '@app/database/campaigns/campaigns-tables';
import { templates } from '@app/database/templates/templates-tables';
import type { ChannelCapabilities } from '@app/domain/channels/channel-capabilities';
import type { MessageCategory } from '@app/domain/delivery/audience';
import type { RunMessage } from '@app/domain/delivery/run-message';
import { isSendable as isTemplateSendable } from '@app/domain/templates/platform-status';
import { isMarketingCategory } from '@app/domain/templates/template-category';
import { platformLanguage } from '@app/domain/templates/platform-name';
import { templateAsMessage } from '@app/domain/templates/template-message';
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

/** As it leaves through a channel, or through the sending one. */
export async function findMessage(
  scope: ReadScope,
  choice: MessageChoice,
  channelId?: string,
): Promise<ChosenMessage> {
  if ('customMessage' in choice) return { kind: 'text', text: choice.customMessage };
  const [template] = await scope.tx
    .select()
    .from(templates)
    .where(and(eq(templates.workspaceId, scope.workspaceId), eq(templates.id, choice.templateId)));
  if (!template) return { kind: 'missing' };
  return { kind: 'template', template, headerFile: await findHeaderFile(scope, template, channelId) };
}

/** The choice that a stored campaign holds; null when its template was deleted. */
export function choiceOf(
  campaign: Pick<StoredCampaign, 'templateId' | 'customMessage'>,
): MessageChoice | null {
  if (campaign.customMessage !== null) return { customMessage: campaign.customMessage };
  return campaign.templateId === null ? null : { templateId: campaign.templateId };
}

/** What decides how a message leaves; null while no channel is there, which is as strict as any. */
type Rules = ChannelCapabilities | null;

/**
 * Free text is a reply while the channel allows one, and marketing where it may be written at any time; of templates only those of
 * utility may go to people who opted out.
 */
export function categoryOf(message: ChosenMessage, rules: Rules): MessageCategory {
  if (message.kind !== 'template') return rules?.freeTextHours === null ? 'marketing' : 'service';
  return isMarketingCategory(message.template) ? 'marketing' : 'utility';
}

export function isSendable(message: ChosenMessage, rules: Rules): boolean {
  if (message.kind !== 'template') return message.kind === 'text';
  const { template, headerFile } = message;
  return isTemplateSendable(template, {
    review: rules?.templates ?? null,
    hasHeaderFile: headerFile !== undefined,
  });
}

/** The message as the engine freezes it: placeholders stay in place and are filled for each recipient. */
export function runMessageOf(
  message: ChosenMessage,
  variables: RunMessage['variables'],
  businessName: string,
  rules: ChannelCapabilities,
): RunMessage {
  if (message.kind === 'missing') throw new Error('A deleted template cannot be sent.');
  if (message.kind === 'text')
    return { content: { type: 'text', body: message.text }, variables, businessName };
  const { template, headerFile } = message;
  if (rules.templates === 'reviewed')
    return { content: templateContent(template, {}, headerFile), variables, businessName };
  const content = templateAsMessage(template.components, rules);
  return { content, language: platformLanguage(template.language), variables, businessName };
}
