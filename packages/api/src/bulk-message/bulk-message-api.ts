import { bulkMessageContract } from '@app/contracts/bulk-message/bulk-message-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { findMessage } from '../sending/choose-message.ts';
import { nameUnfilled } from '../sending/value-problems.ts';
import { isOwnNumber } from '../sending/find-sender.ts';
import { previewBulkMessage } from './preview-bulk-message.ts';
import { recordBulkMessage } from './record-bulk-message.ts';

const os = implementEndpoints(bulkMessageContract);

export const bulkMessageApi = os.router({
  preview: os.preview.handler(({ input, context, errors }) =>
    context.read('counting', async (scope) => {
      const { channelId } = input;
      if (!(await isOwnNumber(scope, channelId))) throw errors.channel_not_found();
      const message = await findMessage(scope, input.message, channelId ?? undefined);
      if (message.kind === 'missing') throw errors.template_not_found();
      const preview = await previewBulkMessage(scope, context.channelKinds, { ...input, message });
      if (typeof preview === 'string') throw errors[preview]();
      return preview;
    }),
  ),

  send: os.send.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const recorded = await recordBulkMessage(scope, context, input);
      if (recorded === 'placeholder_without_value') throw errors[recorded](await nameUnfilled(scope, input));
      if (typeof recorded === 'string') throw errors[recorded]();
      return recorded;
    }),
  ),
});
