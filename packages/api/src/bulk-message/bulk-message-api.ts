import { bulkMessageContract } from '@app/contracts/bulk-message/bulk-message-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { findMessage } from '../sending/choose-message.ts';
import { previewBulkMessage } from './preview-bulk-message.ts';
import { recordBulkMessage } from './record-bulk-message.ts';

const os = implementEndpoints(bulkMessageContract);

export const bulkMessageApi = os.router({
  preview: os.preview.handler(({ input, context, errors }) =>
    context.inWorkspaceFor('counting', async (tx, client) => {
      const { workspaceId } = context.session;
      const message = await findMessage(tx, workspaceId, input.message);
      if (message.kind === 'missing') throw errors.template_not_found();
      const preview = await previewBulkMessage(tx, client, workspaceId, { ...input, message });
      if (typeof preview === 'string') throw errors[preview]();
      return preview;
    }),
  ),

  send: os.send.handler(async ({ input, context, errors }) => {
    const recorded = await context.inWorkspaceFor('starting', async (tx, client) => {
      const outcome = await recordBulkMessage(tx, client, context, input);
      if (typeof outcome === 'string') throw errors[outcome]();
      await context.recordActivity(tx, {
        type: 'send',
        resource: 'bulk-message',
        description: `${outcome.scheduledAt ? 'Scheduled' : 'Sent'} a bulk message to ${outcome.recipients} contacts`,
        metadata: { campaignId: outcome.campaignId },
      });
      return outcome;
    });
    await context.publish('campaigns', { campaignId: recorded.campaignId });
    return recorded;
  }),
});
