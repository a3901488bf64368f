import { templatesContract } from '@app/contracts/templates/templates-contract';
import { templates } from '@app/database/templates/templates-tables';
import { newId } from '@app/database/new-id';
import type { Queries } from '@app/database/database';
import { extractVariables } from '@app/domain/templates/template-rendering';
import {
  findTemplateFaults,
  pruneComponents,
  type TemplateFault,
} from '@app/domain/templates/template-rules';
import {
  bodyTextOf,
  findComponent,
  type TemplateComponent,
  type TemplateStatus,
} from '@app/domain/templates/template';
import { and, eq } from 'drizzle-orm';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { readConnection, type ChannelConnection } from '../platform/messaging/channel-connection.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { adoptHeaderMedia } from './header-media.ts';
import { submitTemplate } from './submit-template.ts';
import { syncTemplates } from './sync-templates.ts';
import {
  countByStatus,
  findCampaignsWith,
  findTemplate,
  listTemplates,
  presentTemplate,
  type StoredTemplate,
} from './templates-queries.ts';

const os = implementEndpoints(templatesContract);

export const templatesApi = os.router({
  list: os.list.handler(({ input, context }) =>
    context.inWorkspace((tx) => listTemplates(tx, context.session.workspaceId, input)),
  ),

  summarize: os.summarize.handler(({ context }) =>
    context.inWorkspace((tx) => countByStatus(tx, context.session.workspaceId)),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const { workspaceId } = context.session;
    const row = await context.inWorkspace((tx) => findTemplate(tx, workspaceId, input.templateId));
    if (!row) throw errors.template_not_found();
    return presentTemplate(row);
  }),

  create: os.create.handler(async ({ input, context, errors }) => {
    const { workspaceId } = context.session;
    const { name, category, language, status } = input;
    const components = pruneComponents(input.components);
    const [fault] = findTemplateFaults({ name, components });
    if (fault) throw errors.template_invalid({ data: describeFault(fault) });
    const { row, connection } = await context.inWorkspace(async (tx) => {
      const found = await readConnection(tx, workspaceId, context.sandboxUrl);
      if (found.kind === 'platform' && status !== 'draft')
        throw errors.template_status_by_platform({ data: { field: 'status' } });
      const media = await adoptHeaderMedia(tx, workspaceId, components);
      if (media.outcome === 'media_not_found') throw errors.media_not_found({ data: { field: 'header' } });
      const now = context.clock();
      const [created] = await tx
        .insert(templates)
        .values({
          ...{ id: newId(now.getTime()), workspaceId, name, category, language, status },
          ...describeContent(media.components),
          createdAt: now,
        })
        .returning();
      await context.recordActivity(tx, {
        type: 'create',
        resource: 'templates',
        description: `Created template ${name}`,
      });
      return { row: created as StoredTemplate, connection: found }; // one row was inserted
    });
    return presentTemplate(await settle(context, row, connection, true));
  }),

  update: os.update.handler(async ({ input, context, errors }) => {
    const { workspaceId } = context.session;
    const { templateId, version, ...given } = input;
    const { row, connection, isNewText } = await context.inWorkspace(async (tx) => {
      const old = await lockTemplate(tx, workspaceId, templateId);
      if (!old) throw errors.template_not_found();
      if (old.version !== version) throw errors.template_changed();
      const found = await readConnection(tx, workspaceId, context.sandboxUrl);
      const components = given.components ? pruneComponents(given.components) : old.components;
      const name = given.name ?? old.name;
      const [fault] = findTemplateFaults({ name, components });
      if (fault) throw errors.template_invalid({ data: describeFault(fault) });
      const language = given.language ?? old.language;
      if (language !== old.language && old.platformName !== null)
        throw errors.template_language_fixed({ data: { field: 'language' } });
      const media = await adoptHeaderMedia(tx, workspaceId, components);
      if (media.outcome === 'media_not_found') throw errors.media_not_found({ data: { field: 'header' } });
      const isNew = JSON.stringify(media.components) !== JSON.stringify(old.components);
      const status = chooseStatus(found, old, given.status, isNew);
      if (status === null) throw errors.template_status_by_platform({ data: { field: 'status' } });
      const [updated] = await tx
        .update(templates)
        .set({
          ...{ name, category: given.category ?? old.category, language, status },
          ...describeContent(media.components),
          // Until the sandbox has the new text, the old one must not go out under its name.
          ...(isNew && old.platformStatus !== null && { platformStatus: 'PENDING' }),
          updatedAt: context.clock(),
          version: version + 1,
        })
        .where(and(eq(templates.workspaceId, workspaceId), eq(templates.id, templateId)))
        .returning();
      await context.recordActivity(tx, {
        type: 'update',
        resource: 'templates',
        description: `Updated template ${name}`,
      });
      return { row: updated as StoredTemplate, connection: found, isNewText: isNew }; // its row is locked
    });
    return presentTemplate(await settle(context, row, connection, isNewText));
  }),

  remove: os.remove.handler(async ({ input, context, errors }) => {
    const { workspaceId } = context.session;
    const { old, connection } = await context.inWorkspace(async (tx) => {
      const found = await lockTemplate(tx, workspaceId, input.templateId);
      if (!found) throw errors.template_not_found();
      const [campaign] = await findCampaignsWith(tx, workspaceId, input.templateId);
      if (campaign !== undefined) throw errors.template_in_use({ data: { values: { campaign } } });
      await tx
        .delete(templates)
        .where(and(eq(templates.workspaceId, workspaceId), eq(templates.id, input.templateId)));
      await context.recordActivity(tx, {
        type: 'delete',
        resource: 'templates',
        description: `Deleted template ${found.name}`,
      });
      return { old: found, connection: await readConnection(tx, workspaceId, context.sandboxUrl) };
    });
    await removeFromPlatform(context, old, connection);
    await context.publish('templates', { templateId: input.templateId });
    return {};
  }),

  submit: os.submit.handler(async ({ input, context, errors }) => {
    const { workspaceId } = context.session;
    const { templateId } = input;
    const { kind, channel } = await context.inWorkspace(async (tx) => {
      const row = await lockTemplate(tx, workspaceId, templateId);
      if (!row) throw errors.template_not_found();
      if (row.version !== input.version) throw errors.template_changed();
      const [fault] = findTemplateFaults(row);
      if (fault) throw errors.template_invalid({ data: describeFault(fault) });
      await context.recordActivity(tx, {
        type: 'update',
        resource: 'templates',
        description: `Submitted template ${row.name} for approval`,
      });
      return readConnection(tx, workspaceId, context.sandboxUrl);
    });
    if (kind === 'none' || !channel) throw errors.channel_not_connected();
    const answer = await submitTemplate(context, { workspaceId, templateId, channelId: channel.id, kind });
    await context.publish('templates', { templateId });
    if (answer.outcome === 'refused')
      throw errors.template_refused({ message: answer.reason, data: { values: { reason: answer.reason } } });
    if (answer.outcome === 'unreachable') throw errors.platform_unreachable();
    const row = await context.inWorkspace((tx) => findTemplate(tx, workspaceId, templateId));
    if (!row) throw errors.template_not_found();
    return presentTemplate(row);
  }),

  sync: os.sync.handler(async ({ context, errors }) => {
    const { workspaceId } = context.session;
    const { kind, channel } = await context.inWorkspace((tx) =>
      readConnection(tx, workspaceId, context.sandboxUrl),
    );
    if (kind === 'none' || !channel) throw errors.channel_not_connected();
    const answer = await syncTemplates(context, { workspaceId, channelId: channel.id, kind });
    if (answer.outcome === 'unreachable') throw errors.platform_unreachable();
    if (answer.outcome === 'refused')
      throw errors.template_refused({ message: answer.reason, data: { values: { reason: answer.reason } } });
    await context.publish('templates');
    const { checked, changed, submitted } = answer;
    return { checked, changed, submitted };
  }),
});

/** On the sandbox an approved template goes to the platform at once; elsewhere somebody submits it. */
async function settle(
  context: SignedInContext,
  row: StoredTemplate,
  { kind, channel }: ChannelConnection,
  isNewText: boolean,
): Promise<StoredTemplate> {
  const { workspaceId, id: templateId } = row;
  const isThere = row.platformTemplateId !== null && /^(APPROVED|PENDING)$/.test(row.platformStatus ?? '');
  const isDue = row.status === 'approved' && (isNewText || !isThere);
  if (kind === 'sandbox' && channel && isDue)
    await submitTemplate(context, { workspaceId, templateId, channelId: channel.id, kind });
  await context.publish('templates', { templateId });
  return (await context.inWorkspace((tx) => findTemplate(tx, workspaceId, templateId))) ?? row;
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

function lockTemplate(tx: Queries, workspaceId: string, templateId: string) {
  return tx
    .select()
    .from(templates)
    .where(and(eq(templates.workspaceId, workspaceId), eq(templates.id, templateId)))
    .for('update')
    .then(([row]) => row);
}

function describeContent(components: TemplateComponent[]) {
  const content = bodyTextOf(components);
  const header = findComponent(components, 'header');
  const headerMediaId = header && header.format !== 'text' ? (header.media?.id ?? null) : null;
  return { components, content, variables: extractVariables(content), headerMediaId };
}

function describeFault({ problem, field, limit }: TemplateFault) {
  return { field, values: { problem, ...(limit !== undefined && { limit }) } };
}
