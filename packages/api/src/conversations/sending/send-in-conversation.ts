import type { NewMessage } from '@app/contracts/conversations/new-message';
import { attachFile, lockUploads } from '@app/database/message-files/sent-files';
import { callerKey, personOf } from '@app/domain/auth/caller';
import { judgeContent, lineOfContent, type ContentRefusal } from '@app/domain/conversations/content-rules';
import { isScheduleValid } from '@app/domain/conversations/scheduling';
import type {
  ContactCard,
  InteractiveContent,
  MediaContent,
  MessageContent,
} from '@app/domain/messaging/message-content';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findMessage, type Message } from '../conversation-messages.ts';
import { lockConversation, sendMessage, type SendParts, type SentContent } from '../send-message.ts';
import { fillTemplate, type TemplateRefusal } from './fill-template.ts';

type Of = { id: string; contactId: string; channelId: string };
type Unready = 'message_not_found' | 'message_file_not_found' | 'message_file_used' | TemplateRefusal;
type SentFile = { id: string; voice: boolean };
type Refused = Exclude<Awaited<ReturnType<typeof sendMessage>>, { id: string }>;
export type SendRefusal = Unready | Refused | ContentRefusal | 'message_time_invalid';

/** Sends what a person wrote, chose or brought along: a message, and one for each further file. */
export async function sendInConversation(
  scope: WorkspaceScope,
  parts: SendParts,
  {
    conversationId,
    message: written,
    clientId,
  }: { conversationId: string; message: NewMessage; clientId?: string | undefined },
): Promise<(Message & { others: string[] }) | SendRefusal> {
  const sendAt = 'sendAt' in written && written.sendAt ? new Date(written.sendAt) : undefined;
  if (sendAt && !isScheduleValid(sendAt.getTime(), scope.clock().getTime())) return 'message_time_invalid';
  // Before anything is looked up: whoever asks for the same at the same moment waits here, and hears of what was left.
  const found = await lockConversation(scope, conversationId);
  if (!found) return 'conversation_not_found';
  const of = { id: conversationId, contactId: found.contact_id, channelId: found.channel_id };
  const key = clientId && `client:${callerKey(scope.caller)}:${clientId}`;
  const earlier = key ? await findLeft(scope, key) : [];
  if (earlier.length > 0) return answer(scope, of, earlier);
  const contents = await writeContents(scope, parts, of, written);
  if (typeof contents === 'string') return contents;
  const { capabilities } = parts.channelKinds.of(found);
  const ids: string[] = [];
  for (const [place, content] of contents.entries()) {
    const refusal = judgeContent(content.content, capabilities);
    if (refusal) return refusal;
    const sent = await sendMessage(scope, parts, of.id, content, {
      purpose: 'reply',
      ...(key && { key: place === 0 ? key : `${key}:${place}` }),
      ...(sendAt && { sendAt }),
    });
    if (typeof sent === 'string') return sent;
    const ofMessage = { workspaceId: scope.workspaceId, messageId: sent.id, ...of };
    if (content.file) await attachFile(scope, ofMessage, content.file);
    ids.push(sent.id);
  }
  return answer(scope, of, ids);
}

async function answer(scope: ReadScope, of: Of, [first = '', ...others]: readonly string[]) {
  const message = await findMessage(scope, of, first);
  return message ? { ...message, others } : 'message_not_found';
}

/** Messages that were left for whoever keeps them, in their order. */
async function findLeft(scope: ReadScope, key: string): Promise<string[]> {
  const { rows } = await scope.query<{ id: string }>(
    `SELECT id FROM messages WHERE workspace_id = $1 AND send_key = ANY ($2) ORDER BY length(send_key), send_key`,
    [scope.workspaceId, [key, ...Array.from({ length: 9 }, (_, place) => `${key}:${place + 1}`)]],
  );
  return rows.map(({ id }) => id);
}

async function writeContents(
  scope: WorkspaceScope,
  parts: SendParts,
  of: Of,
  written: NewMessage,
): Promise<(SentContent & { file?: SentFile })[] | Unready> {
  if ('templateId' in written) {
    const filled = await fillTemplate(scope, parts, of, written);
    return typeof filled === 'string' ? filled : [filled];
  }
  if ('reaction' in written) {
    const { messageId: target, emoji } = written.reaction;
    const messageId = await findPlatformId(scope, of, target);
    return messageId === null ? 'message_not_found' : [said({ type: 'reaction', messageId, emoji })];
  }
  const quoted = written.replyTo === undefined ? null : await findPlatformId(scope, of, written.replyTo);
  if (written.replyTo !== undefined && quoted === null) return 'message_not_found';
  const quoting = quoted === null ? {} : { replyTo: quoted };
  if ('text' in written) return [said({ type: 'text', body: written.text, ...quoting })];
  if ('location' in written) {
    const { latitude, longitude, name, address } = written.location;
    const location = { latitude, longitude, ...(name && { name }), ...(address && { address }) };
    return [said({ type: 'location', location, ...quoting })];
  }
  if ('contacts' in written)
    return [said({ type: 'contacts', contacts: written.contacts.map(withoutGaps), ...quoting })];
  if ('interactive' in written) return [said({ ...describeQuestion(written.interactive), ...quoting })];
  return writeFiles(scope, written.files, quoting);
}

type ChosenFiles = Extract<NewMessage, { files: unknown }>['files'];

/** One message for each; only the first one answers. */
async function writeFiles(
  scope: WorkspaceScope,
  chosen: ChosenFiles,
  quoting: { replyTo?: string },
): Promise<(SentContent & { file: SentFile })[] | Unready> {
  const { workspaceId } = scope;
  const ids = chosen.map(({ fileId }) => fileId);
  if (new Set(ids).size < ids.length) return 'message_file_used';
  const files = await lockUploads(scope, { workspaceId, userId: personOf(scope.caller), ids });
  if (files.some(({ isSent }) => isSent)) return 'message_file_used';
  const contents = chosen.flatMap(({ fileId, caption, asVoice }, place) => {
    const file = files.find(({ id }) => id === fileId);
    if (!file) return [];
    const voice = asVoice === true && file.mimeType === 'audio/ogg';
    const content: MediaContent = {
      ...{ type: 'media', kind: file.kind as MediaContent['kind'], media: { fileId } }, // a kind of its column
      ...(caption && { caption }),
      ...(file.kind === 'document' && file.name && { filename: file.name }),
      ...(voice && { voice }),
      ...(place === 0 && quoting),
    };
    return [{ ...said(content), file: { id: fileId, voice } }];
  });
  return contents.length === chosen.length ? contents : 'message_file_not_found';
}

function said(content: MessageContent): SentContent {
  return { content, text: lineOfContent(content), isMarketing: false };
}

type WrittenCard = Extract<NewMessage, { contacts: unknown }>['contacts'][number];

/** Fields that were left out stay out. */
function withoutGaps(card: WrittenCard): ContactCard {
  return JSON.parse(JSON.stringify(card)) as ContactCard;
}

type Question = Extract<NewMessage, { interactive: unknown }>['interactive'];

/** What is tapped comes back under an id of its place. */
function describeQuestion(question: Question): InteractiveContent {
  const { header, body, footer } = question;
  const frame = {
    type: 'interactive' as const,
    ...(header && { header: { type: 'text' as const, text: header } }),
    ...{ body, ...(footer && { footer }) },
  };
  if ('buttons' in question) {
    const buttons = question.buttons.map(({ title }, place) => ({ id: `button-${place + 1}`, title }));
    return { ...frame, action: { type: 'reply_buttons', buttons } };
  }
  const { button, sections } = question.list;
  return {
    ...frame,
    action: {
      type: 'list',
      button,
      sections: sections.map(({ title, rows }, section) => ({
        ...(title && { title }),
        rows: rows.map((row, place) => ({
          id: `row-${section + 1}-${place + 1}`,
          title: row.title,
          ...(row.description && { description: row.description }),
        })),
      })),
    },
  };
}

/** Null for a message that is not of the conversation, or that the platform does not have yet */
async function findPlatformId(scope: ReadScope, of: Of, messageId: string): Promise<string | null> {
  const { rows } = await scope.query<{ id: string | null }>(
    `SELECT provider_message_id AS id FROM messages
      WHERE workspace_id = $1 AND contact_id = $2 AND channel_id = $3 AND id = $4`,
    [scope.workspaceId, of.contactId, of.channelId, messageId],
  );
  return rows[0]?.id ?? null;
}
