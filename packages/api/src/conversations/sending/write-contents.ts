import type { NewMessage } from '@app/contracts/conversations/new-message';
import { lockFiles, lockUploads } from '@app/database/message-files/sent-files';
import { newId } from '@app/database/new-id';
import { findContentType, type ContentType, type GivenContent } from '@app/domain/channel-kinds/content-type';
import { personOf } from '@app/domain/auth/caller';
import { buttonIds, rowIds } from '@app/domain/conversations/choice-ids';
import { lineOfContent } from '@app/domain/conversations/content-rules';
import type {
  ContactCard,
  InteractiveContent,
  MediaContent,
  MessageContent,
} from '@app/domain/messaging/message-content';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import type { SendOptions, SendParts, SentContent } from './enqueue-contents.ts';
import { countOwnLinks } from './count-own-links.ts';
import { fillTemplate, type TemplateError } from './fill-template.ts';
import type { Recipient } from './find-recipient.ts';
import { writeSharedMedia, type SharedMedia } from './shared-media.ts';

type Of = Pick<Recipient, 'contact_id' | 'channel_id'>;
export type Unwritable =
  | 'message_not_found'
  | 'message_file_not_found'
  | 'message_file_used'
  | 'message_kind_unsupported'
  | TemplateError;

/** What is asked for in the product's terms: one message, and one for each further file, or for a caption that the channel takes as a text alone. */
export async function writeContents(
  scope: WorkspaceScope,
  parts: SendParts,
  to: Recipient,
  written: NewMessage | SharedMedia,
  {
    isMarketing,
    copiesFiles,
    campaign,
    countsLinks,
    needsValues,
  }: { isMarketing: boolean; copiesFiles: boolean } & Pick<
    SendOptions,
    'campaign' | 'countsLinks' | 'needsValues'
  >,
): Promise<SentContent[] | Unwritable> {
  if ('templateId' in written) {
    const of = {
      ...{ contactId: to.contact_id, channelId: to.channel_id, kind: to.kind },
      ...{ campaign, countsLinks, needsValues },
    };
    const filled = await fillTemplate(scope, parts, of, written);
    return typeof filled === 'string' ? filled : [filled];
  }
  const finish = async (contents: readonly Said[]): Promise<SentContent[]> => {
    const all: SentContent[] = [];
    for (const content of contents) {
      const one = { ...content, isMarketing };
      all.push(countsLinks ? await countOwnLinks(scope, parts, to, one) : one);
    }
    return all;
  };
  const { contents: forms, media } = parts.channelKinds.of(to).capabilities;
  if ('media' in written) {
    const contents = await writeSharedMedia(scope, media, written);
    return typeof contents === 'string' ? contents : finish(contents.map((content) => said(content)));
  }
  const contents = await writeOwn(scope, { ...to, forms }, written, copiesFiles);
  return typeof contents === 'string' ? contents : finish(contents);
}

/** Anything but a template. */
async function writeOwn(
  scope: WorkspaceScope,
  of: Of & { forms: readonly ContentType[] },
  written: Exclude<NewMessage, { templateId: unknown }>,
  copiesFiles: boolean,
): Promise<Said[] | Unwritable> {
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
  if ('content' in written) return [saidOfKind({ ...written.content, ...quoting }, of.forms)];
  if ('interactive' in written) return [said({ ...describeQuestion(written.interactive), ...quoting })];
  return writeFiles(scope, written.files, { quoting, copiesFiles });
}

type ChosenFiles = Extract<NewMessage, { files: unknown }>['files'];

/** One message for each; only the first one answers. */
async function writeFiles(
  scope: WorkspaceScope,
  chosen: ChosenFiles,
  { quoting, copiesFiles }: { quoting: { replyTo?: string }; copiesFiles: boolean },
): Promise<Said[] | Unwritable> {
  const { workspaceId } = scope;
  const ids = chosen.map(({ fileId }) => fileId);
  if (new Set(ids).size < ids.length) return 'message_file_used';
  const files = copiesFiles
    ? await lockFiles(scope, { workspaceId, ids })
    : await lockUploads(scope, { workspaceId, userId: personOf(scope.caller), ids });
  if (!copiesFiles && files.some(({ isSent }) => isSent)) return 'message_file_used';
  const contents = chosen.flatMap(({ fileId, caption, asVoice }, place) => {
    const file = files.find(({ id }) => id === fileId);
    if (!file) return [];
    const id = copiesFiles ? newId() : fileId;
    const voice = asVoice === true && file.mimeType === 'audio/ogg';
    const content: MediaContent = {
      ...{ type: 'media', kind: file.kind as MediaContent['kind'], media: { fileId: id } }, // a kind of its column
      ...(caption && { caption }),
      ...(file.kind === 'document' && file.name && { filename: file.name }),
      ...(voice && { voice }),
      ...(place === 0 && quoting),
    };
    return [{ ...said(content), file: { id, voice, ...(copiesFiles && { copyOf: fileId }) } }];
  });
  return contents.length === chosen.length ? contents : 'message_file_not_found';
}

type Said = Omit<SentContent, 'isMarketing'>;

function said(content: MessageContent): Said {
  return { content, text: lineOfContent(content) };
}

/** In its clean form, with the line that its content type has for it; what is wrong with it says the check of contents. */
function saidOfKind(given: GivenContent & { replyTo?: string }, forms: readonly ContentType[]): Said {
  const content: MessageContent = { type: 'kind_content', ...given };
  const form = findContentType(forms, given);
  const read = form?.read(given.value);
  if (!form || !read || 'faults' in read) return said(content);
  return { content: { ...content, value: read.value }, text: form.lineOf(read.value) };
}

type WrittenCard = Extract<NewMessage, { contacts: unknown }>['contacts'][number];

/** Fields that were left out stay out. */
function withoutGaps(card: WrittenCard): ContactCard {
  return JSON.parse(JSON.stringify(card)) as ContactCard;
}

type Question = Extract<NewMessage, { interactive: unknown }>['interactive'];

/** What is tapped comes back under its id: that of the caller, or one by its place. */
function describeQuestion(question: Question): InteractiveContent {
  const { header, body, footer } = question;
  const frame = {
    type: 'interactive' as const,
    ...(header && { header: { type: 'text' as const, text: header } }),
    ...{ body, ...(footer && { footer }) },
  };
  if ('buttons' in question) {
    const ids = buttonIds(question.buttons);
    const buttons = question.buttons.map(({ title }, place) => ({ id: ids[place]!, title })); // one for each
    return { ...frame, action: { type: 'reply_buttons', buttons } };
  }
  const { button, sections } = question.list;
  const ids = rowIds(sections);
  return {
    ...frame,
    action: {
      type: 'list',
      button,
      sections: sections.map(({ title, rows }, section) => ({
        ...(title && { title }),
        rows: rows.map((row, place) => ({
          id: ids[section]![place]!, // one for each
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
    [scope.workspaceId, of.contact_id, of.channel_id, messageId],
  );
  return rows[0]?.id ?? null;
}
