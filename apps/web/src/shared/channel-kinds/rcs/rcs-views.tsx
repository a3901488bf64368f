import {
  asCard,
  asCarousel,
  asFile,
  asText,
  isPdf,
  lineOfMedia,
  nameOfMedia,
  type Card,
  type CardMedia,
} from '@app/domain/channel-kinds/rcs/rcs-contents';
import type { Suggestion } from '@app/domain/channel-kinds/rcs/rcs-suggestions';
import {
  CalendarPlus,
  ExternalLink,
  FileText,
  ImageIcon,
  MapPin,
  Navigation,
  Phone,
  Reply,
} from 'lucide-react';
import { classNames } from '../../../ui/class-names.ts';
import { t } from '../../messages.ts';
import { inWorkspace } from '../../workspaces/tab-workspace.ts';
import type { ContentView } from '../content-view.ts';

/** A text with what can be tapped below it. */
export const TextView: ContentView = ({ value }) => {
  const { text, suggestions } = asText(value);
  return (
    <div className="flex flex-col gap-2">
      <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
        {text}
      </p>
      <Chips suggestions={suggestions} />
    </div>
  );
};

export const CardView: ContentView = ({ value }) => {
  const { orientation, imageSide, card, suggestions } = asCard(value);
  return (
    <div className="flex flex-col gap-2">
      <CardBox card={card} side={orientation === 'horizontal' ? imageSide : undefined} />
      <Chips suggestions={suggestions} />
    </div>
  );
};

/** A file that every phone opens. */
export const FileView: ContentView = ({ value }) => {
  const { media, suggestions } = asFile(value);
  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-center gap-2">
        <FileText aria-hidden className="size-5 shrink-0" />
        <bdi className="min-w-0 wrap-anywhere">{nameOfMedia(media)}</bdi>
      </p>
      <Chips suggestions={suggestions} />
    </div>
  );
};

/** Cards that are moved through sideways. */
export const CarouselView: ContentView = ({ value }) => {
  const { width, cards, suggestions } = asCarousel(value);
  return (
    <div className="flex flex-col gap-2">
      <ul tabIndex={0} className="flex snap-x gap-2 overflow-x-auto pb-1">
        {cards.map((card, index) => (
          <li
            key={index}
            aria-label={t('common.cardPosition', { n: index + 1, all: cards.length })}
            className={classNames(
              // The next card shows its edge, on a narrow phone too.
              'flex max-w-11/12 shrink-0 snap-start flex-col',
              width === 'small' ? 'w-36' : 'w-52',
            )}
          >
            <CardBox card={card} />
          </li>
        ))}
      </ul>
      <Chips suggestions={suggestions} />
    </div>
  );
};

const heights: Record<CardMedia['height'], string> = { short: 'h-20', medium: 'h-28', tall: 'h-40' };

/** A file of the library is shown. A picture from elsewhere is not loaded: its server would learn who looked. */
function Media({ media, className }: { media: CardMedia; className: string }) {
  const { file } = media;
  if (file?.mimeType?.startsWith('image/'))
    return (
      <img
        src={inWorkspace(`/api/media/${file.id}/content`)}
        alt=""
        loading="lazy"
        className={classNames('shrink-0 object-cover', className)}
      />
    );
  const Icon = isPdf(media) ? FileText : ImageIcon;
  return (
    <span
      title={lineOfMedia(media)}
      className={classNames(
        'flex shrink-0 flex-col items-center justify-center gap-1 bg-black/5 px-2 text-xs text-bubble-muted dark:bg-white/10',
        className,
      )}
    >
      <Icon aria-hidden />
      {file?.name === undefined ? null : <bdi className="max-w-full truncate">{file.name}</bdi>}
    </span>
  );
}

function CardBox({ card, side }: { card: Card; side?: 'left' | 'right' | undefined }) {
  const { title, description, media, suggestions } = card;
  return (
    <div
      className={classNames(
        'flex grow overflow-hidden rounded-lg border border-black/10 dark:border-white/15',
        side === undefined ? 'flex-col' : side === 'left' ? 'flex-row' : 'flex-row-reverse',
      )}
    >
      {media === undefined ? null : (
        <Media
          media={media}
          className={side === undefined ? `${heights[media.height]} w-64 max-w-full` : 'w-2/5 max-w-20'}
        />
      )}
      <div className="flex min-w-0 flex-1 flex-col gap-1 p-2">
        {title === undefined ? null : (
          <strong dir="auto" className="wrap-anywhere">
            {title}
          </strong>
        )}
        {description === undefined ? null : (
          <p dir="auto" className="text-sm whitespace-pre-wrap wrap-anywhere">
            {description}
          </p>
        )}
        <ul className="mt-auto flex flex-col empty:hidden">
          {suggestions.map((suggestion, index) => (
            <li key={index} className="flex items-center gap-1.5 py-1 font-medium text-bubble-link">
              <Sign suggestion={suggestion} />
              <span dir="auto" className="truncate">
                {suggestion.text}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function Chips({ suggestions }: { suggestions: readonly Suggestion[] }) {
  if (suggestions.length === 0) return null;
  return (
    // An iPhone puts them below each other.
    <ul className="flex flex-wrap items-start gap-1.5 in-data-[phone=iphone]:flex-col">
      {suggestions.map((suggestion, index) => (
        <li
          key={index}
          className="flex max-w-full items-center gap-1.5 rounded-full border border-black/15 px-2.5 py-1 text-sm text-bubble-link dark:border-white/25"
        >
          <Sign suggestion={suggestion} />
          <span dir="auto" className="truncate">
            {suggestion.text}
          </span>
        </li>
      ))}
    </ul>
  );
}

const signs = {
  ...{ reply: Reply, url: ExternalLink, dial: Phone, location: MapPin },
  ...{ share_location: Navigation, calendar: CalendarPlus },
} as const;

function Sign({ suggestion: { type } }: { suggestion: Suggestion }) {
  const Icon = signs[type];
  return <Icon aria-hidden className="size-3.5 shrink-0" />;
}
