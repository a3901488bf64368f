import { objectOf, objectsOf, textOf, type JsonObject } from '../core/json.ts';
import type { ChatEntry } from '../whatsapp-cloud/messages/conversations.ts';
import { isMediaType } from '../whatsapp-cloud/media-content.ts';
import type { Platform } from '../whatsapp-cloud/platform.ts';
import { buttonsOf, fillText, findComponent } from '../whatsapp-cloud/templates/template-variables.ts';
import type { BubbleButton } from './bubble-buttons.ts';
import { mediaOf, placeOf, type BubbleMedia, type BubblePlace } from './bubble-parts.ts';

interface TemplateContent {
  header?: string;
  media?: BubbleMedia;
  place?: BubblePlace;
  body: string;
  footer: string | null;
  buttons: BubbleButton[];
  carousel: { media: BubbleMedia | null; body: string; buttons: BubbleButton[] }[];
}

/** A template as it was when it left, with what was filled in. */
export function templateContent(platform: Platform, entry: ChatEntry, content: JsonObject): TemplateContent {
  const components = entry.template?.components ?? [];
  const given = objectsOf(content['components']);
  const isCode = entry.template?.category === 'AUTHENTICATION';
  const cards = objectsOf(findComponent(components, 'CAROUSEL')?.['cards']);
  const filledCards = objectsOf(componentOf(given, 'carousel')?.['cards']);
  return {
    ...headOf(platform, components, given),
    body: isCode
      ? fillText('*{{1}}* is your verification code.', parametersOf(given, 'body'))
      : bodyOf(components, given),
    footer: textOf(findComponent(components, 'FOOTER')?.['text']) ?? null,
    buttons: buttonsFor(components, given),
    carousel: cards.map((card, position) => {
      const filled = objectsOf(
        filledCards.find(({ card_index: index }) => Number(index) === position)?.['components'],
      );
      const parts = objectsOf(card['components']);
      return {
        media: headOf(platform, parts, filled).media ?? null,
        body: bodyOf(parts, filled),
        buttons: buttonsFor(parts, filled),
      };
    }),
  };
}

function componentOf(given: JsonObject[], type: string): JsonObject | undefined {
  return given.find((component) => textOf(component['type'])?.toLowerCase() === type);
}

function parametersOf(given: JsonObject[], type: string): JsonObject[] {
  return objectsOf(componentOf(given, type)?.['parameters']);
}

function bodyOf(components: JsonObject[], given: JsonObject[]): string {
  return fillText(textOf(findComponent(components, 'BODY')?.['text']) ?? '', parametersOf(given, 'body'));
}

function headOf(
  platform: Platform,
  components: JsonObject[],
  given: JsonObject[],
): Pick<TemplateContent, 'header' | 'media' | 'place'> {
  const header = findComponent(components, 'HEADER');
  const parameters = parametersOf(given, 'header');
  const first = parameters[0] ?? {};
  const type = textOf(first['type']) ?? '';
  if (isMediaType(type)) return { media: mediaOf(platform, type, objectOf(first[type])) };
  if (type === 'location') return { place: placeOf(objectOf(first['location'])) };
  if (header?.['format'] !== 'TEXT') return {};
  return { header: fillText(textOf(header['text']) ?? '', parameters) };
}

function buttonsFor(components: JsonObject[], given: JsonObject[]): BubbleButton[] {
  return buttonsOf(components).map((button, position) => {
    const own = given.find(
      (component) => component['type'] === 'button' && Number(component['index']) === position,
    );
    return buttonFor(button, objectsOf(own?.['parameters'])[0] ?? {});
  });
}

function buttonFor(button: JsonObject, parameter: JsonObject): BubbleButton {
  const type = textOf(button['type']) ?? '';
  const text = textOf(button['text']) ?? (type === 'COPY_CODE' || type === 'OTP' ? 'Copy code' : type);
  if (type === 'QUICK_REPLY') {
    const payload = textOf(parameter['payload']) ?? text;
    return { text, answer: { type: 'button', button: { payload, text } }, detail: null };
  }
  if (type === 'FLOW') {
    const token = textOf(objectOf(parameter['action'])['flow_token']) ?? null;
    return { text, answer: null, detail: null, question: 'flow', about: { token } };
  }
  if (type === 'CATALOG' || type === 'MPM')
    return {
      text,
      answer: null,
      detail: null,
      question: 'order',
      about: { catalogId: '', products: ['SKU1'] },
    };
  const address = textOf(button['url']) ?? textOf(button['phone_number']) ?? textOf(parameter['coupon_code']);
  return { text, answer: null, detail: address === undefined ? null : fillText(address, [parameter]) };
}
