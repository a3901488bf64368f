import { findSendingChannel } from '@app/database/channels/find-channel';
import { media, mediaCopies } from '@app/database/media/media-tables';
import { notePlatformFile } from '@app/database/media/write-media';
import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import type { templates } from '@app/database/templates/templates-tables';
import type { HeaderFile } from '@app/domain/templates/template-content';
import { and, eq, inArray } from 'drizzle-orm';
import type { ApiDependencies, RequestScopes } from '../platform/request-context.ts';
import { openForPlatform } from '../platform/media-store.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

type StoredTemplate = typeof templates.$inferSelect;
type Dependencies = RequestScopes & Pick<ApiDependencies, 'mediaStore' | 'templatePlatform'>;

const DAY_MS = 24 * 60 * 60_000;
/** The platform forgets an upload after 30 days; one day is left for a campaign that is on its way. */
const LIFETIME_MS = 29 * DAY_MS;
const RENEWED_BEFORE_MS = 7 * DAY_MS;

/** The file of a template's header as messages through a channel name it, the sending one where none is named; undefined when there is none, or the platform does not have it. */
export async function findHeaderFile(
  scope: ReadScope,
  { headerMediaId }: Pick<StoredTemplate, 'headerMediaId'>,
  through?: string,
): Promise<HeaderFile | undefined> {
  if (headerMediaId === null) return undefined;
  const channelId = through ?? (await findSendingChannel(scope.tx, scope.workspaceId))?.id;
  const copy = channelId && (await findCopy(scope, { mediaId: headerMediaId, channelId }));
  const file = copy && (await findFile(scope, headerMediaId));
  return file ? { source: { id: copy.platformId }, filename: file.name } : undefined;
}

/** Of these templates the files of headers that the platform has, by id: what `findHeaderFile` finds, for a list. */
export async function findHeaderFiles(
  { tx, workspaceId }: ReadScope,
  rows: readonly Pick<StoredTemplate, 'headerMediaId'>[],
): Promise<Set<string>> {
  const ids = rows.flatMap(({ headerMediaId }) => headerMediaId ?? []);
  const channel = ids.length > 0 ? await findSendingChannel(tx, workspaceId) : null;
  if (!channel) return new Set();
  const copies = await tx
    .select({ id: mediaCopies.mediaId })
    .from(mediaCopies)
    .where(
      and(
        ...[eq(mediaCopies.workspaceId, workspaceId), eq(mediaCopies.channelId, channel.id)],
        inArray(mediaCopies.mediaId, ids),
      ),
    );
  return new Set(copies.map(({ id }) => id));
}

/**
 * Hands the header's file to the platform: as a sample for the reviewers and as media for the messages. The answer is the
 * sample's handle, or null for a template without a file.
 */
export async function uploadHeaderFile(
  dependencies: Dependencies,
  channelId: string,
  template: StoredTemplate,
): Promise<PlatformAnswer<string | null>> {
  const { templatePlatform } = dependencies;
  const file = await readHeaderFile(dependencies, template);
  if (!file) return { outcome: 'done', value: null };
  const sample = await templatePlatform.uploadSample(channelId, file);
  if (sample.outcome !== 'done') return sample;
  const sent = await renewHeaderMedia(dependencies, channelId, template);
  return sent.outcome === 'done' ? sample : sent;
}

/** Gives the header's file to each connected number that needs it. One that cannot be reached holds up no other, and gets it with the next synchronisation. */
export async function handOverHeaderFile(
  dependencies: Dependencies,
  { channelId, template }: { channelId: string; template: StoredTemplate },
): Promise<void> {
  for (const number of await findDueNumbers(dependencies, { channelId, template }))
    await renewHeaderMedia(dependencies, number, template).catch(() => null);
}

/** Uploads the header's file anew for messages and keeps its id. */
async function renewHeaderMedia(
  dependencies: Dependencies,
  channelId: string,
  template: StoredTemplate,
): Promise<PlatformAnswer<null>> {
  const { change, templatePlatform } = dependencies;
  const { headerMediaId } = template;
  const file = await readHeaderFile(dependencies, template);
  if (!file || headerMediaId === null) return { outcome: 'done', value: null };
  const answer = await templatePlatform.uploadMedia(channelId, file);
  if (answer.outcome !== 'done') return answer;
  await change(({ tx, workspaceId, clock }) =>
    notePlatformFile(tx, {
      ...{ workspaceId, mediaId: headerMediaId, channelId, platformId: answer.value },
      expiresAt: new Date(clock().getTime() + LIFETIME_MS),
    }),
  );
  return { outcome: 'done', value: null };
}

/**
 * The connected numbers of the kind of this one for which the platform will forget the file soon, or never had it: whoever writes through one of them
 * names the file by the id that it has there.
 */
async function findDueNumbers(
  { read }: Pick<Dependencies, 'read'>,
  { channelId, template: { headerMediaId } }: { channelId: string; template: StoredTemplate },
): Promise<string[]> {
  if (headerMediaId === null) return [];
  return read(async ({ query, workspaceId, clock }) => {
    const { rows } = await query<{ id: string }>(
      `SELECT c.id FROM channels s JOIN channels c ON c.workspace_id = s.workspace_id AND c.kind = s.kind AND (c.is_connected OR c.id = s.id)
        WHERE s.workspace_id = $1 AND s.id = $2 AND NOT EXISTS (SELECT FROM media_copies m
          WHERE m.workspace_id = $1 AND m.media_id = $3 AND m.channel_id = c.id AND m.expires_at >= $4)
        ORDER BY c.created_at, c.id`,
      [workspaceId, channelId, headerMediaId, new Date(clock().getTime() + RENEWED_BEFORE_MS)],
    );
    return rows.map(({ id }) => id);
  });
}

async function findCopy(
  { tx, workspaceId }: ReadScope,
  { mediaId, channelId }: { mediaId: string; channelId: string },
): Promise<typeof mediaCopies.$inferSelect | undefined> {
  const [copy] = await tx
    .select()
    .from(mediaCopies)
    .where(
      and(
        ...[eq(mediaCopies.workspaceId, workspaceId), eq(mediaCopies.mediaId, mediaId)],
        eq(mediaCopies.channelId, channelId),
      ),
    );
  return copy;
}

async function readHeaderFile(
  { read, mediaStore }: Dependencies,
  { headerMediaId }: Pick<StoredTemplate, 'headerMediaId'>,
) {
  if (headerMediaId === null) return undefined;
  const file = await read((scope) => findFile(scope, headerMediaId));
  if (!file) return undefined;
  const { name, mimeType, size, storageKey: key } = file;
  return openForPlatform(mediaStore, { key, name, mimeType, size });
}

async function findFile(
  { tx, workspaceId }: ReadScope,
  mediaId: string | null,
): Promise<typeof media.$inferSelect | undefined> {
  if (mediaId === null) return undefined;
  const [file] = await tx
    .select()
    .from(media)
    .where(and(eq(media.workspaceId, workspaceId), eq(media.id, mediaId)));
  return file;
}
