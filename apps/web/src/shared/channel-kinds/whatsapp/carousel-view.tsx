import { carouselOf } from '@app/domain/channel-kinds/whatsapp/whatsapp-carousel';
import { ExternalLink, ImageIcon, Video } from 'lucide-react';
import { t } from '../../messages.ts';
import type { ContentView } from '../content-view.ts';

/**
 * A carousel as the phone shows it: a text, and cards that are moved through sideways. A picture from elsewhere is not loaded: whoever keeps it would
 * learn who looked.
 */
export const CarouselView: ContentView = ({ value }) => {
  const { body, cards } = carouselOf(value);
  return (
    <div className="flex flex-col gap-2">
      <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
        {body}
      </p>
      <ul tabIndex={0} className="flex snap-x gap-2 overflow-x-auto pb-1">
        {cards.map(({ header, body: text, button }, index) => (
          <li
            key={index}
            aria-label={t('common.cardPosition', { n: index + 1, all: cards.length })}
            className="flex w-44 shrink-0 snap-start flex-col overflow-hidden rounded-lg border border-black/10 dark:border-white/15"
          >
            <span
              aria-hidden
              className="grid h-24 place-items-center bg-black/5 text-bubble-muted dark:bg-white/10"
            >
              {header.type === 'video' ? <Video /> : <ImageIcon />}
            </span>
            {text === undefined ? null : (
              <span dir="auto" className="px-2 pt-2 text-sm whitespace-pre-wrap wrap-anywhere">
                {text}
              </span>
            )}
            <span className="mt-auto flex items-center gap-1.5 p-2 font-medium text-bubble-link">
              <ExternalLink aria-hidden className="size-4 shrink-0" />
              <span dir="auto" className="truncate" title={button.url}>
                {button.label}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
};
