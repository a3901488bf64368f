import type { ShownMessage } from '@app/domain/conversations/shown-message';
import { ExternalLink, FileText, Film, ImageIcon } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../shared/messages.ts';

type ShownMedia = Extract<ShownMessage, { kind: 'media' }>;

/** A file that a flow sends to many: an image of the library is shown, and anything else is a link. Addresses of others are not fetched by themselves. */
export function SharedFile({
  shown,
  shared,
}: {
  shown: ShownMedia;
  shared: NonNullable<ShownMedia['shared']>;
}) {
  const [isBroken, setIsBroken] = useState(false);
  const isOurs = 'libraryId' in shared;
  const address = isOurs ? `/api/media/${shared.libraryId}/content` : shared.link;
  const kind = t(`conversations.line.${shown.media === 'audio' ? 'document' : shown.media}`);
  if (isOurs && shown.media === 'image' && !isBroken)
    return (
      // Room for it is kept from the first drawing on, so that nothing moves when it comes.
      <img
        src={address}
        alt={shown.caption || kind}
        loading="lazy"
        decoding="async"
        onError={() => setIsBroken(true)}
        className="-mx-1 -mt-0.5 mb-1 block aspect-4/3 w-72 max-w-[calc(100%+0.5rem)] rounded-md bg-black/8 object-contain dark:bg-black/25"
      />
    );
  const Icon = shown.media === 'image' ? ImageIcon : shown.media === 'video' ? Film : FileText;
  const isWeb = isOurs || /^https?:/i.test(address);
  const content = (
    <>
      <Icon aria-hidden className="size-6 shrink-0" />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{shown.name || kind}</bdi>
        {isOurs ? null : <bdi className="block truncate text-sm text-bubble-muted">{address}</bdi>}
      </span>
      {isWeb ? <ExternalLink aria-hidden className="size-4.5 shrink-0" /> : null}
    </>
  );
  const look =
    '-mx-1 mb-1 flex min-w-52 items-center gap-2.5 rounded-md bg-black/6 px-2.5 py-2 no-underline dark:bg-black/25';
  if (!isWeb) return <span className={look}>{content}</span>;
  return (
    <a href={address} target="_blank" rel="noreferrer noopener" className={look}>
      {content}
    </a>
  );
}
