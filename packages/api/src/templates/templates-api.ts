import { templatesContract } from '@app/contracts/templates/templates-contract';
import { mostButtonsOf } from '@app/domain/templates/template-rules';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { readReviewer, type ChannelConnection } from '../channels/channel-connection.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { handOverHeaderFile } from '../sending/header-file.ts';
import { accountTemplatesApi } from './account-templates-api.ts';
import { describeRefusal } from './describe-rejection.ts';
import { submitTemplate } from './submit-template.ts';
import { syncTemplates } from './sync-templates.ts';
import {
  createTemplate,
  describeFault,
  findFault,
  removeTemplate,
  updateTemplate,
} from './template-changes.ts';
import {
  countByStatus,
  findTemplate,
  listTemplates,
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
    // Errors are thrown inside the transaction: what was written before them is rolled back.
    const { row, connection } = await context.change(async (scope) => {
      const created = await createTemplate(scope, context, input);
      if ('code' in created) throw errors[created.code]({ data: created.data });
      return created;
    });
    return present(context, await settle(context, row, connection, true));
  }),

  update: os.update.handler(async ({ input, context, errors }) => {
    const { row, connection, isNewText } = await context.change(async (scope) => {
      const updated = await updateTemplate(scope, context, input);
      if (typeof updated === 'string') throw errors[updated]();
      if ('code' in updated) throw errors[updated.code]({ data: updated.data });
      return updated;
    });
    return present(context, await settle(context, row, connection, isNewText));
  }),

  remove: os.remove.handler(async ({ input, context, errors }) => {
    const { row, connection } = await context.change(async (scope) => {
      const removed = await removeTemplate(scope, context, input.templateId);
      if (removed === 'template_not_found') throw errors.template_not_found();
      if ('campaign' in removed) throw errors.template_in_use({ data: { values: removed } });
      return removed;
    });
    await removeFromPlatform(context, row, connection);
    return {};
  }),

  submit: os.submit.handler(async ({ input, context, errors }) => {
    const { templateId } = input;
    const { kind, channel } = await context.read(async (scope) => {
      const row = await findTemplate(scope, templateId);
      if (!row) throw errors.template_not_found();
      if (row.version !== input.version) throw errors.template_changed();
      const fault = findFault(context, row, mostButtonsOf(row.components));
      if (fault) throw errors.template_invalid({ data: describeFault(fault) });
      return readReviewer(scope, context);
    });
    if (kind === 'none' || !channel) throw errors.channel_not_connected();
    const submission = { templateId, channelId: channel.id, kind, version: input.version };
    const answer = await submitTemplate(context, submission);
    if (answer.outcome === 'changed') throw errors.template_changed();
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
