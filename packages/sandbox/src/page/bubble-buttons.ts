import { objectOf, objectsOf, textOf, type JsonObject } from '../core/json.ts';

/** What the phone asks before it answers. */
export type Question = 'location' | 'flow' | 'order' | 'call' | 'number' | 'address';

export interface BubbleButton {
  text: string;
  /** What the phone sends back; null: it opens a page or a call, of which the business hears nothing, or asks first. */
  answer: JsonObject | null;
  detail: string | null;
  question?: Question;
  /** What belongs into the answer: token of a form, catalogue and products of an order. */
  about?: JsonObject;
}

export interface BubbleList {
  label: string;
  sections: { title: string | null; rows: BubbleButton[] }[];
}

/** A row of a list message answers with what it says. */
export function listOfInteractive(action: JsonObject): BubbleList | null {
  const sections = objectsOf(action['sections']);
  if (textOf(action['button']) === undefined || sections.length === 0) return null;
  return {
    label: textOf(action['button']) ?? '',
    sections: sections.map((section) => ({
      title: textOf(section['title']) ?? null,
      rows: objectsOf(section['rows']).map((row) => ({
        text: textOf(row['title']) ?? '',
        answer: { type: 'interactive', interactive: { type: 'list_reply', list_reply: row } },
        detail: textOf(row['description']) ?? null,
      })),
    })),
  };
}

/** The buttons below an interactive message, or below one card of it. */
export function buttonsOfInteractive(type: string, action: JsonObject): BubbleButton[] {
  const replies = objectsOf(action['buttons']).map((button) =>
    objectOf(button['reply'] ?? button['quick_reply']),
  );
  const parameters = objectOf(action['parameters']);
  const label = textOf(parameters['display_text']) ?? textOf(parameters['flow_cta']);
  const asked = questions[type]?.(action, parameters, label);
  return [
    ...replies.map((reply) => ({
      text: textOf(reply['title']) ?? '',
      answer: { type: 'interactive', interactive: { type: 'button_reply', button_reply: reply } },
      detail: null,
    })),
    ...(asked ? [asked] : []),
    ...(label === undefined || asked
      ? []
      : [{ text: label, answer: null, detail: textOf(parameters['url']) ?? null }]),
  ];
}

type Ask = (action: JsonObject, parameters: JsonObject, label: string | undefined) => BubbleButton;

const ask = (text: string, question: Question, about: JsonObject = {}): BubbleButton => ({
  text,
  answer: null,
  detail: null,
  question,
  about,
});

const order: Ask = (action) => {
  const sections = objectsOf(action['sections']);
  const products = sections.flatMap((section) =>
    objectsOf(section['product_items']).map((item) => item['product_retailer_id']),
  );
  const single =
    action['product_retailer_id'] ?? objectOf(action['parameters'])['thumbnail_product_retailer_id'];
  return ask('Order', 'order', {
    catalogId: action['catalog_id'] ?? '',
    products: products.length > 0 ? products : [single ?? 'SKU1'],
  });
};

const questions: Record<string, Ask> = {
  flow: (_action, parameters, label) =>
    ask(label ?? 'Open the form', 'flow', { token: parameters['flow_token'] ?? null }),
  product: order,
  product_list: order,
  catalog_message: order,
  location_request_message: () => ask('Send location', 'location'),
  call_permission_request: () => ask('Answer', 'call'),
  address_message: () => ask('Give an address', 'address'),
  contact_request: () => ask('Share my number', 'number'),
  request_contact_info: () => ask('Share my number', 'number'),
};
