import { ContentReader } from '../content-reader.ts';
import type { ContentType, ContentValue, ReadContent } from '../content-type.ts';

export type CarouselHeader = { type: 'image' | 'video'; link: string };
export type CarouselCard = {
  header: CarouselHeader;
  body?: string;
  button: { label: string; url: string };
};
export type Carousel = { body: string; cards: readonly CarouselCard[] };

/** Limits of the platform. Vendor page: developers.facebook.com/docs/whatsapp/cloud-api/messages/interactive-media-carousel-messages */
export const carouselLimits = {
  ...{ body: 1_024, fewestCards: 2, mostCards: 10, cardBody: 160, cardLines: 3 },
  ...{ label: 20, address: 2_048 },
} as const;

/** Cards that people move through sideways, each with a picture or a video. It can be sent in an open 24-hour window, and by no template. */
export const whatsAppCarousel: ContentType = {
  ...{ kind: 'whatsapp', name: 'carousel', inTemplates: false },
  read: readCarousel,
  lineOf: (value) => carouselOf(value).body,
};

/** A value that was read. */
export function carouselOf(value: ContentValue): Carousel {
  return value as unknown as Carousel; // the form that `readCarousel` gives
}

function readCarousel(given: unknown): ReadContent {
  const limits = carouselLimits;
  const reader = new ContentReader();
  const value = reader.object(given, '');
  const body = reader.text(value['body'], 'body', limits.body);
  const amount = { least: limits.fewestCards, most: limits.mostCards };
  const cards = reader
    .list(value['cards'], 'cards', amount)
    .map((card) => readCard(reader, card.value, card.path));
  // All cards have the same kind of header.
  reader.alike(
    cards.map(({ header }) => header.type),
    (index) => `cards.${index}.header.type`,
  );
  return reader.end({ body, cards });
}

function readCard(reader: ContentReader, given: unknown, path: string): CarouselCard {
  const limits = carouselLimits;
  const value = reader.object(given, path);
  const header = reader.object(value['header'], `${path}.header`);
  const body = reader.optionalText(value['body'], `${path}.body`, limits.cardBody);
  if (body !== undefined && body.split('\n').length > limits.cardLines)
    reader.fault(`${path}.body`, 'too_many', limits.cardLines);
  return {
    header: {
      type: reader.oneOf(header['type'], `${path}.header.type`, ['image', 'video']),
      link: reader.address(header['link'], `${path}.header.link`, limits.address),
    },
    ...(body !== undefined && { body }),
    button: readButton(reader, value['button'], `${path}.button`),
  };
}

function readButton(reader: ContentReader, given: unknown, path: string) {
  const value = reader.object(given, path);
  return {
    label: reader.text(value['label'], `${path}.label`, carouselLimits.label),
    url: reader.address(value['url'], `${path}.url`, carouselLimits.address),
  };
}
