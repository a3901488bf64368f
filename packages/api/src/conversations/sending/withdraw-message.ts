import { copyFile } from '@app/database/message-files/sent-files';
import { newId } from '@app/database/new-id';
import type { MediaContent, MessageContent } from '@app/domain/messaging/message-content';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findMessage, type Message } from '../conversation-messages.ts';
import { enqueueContents, type SendParts, type Unsendable } from './enqueue-contents.ts';
import { lockConversation } from './find-recipient.ts';
import { cancelMessages } from './withdraw-queued.ts';
import { lockWaiting, type NotWaiting } from './scheduled-messages.ts';

type Named = { conversationId: string; messageId: string };

/** Takes back what has not left. Whoever was about to send it finds it gone: `sending` is committed before the call. */
export async function withdrawMessage(
  scope: WorkspaceScope,
  named: Named,
): Promise<{ messageId: string } | NotWaiting> {
  const found = await lockWaiting(scope, named, ['scheduled', 'queued']);
  if (typeof found === 'string') return found;
  await cancelMessages(scope, [named.messageId]);
  return { messageId: named.messageId };
}

/**
 * Sends what did not arrive as a new message. The old one keeps its end and names the new one, so that nobody tries a second time; its file
 * is copied, and goes to the platform anew.
 */
export async function tryAgain(
  scope: WorkspaceScope,
  parts: SendParts,
  named: Named,
): Promise<Message | NotWaiting | Unsendable> {
  const found = await lockWaiting(scope, named, ['refused', 'cancelled', 'accepted']);
  if (typeof found === 'string') return found;
  const isOver = found.triedAgainAs !== null || found.errorCode === 'withdrawn';
  if (isOver || !found.isFailed) return 'message_changed';
  const { text, isMarketing } = found;
  const copyId = newId();
  const isHeld = found.content.type === 'media' && 'fileId' in found.content.media;
  const content: MessageContent = isHeld
    ? ({ ...found.content, media: { fileId: copyId } } as MediaContent) // it is one
    : found.content;
  const to = (await lockConversation(scope, named.conversationId))!; // locked above
  const contents = [{ content, text: text ?? '', isMarketing }];
  const enqueued = await enqueueContents(scope, parts, { to, contents }, { purpose: 'reply' });
  if (typeof enqueued === 'string') return enqueued;
  const sent = { id: enqueued.messageIds[0]! }; // one content, one message
  if (found.content.type === 'media' && 'fileId' in found.content.media) {
    const ofMessage = { workspaceId: scope.workspaceId, messageId: sent.id, ...found.of };
    await copyFile(scope, ofMessage, { id: found.content.media.fileId, newId: copyId });
  }
  await scope.query('UPDATE messages SET tried_again_as = $3 WHERE workspace_id = $1 AND id = $2', [
    ...[scope.workspaceId, named.messageId],
    sent.id,
  ]);
  return (await findMessage(scope, found.of, sent.id))!; // left in this transaction
}
