import type { ChannelCapabilities } from '@app/domain/channels/channel-capabilities';
import type { MediaContent, MessageContent } from '@app/domain/messaging/message-content';
import type { ReadScope } from '../../platform/workspace-scope.ts';

/** One file for all: of the library by its id, or at an https address that the channel fetches. */
export type SharedMedia = {
  media: {
    kind: 'image' | 'video' | 'document';
    from: { libraryId: string } | { link: string };
    caption?: string | undefined;
    /** Of a document. */
    filename?: string | undefined;
  };
};

type MediaError = 'message_file_not_found' | 'message_kind_unsupported';
type Row = { name: string; mimeType: string; size: number };

/**
 * The contents, within the types and sizes that the channel takes: the file, and its caption as a text of its own where the channel takes none of that
 * length, as RCS. What stands at an address only the platform can tell.
 */
export async function writeSharedMedia(
  scope: ReadScope,
  rules: ChannelCapabilities['media'],
  { media: { kind, from, caption, filename } }: SharedMedia,
): Promise<MessageContent[] | MediaError> {
  const rule = rules[kind];
  if (!rule) return 'message_kind_unsupported';
  const words = caption?.trim() ?? '';
  const withWords = (content: MediaContent): MessageContent[] => {
    if (words === '') return [content];
    return words.length <= rule.longestCaption
      ? [{ ...content, caption: words }]
      : [content, { type: 'text', body: words }];
  };
  if ('link' in from) {
    const name = kind === 'document' && filename?.trim() ? { filename: filename.trim() } : {};
    return withWords({ type: 'media', kind, media: { link: from.link }, ...name });
  }
  const { rows } = await scope.query<Row>(
    `SELECT name, mime_type AS "mimeType", size::float8 AS size FROM media WHERE workspace_id = $1 AND id = $2 FOR KEY SHARE`,
    [scope.workspaceId, from.libraryId],
  );
  const [file] = rows;
  if (!file) return 'message_file_not_found';
  if (!rule.mimeTypes.includes(file.mimeType) || file.size > rule.maxBytes) return 'message_kind_unsupported';
  const name = kind === 'document' ? { filename: filename?.trim() || file.name } : {};
  return withWords({ type: 'media', kind, media: { libraryId: from.libraryId }, ...name });
}
