import type { ContentFault } from '@app/domain/channel-kinds/content-type';
import { newMessage, type NewMessage } from '@app/contracts/conversations/new-message';
import { removeLinks } from '@app/database/links/add-links';
import { validateContent } from '@app/domain/conversations/content-rules';
import { isScheduleValid } from '@app/domain/conversations/scheduling';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import {
  enqueueContents,
  findEnqueued,
  type SendOptions,
  type SendParts,
  type Unsendable,
} from './enqueue-contents.ts';
import { beginConversation, lockRecipient, type SendTo } from './find-recipient.ts';
import type { SharedMedia } from './shared-media.ts';
import { writeContents, type Unwritable } from './write-contents.ts';

/** What is said: a text, a template, files, a place, contact cards, a question with buttons or a list, or a reaction. */
export type MessageToSend = NewMessage extends infer One
  ? One extends NewMessage
    ? Omit<One, 'sendAt'>
    : never
  : never;

export type SendRequest = SendOptions & {
  to: SendTo;
  message: MessageToSend | SharedMedia;
  /** Of anything but a template, which has its category; by default free text is marketing where a flow writes through a channel without a window. */
  isMarketing?: boolean | undefined;
  /** The files stay as they are, and the message gets copies: for a step that sends one file again and again. Else each is an upload of the caller, sent once. */
  copiesFiles?: boolean | undefined;
};

export type Sent = {
  outcome: 'accepted';
  conversationId: string;
  /** One for the message, and one for each further file. */
  messageIds: string[];
  /** False where the key had sent it before. */
  isNew: boolean;
  /** Until when it waits, for its own time or the end of the quiet hours; null where it is queued. */
  sendAt: Date | null;
};

export type SendError =
  | Unwritable
  | Unsendable
  | 'conversation_not_found'
  | 'message_invalid'
  | 'message_time_invalid';

/** Nothing was enqueued, and nothing was changed. `n` is the limit that the message goes beyond. */
export type NotSent =
  | { outcome: 'refused'; code: SendError }
  | { outcome: 'refused'; code: 'message_too_long'; n: number }
  | { outcome: 'refused'; code: 'message_content_invalid'; fault: ContentFault };

/**
 * The one way to send a single message, for every caller: an agent, a bot, a flow, a program, an automatic reply. It validates the message against the
 * channel, fills templates, attaches files, asks every guard (connected, stopped, blocked, consent, window, daily limit, budget) and enqueues the
 * message in the caller's transaction; after the commit an engine sends it, at most once. In quiet hours what flows send, and marketing that no
 * agent sends, waits until they end. The author is the caller of the scope, and the cause is that of the scope.
 * @throws nothing that the caller can cause: a refusal is a value, and the transaction may go on
 */
export async function sendMessage(
  scope: WorkspaceScope,
  parts: SendParts,
  { to, message, isMarketing, copiesFiles = false, ...options }: SendRequest,
): Promise<Sent | NotSent> {
  const { key, sendAt } = options;
  const written =
    'media' in message ? ({ success: true, data: message } as const) : newMessage.safeParse(message);
  if (!written.success) return refuse('message_invalid');
  if (sendAt && !isScheduleValid(sendAt.getTime(), scope.clock().getTime()))
    return refuse('message_time_invalid');
  // Before anything is looked up: a second request of the same key waits here, and finds what the first enqueued.
  const recipient = await lockRecipient(scope, to);
  if (typeof recipient === 'string') return refuse(recipient);
  const [first, ...others] = key === undefined ? [] : await findEnqueued(scope, key);
  if (first)
    return {
      ...{ outcome: 'accepted', conversationId: await beginConversation(scope, recipient), isNew: false },
      ...{ messageIds: [first, ...others].map(({ id }) => id), sendAt: first.sendAt },
    };
  const { capabilities } = parts.channelKinds.of(recipient);
  const isAdvertising =
    isMarketing ?? (options.purpose === 'automation' && capabilities.freeTextHours === null);
  const contents = await writeContents(scope, parts, recipient, written.data, {
    ...{ isMarketing: isAdvertising, copiesFiles },
    ...{ campaign: options.campaign, countsLinks: options.countsLinks, needsValues: options.needsValues },
  });
  if (typeof contents === 'string') return refuse(contents);
  for (const { content } of contents) {
    const wrong = validateContent(content, capabilities);
    if (wrong) return { outcome: 'refused', ...wrong };
  }
  const enqueued = await enqueueContents(scope, parts, { to: recipient, contents }, options);
  if (typeof enqueued === 'string') {
    await removeLinks(
      scope,
      contents.flatMap(({ linkIds = [] }) => linkIds),
    );
    return refuse(enqueued);
  }
  return { outcome: 'accepted', isNew: true, ...enqueued };
}

function refuse(code: SendError): NotSent {
  return { outcome: 'refused', code };
}
