import type { NewMessage } from '@app/contracts/conversations/new-message';
import { callerKey } from '@app/domain/auth/caller';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findMessage, type Message } from '../conversation-messages.ts';
import { lockConversation } from './find-recipient.ts';
import type { SendParts } from './enqueue-contents.ts';
import { sendMessage, type NotSent } from './send-message.ts';

/** Sends what a person or a program says in a conversation, once for each `clientId`, and answers with the first message. */
export async function sendInConversation(
  scope: WorkspaceScope,
  parts: SendParts,
  {
    conversationId,
    message: { ...message },
    clientId,
  }: { conversationId: string; message: NewMessage; clientId?: string | undefined },
): Promise<(Message & { others: string[] }) | NotSent> {
  const sendAt = 'sendAt' in message && message.sendAt ? new Date(message.sendAt) : undefined;
  if ('sendAt' in message) delete message.sendAt;
  const sent = await sendMessage(scope, parts, {
    ...{ to: { conversationId }, message, purpose: 'reply', isMarketing: false, sendAt },
    key: clientId && `client:${callerKey(scope.caller)}:${clientId}`,
  });
  if (sent.outcome === 'refused') return sent;
  const [first = '', ...others] = sent.messageIds;
  const found = (await lockConversation(scope, conversationId))!; // locked by the sending
  const of = { id: conversationId, contactId: found.contact_id, channelId: found.channel_id };
  const shown = await findMessage(scope, of, first);
  return shown ? { ...shown, others } : { outcome: 'refused', code: 'message_not_found' };
}
