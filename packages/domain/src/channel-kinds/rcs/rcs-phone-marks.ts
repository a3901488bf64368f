import { isPdf, type Card, type MediaPlace, type RcsCarousel } from './rcs-contents.ts';

/** What a phone will not show as it was written. `card` is the place of the card, from 0. */
export type PhoneMark = { card: number } &
  /** The card arrives without its PDF. Android shows it in India, and nothing else does. */
  (
    | { type: 'pdf_dropped' }
    /** So many percent of the picture lie outside of its frame. */
    | { type: 'picture_cropped'; percent: number }
    /** The text has about so many lines, and the card has room for fewer. */
    | { type: 'text_cut'; lines: number; room: number }
  );

/** How a card stands: by itself or beside others. */
export type CardFrame = { width: RcsCarousel['width'] | 'whole'; orientation: 'vertical' | 'horizontal' };

/** In dp, as phones of the platform draw cards: https://developers.google.com/business-communications/rcs-business-messaging/guides/build/rich-cards */
const mediaHeights = { short: 112, medium: 168, tall: 264 } as const;
const cardWidths = { small: 180, medium: 296, whole: 320 } as const;
const MOST_CARD_HEIGHT = 344;
/** Of a horizontal card: its picture fills the height and takes this part of the width. */
const SIDE_PICTURE = { width: 128, height: 168 };
const LINE = { height: 20, letter: 7.5, padding: 32 };
/** Less than that nobody sees. */
const LEAST_CROP_PERCENT = 5;

/**
 * What phones will drop or cut of a message. `ratioOf` is width by height of a picture, as far as it is known. Lines are counted by the
 * usual width of a letter, so their number is about right and no more.
 */
export function findPhoneMarks(
  { cards, frame }: { cards: readonly Card[]; frame: CardFrame },
  ratioOf: (media: MediaPlace) => number | undefined,
): PhoneMark[] {
  return cards.flatMap((card, index) => marksOfCard(card, index, { frame, ratioOf }));
}

function marksOfCard(
  { title, description, media, suggestions }: Card,
  card: number,
  { frame, ratioOf }: { frame: CardFrame; ratioOf: (media: MediaPlace) => number | undefined },
): PhoneMark[] {
  const marks: PhoneMark[] = [];
  const isDropped = media !== undefined && isPdf(media);
  if (isDropped) marks.push({ card, type: 'pdf_dropped' });
  const isAside = frame.orientation === 'horizontal';
  const height = media && !isDropped ? mediaHeights[media.height] : 0;
  const width = cardWidths[frame.width];
  const ratio = media && !isDropped ? ratioOf(media) : undefined;
  if (ratio !== undefined && ratio > 0) {
    const wanted = isAside ? SIDE_PICTURE.width / SIDE_PICTURE.height : width / height;
    const percent = Math.round((1 - Math.min(ratio, wanted) / Math.max(ratio, wanted)) * 100);
    if (percent >= LEAST_CROP_PERCENT) marks.push({ card, type: 'picture_cropped', percent });
  }
  const textWidth = width - LINE.padding - (isAside && height > 0 ? SIDE_PICTURE.width : 0);
  const lines = linesOf(title, textWidth) + linesOf(description, textWidth);
  // Each suggestion of a card is a row of its own.
  const taken = (isAside ? 0 : height) + suggestions.length * 48 + LINE.padding;
  const room = Math.max(1, Math.floor((MOST_CARD_HEIGHT - taken) / LINE.height));
  if (lines > room) marks.push({ card, type: 'text_cut', lines, room });
  return marks;
}

function linesOf(text: string | undefined, width: number): number {
  if (text === undefined) return 0;
  const letters = Math.max(1, Math.floor(width / LINE.letter));
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / letters)), 0);
}
