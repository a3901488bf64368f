import { templates } from '@app/database/templates/templates-tables';
import { chosenContactsSql, mayReceiveSql } from '@app/delivery/audience-sql';
import { knowAudience } from '@app/delivery/known-audience';
import type { ChannelCapabilities } from '@app/domain/channels/channel-capabilities';
import type { Audience, MessageCategory } from '@app/domain/delivery/audience';
import { chooseLanguage } from '@app/domain/delivery/choose-language';
import { validateLanguages, type LeftOutLanguage } from '@app/domain/templates/template-languages';
import type { HeaderFile } from '@app/domain/templates/template-content';
import { whyNotSendable } from '@app/domain/templates/platform-status';
import { platformLanguage } from '@app/domain/templates/platform-name';
import { isMarketingCategory } from '@app/domain/templates/template-category';
import { templateVariables } from '@app/domain/templates/template-rendering';
import { and, asc, eq, ne } from 'drizzle-orm';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { findHeaderFile } from './header-file.ts';

export type StoredTemplate = typeof templates.$inferSelect;
/** A language of a template, with the file of its header. */
export type TemplateInLanguage = { template: StoredTemplate; headerFile: HeaderFile | undefined };
/** A template that was chosen, and its others where each contact gets their own. */
export type TemplateMessage = TemplateInLanguage & {
  inContactLanguage: boolean;
  others: readonly TemplateInLanguage[];
};

/** What decides how a message leaves; null while no channel is there, which is as strict as any. */
type Rules = ChannelCapabilities | null;

/** The same template in other languages, whether or not they may be sent; the oldest of a language first. */
export async function findOtherLanguages(
  scope: ReadScope,
  { id, name, language }: StoredTemplate,
  channelId: string | undefined,
): Promise<TemplateInLanguage[]> {
  const rows = await scope.tx
    .select()
    .from(templates)
    .where(
      and(
        ...[eq(templates.workspaceId, scope.workspaceId), eq(templates.name, name)],
        ...[ne(templates.id, id), ne(templates.language, language)],
      ),
    )
    .orderBy(asc(templates.createdAt), asc(templates.id));
  const found: TemplateInLanguage[] = [];
  for (const template of rows)
    found.push({ template, headerFile: await findHeaderFile(scope, template, channelId) });
  return found;
}

/** In which other languages a message may be sent as things stand, and which are left out and why. */
export function languagesOf(
  message: TemplateMessage,
  rules: Rules,
): { chosen: TemplateInLanguage[]; leftOut: LeftOutLanguage[] } {
  const asked = ({ template, headerFile }: TemplateInLanguage) => ({
    language: platformLanguage(template.language),
    isMarketing: isMarketingCategory(template),
    placeholders: templateVariables(template.components),
    isSendable:
      whyNotSendable(template, {
        review: rules?.templates ?? null,
        hasHeaderFile: headerFile !== undefined,
      }) === null,
  });
  const { others } = message;
  const { chosen, leftOut } = validateLanguages(asked(message), others.map(asked));
  return { chosen: chosen.flatMap((at) => others[at] ?? []), leftOut };
}

type Asked = { audience: Audience; category: MessageCategory; channelId: string | null };

/** How many get which language, of those who would get the message now; null for one that is in a single language, or not sent in each contact's. */
export async function countLanguages(
  scope: ReadScope,
  message: TemplateMessage,
  rules: Rules,
  { audience: named, category, channelId }: Asked,
) {
  if (!message.inContactLanguage || message.others.length === 0) return null;
  const main = platformLanguage(message.template.language);
  const { chosen, leftOut } = languagesOf(message, rules);
  const codes = chosen.map(({ template }) => platformLanguage(template.language));
  const { workspaceId } = scope;
  const audience = await knowAudience(scope, workspaceId, named);
  const values: unknown[] = [];
  const condition = chosenContactsSql(workspaceId, audience, values);
  const mayReceive = mayReceiveSql({ category, channelId }, values);
  const { rows } = await scope.query<{ language: string | null; count: number }>(
    `SELECT c.language, count(*)::integer AS count FROM contacts c WHERE ${condition} AND ${mayReceive} GROUP BY 1`,
    values,
  );
  const counts = new Map([main, ...codes].map((code) => [code, 0]));
  for (const { language, count } of rows) {
    const code = chooseLanguage(language, main, codes);
    counts.set(code, (counts.get(code) ?? 0) + count);
  }
  return {
    main,
    counts: [...counts].map(([language, count]) => ({ language, count })),
    withoutLanguage: rows.find(({ language }) => language === null)?.count ?? 0,
    leftOut,
  };
}
