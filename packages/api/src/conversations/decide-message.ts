import { wakeForMessages } from '@app/delivery/engine/engine-wake';
import { decideUnknown } from '@app/delivery/messages/decide-unknown';
import { standingOf } from '@app/delivery/messages/message-eligibility';
import {
  guardMessage,
  type MessagePurpose,
  type MessageError,
} from '@app/domain/conversations/guard-message';
import type { MessageDecision } from '@app/domain/conversations/message-state';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { findMessage, type Message } from './conversation-messages.ts';
import type { SendParts } from './sending/enqueue-contents.ts';
import { lockContactOf, lockConversation } from './sending/find-recipient.ts';

type Decided = { conversationId: string; messageId: string; decision: MessageDecision };
type Missed = 'conversation_not_found' | 'message_not_found' | 'message_changed';

/** A person settles a message in doubt. What is to leave again is guarded like any other, now and before it leaves. */
export async function decideMessage(
  scope: WorkspaceScope,
  { channelKinds, db }: SendParts,
  { conversationId, messageId, decision }: Decided,
): Promise<Message | Missed | MessageError> {
  await lockContactOf(scope, conversationId);
  const { rows } = await scope.query<Doubted>(
    `SELECT m.state, m.purpose, m.is_marketing AS "isMarketing", m.needs_window AS "needsWindow"
       FROM conversations c JOIN messages m ON m.contact_id = c.contact_id AND m.channel_id = c.channel_id
      WHERE c.workspace_id = $1 AND c.id = $2 AND m.id = $3 FOR NO KEY UPDATE OF m`,
    [scope.workspaceId, conversationId, messageId],
  );
  const found = await lockConversation(scope, conversationId);
  if (!found) return 'conversation_not_found';
  const of = { id: conversationId, contactId: found.contact_id, channelId: found.channel_id };
  const [message] = rows;
  if (!message) return 'message_not_found';
  if (message.state !== 'unknown') return 'message_changed';
  const { userIds: takesUserIds, ignoresRepeats } = channelKinds.of({ kind: found.kind }).capabilities;
  if (decision === 'send_again') {
    const { purpose, isMarketing, needsWindow: hasWindow } = message;
    const refusal = guardMessage(
      {
        purpose,
        isMarketing,
        isTemplate: !hasWindow,
        ...standingOf(found, { hasWindow, takesUserIds }),
      },
      scope.clock().getTime(),
    );
    if (refusal) return refusal;
  }
  await decideUnknown(scope, { id: messageId, decision, ...(ignoresRepeats && { ignoresRepeats }) });
  await scope.emit({
    type: 'message.decided',
    subject: messageId,
    values: { conversationId, contactIds: [of.contactId], decision },
  });
  if (decision === 'send_again') scope.afterCommit(() => wakeForMessages(db.systemPool, 'agent'));
  return (await findMessage(scope, of, messageId))!; // locked above
}

type Doubted = {
  state: string | null;
  purpose: Exclude<MessagePurpose, 'test'>;
  isMarketing: boolean;
  needsWindow: boolean;
};
