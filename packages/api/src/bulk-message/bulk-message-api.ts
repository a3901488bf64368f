import { implement } from '@orpc/server';
import { bulkMessageContract } from '@app/contracts/bulk-message/bulk-message-contract';
import { guardAccess } from '../platform/guard-access.ts';
import { actOnce } from '../platform/idempotency.ts';
import { findMessage } from '../platform/messaging/choose-message.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { previewBulkMessage } from './preview-bulk-message.ts';
import { recordBulkMessage } from './record-bulk-message.ts';

const os = implement(bulkMessageContract).$context<RequestContext>().use(guardAccess);

export const bulkMessageApi = os.router({
  preview: os.preview.handler(({ input, context, errors }) =>
    context.inWorkspace(async (tx, client) => {
      const { workspaceId } = context.session;
      const message = await findMessage(tx, workspaceId, input.message);
      if (message.kind === 'missing') throw errors.template_not_found();
      const preview = await previewBulkMessage(tx, client, workspaceId, { ...input, message });
      if (typeof preview === 'string') throw errors[preview]();
      return preview;
    }),
  ),

  send: os.send.handler(async ({ input, context, errors }) => {
    const { idempotencyKey, ...request } = input;
    const { workspaceId } = context.session;
    // The key comes first: the same click again hears the first answer, whatever changed since.
    const once = await context.inWorkspace((tx, client) =>
      actOnce(client, { workspaceId, key: idempotencyKey, request }, async () => {
        const recorded = await recordBulkMessage(tx, client, context, request);
        if (typeof recorded === 'string') throw errors[recorded]();
        await context.recordActivity(tx, {
          type: 'send',
          resource: 'bulk-message',
          description: `${recorded.scheduledAt ? 'Scheduled' : 'Sent'} a bulk message to ${recorded.recipients} contacts`,
          metadata: { campaignId: recorded.campaignId },
        });
        return recorded;
      }),
    );
    if (once === 'reused') throw errors.idempotency_key_reused();
    await context.publish('campaigns', { campaignId: once.answer.campaignId });
    return once.answer;
  }),
});
