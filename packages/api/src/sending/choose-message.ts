import type { campaigns } from '@app/database/campaigns/campaigns-tables';
import { templates } from '@app/database/templates/templates-tables';
import { findContentType } from '@app/domain/channel-kinds/content-type';
import type { ChannelCapabilities } from '@app/domain/channels/channel-capabilities';
import type { KindContent, MessageContent } from '@app/domain/messaging/message-content';
import type { MessageCategory } from '@app/domain/delivery/audience';
import type { RunMessage } from '@app/domain/delivery/run-message';
import { whyNotSendable, type SendObstacle } from '@app/domain/templates/platform-status';
import { isMarketingCategory } from '@app/domain/templates/template-category';
import { platformLanguage } from '@app/domain/templates/platform-name';
import { templateAsMessage } from '@app/domain/templates/template-message';
import { templateContent } from '@app/domain/templates/template-content';
import { and, eq } from 'drizzle-orm';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { findContents, type StoredContent } from './channel-contents.ts';
import { findHeaderFile } from './header-file.ts';
import {
  findOtherLanguages,
  languagesOf,
  type TemplateInLanguage,
  type TemplateMessage,
} from './message-languages.ts';

/** `inContactLanguage`: whoever speaks another language that the template is there in gets that one. */
export type MessageChoice =
  | { templateId: string; inContactLanguage?: boolean | undefined }
  | { customMessage: string }
  /** A stored content of a channel kind. */
  | { contentId: string };
type StoredCampaign = typeof campaigns.$inferSelect;

/** What is to be sent: a stored template or a text of one's own. */
export type ChosenMessage =
  | ({ kind: 'template' } & TemplateMessage)
  | { kind: 'text'; text: string }
  /** A form of message that one kind of channel adds, as its content type reads it. */
  | {
      kind: 'content';
      content: KindContent;
      /** The same in other languages, by their codes. */
      inLanguages?: Readonly<Record<string, KindContent>>;
      stored?: StoredContent;
    }
  | { kind: 'missing'; of: 'template' | 'content' };

/** As it leaves through a channel, or through the sending one. */
export async function findMessage(
  scope: ReadScope,
  choice: MessageChoice,
  channelId?: string,
): Promise<ChosenMessage> {
  if ('customMessage' in choice) return { kind: 'text', text: choice.customMessage };
  if ('contentId' in choice) return findContentMessage(scope, choice.contentId);
  const [template] = await scope.tx
    .select()
    .from(templates)
    .where(and(eq(templates.workspaceId, scope.workspaceId), eq(templates.id, choice.templateId)));
  if (!template) return { kind: 'missing', of: 'template' };
  const { inContactLanguage = false } = choice;
  return {
    ...{ kind: 'template', template, inContactLanguage },
    headerFile: await findHeaderFile(scope, template, channelId),
    others: inContactLanguage ? await findOtherLanguages(scope, template, channelId) : [],
  };
}

async function findContentMessage(scope: ReadScope, contentId: string): Promise<ChosenMessage> {
  const [stored] = await findContents(scope, { contentId });
  // A draft that was taken back from being active has nothing that could be sent.
  if (!stored?.content) return { kind: 'missing', of: 'content' };
  const { kind } = stored;
  const inLanguages = Object.fromEntries(
    Object.entries(stored.inLanguages).map(([code, one]) => [
      code,
      { type: 'kind_content' as const, kind, ...one },
    ]),
  );
  return { kind: 'content', content: { type: 'kind_content', ...stored.content }, inLanguages, stored };
}

/** The choice that a stored campaign holds; null when its template was deleted. A stored content is named by its id, also one that is gone. */
export function choiceOf(
  campaign: Pick<StoredCampaign, 'templateId' | 'customMessage' | 'contentId' | 'inContactLanguage'>,
): MessageChoice | null {
  if (campaign.customMessage !== null) return { customMessage: campaign.customMessage };
  const { templateId, contentId, inContactLanguage } = campaign;
  if (contentId !== null) return { contentId };
  return templateId === null ? null : { templateId, inContactLanguage };
}

/** Nothing to choose from is no choice: a language that comes later is not sent unasked. */
export function hasOthers(message: ChosenMessage): boolean {
  return message.kind === 'template' && message.others.length > 0;
}

/** What decides how a message leaves; null while no channel is there, which is as strict as any. */
type Rules = ChannelCapabilities | null;

/**
 * Free text is a reply while the channel allows one, and marketing where it may be written at any time; of templates only those of
 * utility may go to people who opted out.
 */
export function categoryOf(message: ChosenMessage, rules: Rules): MessageCategory {
  if (message.kind === 'content' && message.stored)
    return message.stored.isMarketing ? 'marketing' : 'utility';
  if (message.kind !== 'template') return rules?.freeTextHours === null ? 'marketing' : 'service';
  return isMarketingCategory(message.template) ? 'marketing' : 'utility';
}

export function isSendable(message: ChosenMessage, rules: Rules): boolean {
  return whyUnsendable(message, rules) === null;
}

/** The error code of a message that cannot be sent as things stand; null for one that can. */
export function whyUnsendable(message: ChosenMessage, rules: Rules) {
  switch (message.kind) {
    case 'missing':
      return `${message.of}_not_found` as const;
    case 'template':
      return templateObstacle(message, rules) === null ? null : 'template_not_approved';
    case 'content':
      if (rules && !findContentType(rules.contents ?? [], message.content)) return 'content_elsewhere';
      if (message.stored?.isActive === false) return 'content_not_active';
      return message.stored?.hasFiles === false ? 'content_file_gone' : null;
    case 'text':
      return null;
  }
}

/** What keeps a chosen template from going out as things stand; null for any other message. */
export function templateObstacle(message: ChosenMessage, rules: Rules): SendObstacle | null {
  if (message.kind !== 'template') return null;
  const { template, headerFile } = message;
  return whyNotSendable(template, {
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
  if (message.kind === 'content') {
    const { content, inLanguages = {}, stored } = message;
    return {
      ...{ content, variables, businessName },
      ...(stored && { language: stored.language }),
      ...(Object.keys(inLanguages).length > 0 && { inLanguages }),
    };
  }
  const { chosen } = languagesOf(message, rules);
  const inLanguages = Object.fromEntries(
    chosen.map((one) => [platformLanguage(one.template.language), contentOf(one, rules)]),
  );
  return {
    ...{ content: contentOf(message, rules), variables, businessName },
    ...(rules.templates !== 'reviewed' && { language: platformLanguage(message.template.language) }),
    ...(chosen.length > 0 && { inLanguages }),
  };
}

function contentOf({ template, headerFile }: TemplateInLanguage, rules: ChannelCapabilities): MessageContent {
  return rules.templates === 'reviewed'
    ? templateContent(template, {}, headerFile)
    : templateAsMessage(template.components, rules);
}
