import { templatesContract } from '@app/contracts/templates/templates-contract';
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
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { readReviewer, type ChannelConnection } from '../channels/channel-connection.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { handOverHeaderFile } from '../sending/header-file.ts';
import { accountTemplatesApi } from './account-templates-api.ts';
import { changeTemplate } from './change-template.ts';
import { describeRefusal } from './describe-rejection.ts';
import { describeContent } from './describe-content.ts';
import { adoptHeaderMedia } from './header-media.ts';
import { submitTemplate } from './submit-template.ts';
import { syncTemplates } from './sync-templates.ts';
import {
  countByStatus,
  findCampaignsWith,
  findTemplate,
  listTemplates,
  lockTemplate,
  presentTemplates,
  type StoredTemplate,
} from './templates-queries.ts';

const os = implementEndpoints(templatesContract);

export const templatesApi = os.router({
  ...accountTemplatesApi,

  list: os.list.handler(({ input, context }) =>
    context.read((scope) => listTemplates(scope, context, input)),
  ),

  summarize: os.summarize.handler(({ input, context }) =>
    context.read((scope) => countByStatus(scope, context, input)),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const row = await context.read((scope) => findTemplate(scope, input.templateId));
    if (!row) throw errors.template_not_found();
    return present(context, row);
  }),

  create: os.create.handler(async ({ input, context, errors }) => {
    const { name, category, language, status } = input;
    const components = pruneComponents(input.components);
    const fault = findFault(context, { name, components });
    if (fault) throw errors.template_invalid({ data: describeFault(fault) });
    const { row, connection } = await context.change(async (scope) => {
      const found = await readReviewer(scope, context);
      if (found.kind === 'platform' && status !== 'draft')
        throw errors.template_status_by_platform({ data: { field: 'status' } });
      const media = await adoptHeaderMedia(scope, components);
      if (media.outcome === 'media_not_found') throw errors.media_not_found({ data: { field: 'header' } });
      const now = scope.clock();
      const created = {
        ...{ id: newId(now.getTime()), workspaceId: scope.workspaceId, name, category, language, status },
        ...describeContent(media.components),
        createdAt: now,
      };
      const [inserted] = await scope.tx.insert(templates).values(created).returning();
      await scope.emit({ type: 'template.created', subject: created.id, values: { name } });
      return { row: inserted as StoredTemplate, connection: found }; // one row was inserted
    });
    return present(context, await settle(context, row, connection, true));
  }),

  update: os.update.handler(async ({ input, context, errors }) => {
    const { templateId, version, ...given } = input;
    const { row, connection, isNewText } = await context.change(async (scope) => {
      const old = await lockTemplate(scope, templateId);
      if (!old) throw errors.template_not_found();
      if (old.version !== version) throw errors.template_changed();
      const found = await readReviewer(scope, context);
      const components = given.components
        ? pruneComponents(given.components, old.components)
        : old.components;
      const name = given.name ?? old.name;
      const fault = findFault(context, { name, components }, mostButtonsOf(old.components));
      if (fault) throw errors.template_invalid({ data: describeFault(fault) });
      const language = given.language ?? old.language;
      if (language !== old.language && old.platformName !== null)
        throw errors.template_language_fixed({ data: { field: 'language' } });
      const media = await adoptHeaderMedia(scope, components);
      if (media.outcome === 'media_not_found') throw errors.media_not_found({ data: { field: 'header' } });
      const isNew = reviewedText(media.components) !== reviewedText(old.components);
      const status = chooseStatus(found, old, given.status, isNew);
      if (status === null) throw errors.template_status_by_platform({ data: { field: 'status' } });
      const updated = await changeTemplate(scope, templateId, {
        ...{ name, category: given.category ?? old.category, language, status },
        ...describeContent(media.components),
        // Until the sandbox has the new text, the old one must not go out under its name.
        ...(isNew && old.platformStatus !== null && { platformStatus: 'PENDING' }),
        updatedAt: scope.clock(),
        version: version + 1,
      });
      await scope.emit({ type: 'template.updated', subject: templateId, values: { name } });
      return { row: updated as StoredTemplate, connection: found, isNewText: isNew }; // its row is locked
    });
    return present(context, await settle(context, row, connection, isNewText));
  }),

  remove: os.remove.handler(async ({ input, context, errors }) => {
    const { templateId } = input;
    const { old, connection } = await context.change(async (scope) => {
      const found = await lockTemplate(scope, templateId);
      if (!found) throw errors.template_not_found();
      const [campaign] = await findCampaignsWith(scope, templateId);
      if (campaign !== undefined) throw errors.template_in_use({ data: { values: { campaign } } });
      await scope.tx
        .delete(templates)
        .where(and(eq(templates.workspaceId, scope.workspaceId), eq(templates.id, templateId)));
      await scope.emit({ type: 'template.deleted', subject: templateId, values: { name: found.name } });
      return { old: found, connection: await readReviewer(scope, context) };
    });
    await removeFromPlatform(context, old, connection);
    return {};
  }),

  submit: os.submit.handler(async ({ input, context, errors }) => {
    const { templateId } = input;
    const { kind, channel } = await context.change(async (scope) => {
      const row = await lockTemplate(scope, templateId);
      if (!row) throw errors.template_not_found();
      if (row.version !== input.version) throw errors.template_changed();
      const fault = findFault(context, row, mostButtonsOf(row.components));
      if (fault) throw errors.template_invalid({ data: describeFault(fault) });
      await scope.emit({ type: 'template.submitted', subject: templateId, values: { name: row.name } });
      return readReviewer(scope, context);
    });
    if (kind === 'none' || !channel) throw errors.channel_not_connected();
    const answer = await submitTemplate(context, { templateId, channelId: channel.id, kind });
    if (answer.outcome === 'refused') throw errors.template_refused(describeRefusal(answer));
    if (answer.outcome === 'unreachable') throw errors.platform_unreachable();
    const row = await context.read((scope) => findTemplate(scope, templateId));
    if (!row) throw errors.template_not_found();
    return present(context, row);
  }),

  sync: os.sync.handler(async ({ context, errors }) => {
    const { kind, channel } = await context.read((scope) => readReviewer(scope, context));
    if (kind === 'none' || !channel) throw errors.channel_not_connected();
    const answer = await syncTemplates(context, { channelId: channel.id, kind });
    if (answer.outcome === 'unreachable') throw errors.platform_unreachable();
    if (answer.outcome === 'refused') throw errors.template_refused(describeRefusal(answer));
    const { checked, changed, submitted } = answer;
    return { checked, changed, submitted };
  }),
});

async function present(context: SignedInContext, row: StoredTemplate) {
  const [template] = await context.read((scope) => presentTemplates(scope, context, [row]));
  return template!; // of one row
}

/** On the sandbox an approved template goes to the platform at once; elsewhere somebody submits it. */
async function settle(
  context: SignedInContext,
  row: StoredTemplate,
  { kind, channel }: ChannelConnection,
  isNewText: boolean,
): Promise<StoredTemplate> {
  const { id: templateId } = row;
  const isThere = row.platformTemplateId !== null && /^(APPROVED|PENDING)$/.test(row.platformStatus ?? '');
  const isDue = row.status === 'approved' && (isNewText || !isThere);
  if (kind === 'sandbox' && channel && isDue)
    await submitTemplate(context, { templateId, channelId: channel.id, kind });
  // A file that was chosen or exchanged is none of what the platform approved: each message names its own.
  else if (kind !== 'none' && channel && row.platformTemplateId !== null)
    await handOverHeaderFile(context, { channelId: channel.id, template: row });
  return (await context.read((scope) => findTemplate(scope, templateId))) ?? row;
}

/** Null when the wish goes against the platform, which alone approves and rejects. */
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

async function removeFromPlatform(
  { templatePlatform, logger }: SignedInContext,
  { platformName, platformTemplateId }: StoredTemplate,
  { kind, channel }: ChannelConnection,
): Promise<void> {
  if (kind === 'none' || !channel || platformName === null || platformTemplateId === null) return;
  const answer = await templatePlatform.remove(channel.id, platformName, platformTemplateId);
  if (answer.outcome !== 'done')
    logger.warn({ platformName, outcome: answer.outcome }, 'a deleted template is still on the platform');
}

/** The first thing that stands in the way of saving, also in what a kind of channel adds. */
function findFault(
  { channelKinds }: Pick<SignedInContext, 'channelKinds'>,
  template: Pick<StoredTemplate, 'name' | 'components'>,
  mostButtons?: number,
): TemplateFault | undefined {
  const [fault] = findTemplateFaults(template, mostButtons);
  return fault ?? findContentFault(template.components, contentsOf(channelKinds)) ?? undefined;
}

function describeFault({ problem, field, limit, content }: TemplateFault) {
  const detail = content && { detail: content.problem };
  return { field, values: { problem, ...(limit !== undefined && { limit }), ...detail } };
}
