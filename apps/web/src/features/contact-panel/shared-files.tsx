import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileText, Play } from 'lucide-react';
import { useState } from 'react';
import { orpc, type api } from '../../shared/api.ts';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { FirstPicture } from '../../shared/videos/first-picture.tsx';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { formatDay } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { contentOf, thumbnailOf } from '../../shared/conversations/file-addresses.ts';

const PICTURES = 6;
const DOCUMENTS = 4;

type Shared = Awaited<ReturnType<typeof api.conversations.listFiles>>;

const shelfOptions = (conversationId: string, shelf: 'media' | 'documents', limit: number) =>
  orpc.conversations.listFiles.queryOptions({ input: { conversationId, shelf, limit } });

/** The newest pictures and documents of the chat; each leads to its message. */
export function SharedFiles({ conversation: { id } }: { conversation: Conversation }) {
  const [media, documents] = [shelfOptions(id, 'media', PICTURES), shelfOptions(id, 'documents', DOCUMENTS)];
  const pictures = useQuery(media).data?.items ?? [];
  const papers = useQuery(documents).data?.items ?? [];
  useLiveQuery(['messages'], [media.queryKey, documents.queryKey], {
    concerns: ({ conversationIds }) => !Array.isArray(conversationIds) || conversationIds.includes(id),
  });
  if (pictures.length + papers.length === 0) return null;
  const toMessage = (message: string) => ({
    to: paths.conversation(id),
    search: (before: Record<string, unknown>) => ({ ...before, message }),
  });
  return (
    <section className="grid grid-cols-1 gap-2">
      <h3 className="font-semibold">{t('contactPanel.files')}</h3>
      {pictures.length > 0 ? (
        <ul className="grid grid-cols-3 gap-1.5">
          {pictures.flatMap((message) =>
            message.files.slice(0, 1).map((file) => (
              <li key={message.id}>
                <Link
                  {...toMessage(message.id)}
                  aria-label={t('contactPanel.picture', { day: formatDay(message.at.slice(0, 10)) })}
                  className="grid aspect-square place-items-center overflow-hidden rounded-card bg-sunken text-muted"
                >
                  <SmallPicture file={file} />
                </Link>
              </li>
            )),
          )}
        </ul>
      ) : null}
      <ul className="grid grid-cols-1 gap-1">
        {papers.flatMap((message) =>
          message.files.slice(0, 1).map((file) => (
            <li key={message.id}>
              <Link
                {...toMessage(message.id)}
                className="flex items-center gap-2 rounded-card px-2 py-1.5 hover:bg-hover [&>svg]:size-4 [&>svg]:shrink-0"
              >
                <FileText aria-hidden />
                <bdi className="truncate">{file.name ?? t('contactPanel.document')}</bdi>
              </Link>
            </li>
          )),
        )}
      </ul>
    </section>
  );
}

/** Of a video its first picture, with its sign to play. */
function SmallPicture({ file }: { file: Shared['items'][number]['files'][number] }) {
  const [isBroken, setIsBroken] = useState(false);
  const content = contentOf(file);
  const isVideo = file.kind === 'video';
  return (
    <span className="relative grid size-full place-items-center">
      {isBroken ? null : file.hasThumbnail ? (
        <img
          src={thumbnailOf(file)}
          alt=""
          loading="lazy"
          onError={() => setIsBroken(true)}
          className="absolute inset-0 size-full object-cover"
        />
      ) : isVideo ? (
        <FirstPicture
          source={content}
          onNone={() => setIsBroken(true)}
          className="absolute inset-0 size-full object-cover"
        />
      ) : null}
      {isVideo ? (
        <span className="relative grid size-8 place-items-center rounded-full bg-black/55 text-white">
          <Play aria-hidden className="ms-0.5 size-4 fill-current" />
        </span>
      ) : null}
    </span>
  );
}
