import { carouselOf } from '@app/domain/channel-kinds/whatsapp/whatsapp-carousel';
import type { KindContent } from '@app/domain/messaging/message-content';

/** The `interactive` object of a form of message that this kind alone has. Throws for a form that it has not: such a message is not sent. */
export function describeKindContent({ kind, contentType, value }: KindContent): Record<string, unknown> {
  if (kind !== 'whatsapp' || contentType !== 'carousel')
    throw new Error(`A message of the form ${kind} ${contentType} cannot be sent here.`);
  const { body, cards } = carouselOf(value);
  return {
    type: 'carousel',
    body: { text: body },
    action: {
      cards: cards.map(({ header, body: text, button }, index) => ({
        ...{ card_index: index, type: 'cta_url' },
        header: { type: header.type, [header.type]: { link: header.link } },
        ...(text !== undefined && { body: { text } }),
        action: { name: 'cta_url', parameters: { display_text: button.label, url: button.url } },
      })),
    },
  };
}
