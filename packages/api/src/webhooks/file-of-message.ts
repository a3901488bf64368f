import type { ArrivingFile } from '@app/database/message-files/arriving-files';
import { newId } from '@app/database/new-id';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import type { MessageReceived } from '@app/domain/messaging/inbound-event';
import { storableText } from '@app/domain/text/storable-text';

type Stored = {
  event: MessageReceived;
  id: string;
  workspaceId: string;
  contactId: string | null;
  channelId: string;
  kind: string;
};

const LONGEST_NAME = 255;
const LONGEST_TYPE = 100;
const HOUR_MS = 3_600_000;
/** The job that is left with it comes first, also when thousands wait before it. */
const GRACE_MS = 15 * 60_000;

/** The file that a message brought, as far as the platform tells before it is fetched. What changes another message brings none. */
export function fileOf(
  { event, id, workspaceId, contactId, channelId, kind }: Stored,
  channelKinds: ChannelKinds,
  now: number,
): ArrivingFile[] {
  const { content } = event;
  if (content.type !== 'media') return [];
  const { fileHours } = channelKinds.of({ kind }).capabilities.received;
  const name = content.filename === null ? null : storableText(content.filename).slice(0, LONGEST_NAME);
  return [
    {
      ...{ id: newId(), workspaceId, messageId: id, contactId, channelId },
      ...{ kind: content.kind, name: name?.toWellFormed() ?? null },
      mimeType:
        content.mimeType === null
          ? null
          : storableText(content.mimeType).slice(0, LONGEST_TYPE).toLowerCase(),
      ...{ voice: content.voice, animated: content.animated, platformId: storableText(content.mediaId) },
      // By our clock: old messages of a history come with ids that are new.
      nextTryAt: new Date(now + GRACE_MS),
      platformExpiresAt: fileHours === null ? null : new Date(now + fileHours * HOUR_MS),
    },
  ];
}
