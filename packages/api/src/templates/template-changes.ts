import { templates } from '@app/database/templates/templates-tables';
import { newId } from '@app/database/new-id';
import { contentsOf } from '@app/domain/channels/channel-kind';
import {
  findContentFault,
  findTemplateFaults,
  mostButtonsOf,
  pruneComponents,
  reviewedText,
  type TemplateFault,
} from '@app/domain/templates/template-rules';
import type { TemplateStatus } from '@app/domain/templates/template';
import { and, eq } from 'drizzle-orm';
import { readReviewer, type ChannelConnection } from '../channels/channel-connection.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { changeTemplate } from './change-template.ts';
import { describeContent } from './describe-content.ts';
import { adoptHeaderMedia } from './header-media.ts';
import { findCampaignsWith, lockTemplate, type StoredTemplate } from './templates-queries.ts';

type Components = Parameters<typeof pruneComponents>[0];
type Parts = Pick<SignedInContext, 'channelKinds' | 'sandboxUrl'>;

type FormError =
  | { code: 'template_invalid'; data: ReturnType<typeof describeFault> }
  | {
      code: 'template_status_by_platform' | 'media_not_found';
      data: { field: string };
    };

type LanguageError = { code: 'template_language_fixed'; data: { field: string } };

type Changed = { row: StoredTemplate; connection: ChannelConnection };

export type NewTemplate = Pick<StoredTemplate, 'name' | 'category' | 'language' | 'status'> & {
  components: Components;
};

/** Stores a new template, with who reviews it. After an error the caller must roll back. Emits `template.created`. */
export async function createTemplate(
  scope: WorkspaceScope,
  parts: Parts,
  { name, category, language, status, components: given }: NewTemplate,
): Promise<Changed | FormError> {
  const components = pruneComponents(given);
  const fault = findFault(parts, { name, components });
  if (fault) return { code: 'template_invalid', data: describeFault(fault) };
  const connection = await readReviewer(scope, parts);
  if (connection.kind === 'platform' && status !== 'draft')
    return { code: 'template_status_by_platform', data: { field: 'status' } };
  const media = await adoptHeaderMedia(scope, components);
  if (media.outcome === 'media_not_found') return { code: 'media_not_found', data: { field: 'header' } };
  const now = scope.clock();
  const created = {
    ...{ id: newId(now.getTime()), workspaceId: scope.workspaceId, name, category, language, status },
    ...describeContent(media.components),
    createdAt: now,
  };
  const [inserted] = await scope.tx.insert(templates).values(created).returning();
  await scope.emit({ type: 'template.created', subject: created.id, values: { name } });
  return { row: inserted as StoredTemplate, connection }; // one row was inserted
}

export type TemplateChange = { templateId: string; version: number } & {
  [Field in keyof NewTemplate]?: NewTemplate[Field] | undefined;
};

/**
 * Changes a template unless it was changed since `version`. `isNewText` says whether the platform must review it again. After
 * an error the caller must roll back. Emits `template.updated`.
 */
export async function updateTemplate(
  scope: WorkspaceScope,
  parts: Parts,
  { templateId, version, ...given }: TemplateChange,
): Promise<
  (Changed & { isNewText: boolean }) | FormError | LanguageError | 'template_not_found' | 'template_changed'
> {
  const old = await lockTemplate(scope, templateId);
  if (!old) return 'template_not_found';
  if (old.version !== version) return 'template_changed';
  const connection = await readReviewer(scope, parts);
  const components = given.components ? pruneComponents(given.components, old.components) : old.components;
  const name = given.name ?? old.name;
  const fault = findFault(parts, { name, components }, mostButtonsOf(old.components));
  if (fault) return { code: 'template_invalid', data: describeFault(fault) };
  const language = given.language ?? old.language;
  if (language !== old.language && old.platformName !== null)
    return { code: 'template_language_fixed', data: { field: 'language' } };
  const media = await adoptHeaderMedia(scope, components);
  if (media.outcome === 'media_not_found') return { code: 'media_not_found', data: { field: 'header' } };
  const isNewText = reviewedText(media.components) !== reviewedText(old.components);
  const status = chooseStatus(connection, old, given.status, isNewText);
  if (status === null) return { code: 'template_status_by_platform', data: { field: 'status' } };
  const row = await changeTemplate(scope, templateId, {
    ...{ name, category: given.category ?? old.category, language, status },
    ...describeContent(media.components),
    // Until the sandbox has the new text, the old one must not be sent under its name.
    ...(isNewText && old.platformStatus !== null && { platformStatus: 'PENDING' }),
    updatedAt: scope.clock(),
    version: version + 1,
  });
  await scope.emit({ type: 'template.updated', subject: templateId, values: { name } });
  return { row: row as StoredTemplate, connection, isNewText }; // its row is locked
}

/** Deletes a template unless a campaign still needs it; the caller deletes it from the platform. Emits `template.deleted`. */
export async function removeTemplate(
  scope: WorkspaceScope,
  parts: Parts,
  templateId: string,
): Promise<Changed | { campaign: string } | 'template_not_found'> {
  const row = await lockTemplate(scope, templateId);
  if (!row) return 'template_not_found';
  const [campaign] = await findCampaignsWith(scope, templateId);
  if (campaign !== undefined) return { campaign };
  await scope.tx
    .delete(templates)
    .where(and(eq(templates.workspaceId, scope.workspaceId), eq(templates.id, templateId)));
  await scope.emit({ type: 'template.deleted', subject: templateId, values: { name: row.name } });
  return { row, connection: await readReviewer(scope, parts) };
}

/** Null when the wanted status is one that only the platform gives. */
function chooseStatus(
  { kind }: ChannelConnection,
  old: StoredTemplate,
  wanted: TemplateStatus | undefined,
  isNewText: boolean,
): TemplateStatus | null {
  if (kind !== 'platform') return wanted ?? old.status;
  if (wanted !== undefined && wanted !== old.status && wanted !== 'draft') return null;
  return isNewText ? 'draft' : (wanted ?? old.status);
}

/** The first fault of a template, also in what a kind of channel adds; undefined for a valid one. */
export function findFault(
  { channelKinds }: Pick<SignedInContext, 'channelKinds'>,
  template: Pick<StoredTemplate, 'name' | 'components'>,
  mostButtons?: number,
): TemplateFault | undefined {
  const [fault] = findTemplateFaults(template, mostButtons);
  return fault ?? findContentFault(template.components, contentsOf(channelKinds)) ?? undefined;
}

export function describeFault({ problem, field, limit, content }: TemplateFault) {
  const detail = content && { detail: content.problem };
  return { field, values: { problem, ...(limit !== undefined && { limit }), ...detail } };
}
