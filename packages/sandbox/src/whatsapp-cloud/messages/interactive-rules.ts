import { isObject, objectOf, objectsOf, textOf, type JsonObject } from '../../core/json.ts';
import { distinct, invalid, missing, need } from './content-checks.ts';
import { checkCarousel } from './interactive-carousel.ts';
import { checkMediaContent } from '../media-content.ts';
import { checkProductSections } from './product-sections.ts';

const bodyless = new Set(['product', 'call_permission_request']);

export function checkInteractive(interactive: JsonObject): void {
  const type = textOf(interactive['type']);
  const check = type === undefined ? undefined : interactiveChecks[type];
  if (type === undefined || !check)
    invalid(`interactive.type ${JSON.stringify(interactive['type'])} is not known`);
  if (bodyless.has(type)) {
    if (interactive['body'] !== undefined)
      need(objectOf(interactive['body'])['text'], 'interactive.body.text', 1024);
  } else {
    const limit = type === 'list' ? 4096 : 1024;
    need(objectOf(interactive['body'])['text'], 'interactive.body.text', limit);
  }
  if (interactive['footer'] !== undefined)
    need(objectOf(interactive['footer'])['text'], 'interactive.footer.text', 60);
  const header = interactive['header'];
  if (header !== undefined) checkInteractiveHeader(objectOf(header), type);
  if (!isObject(interactive['action'])) missing('interactive.action');
  check(interactive['action'], interactive);
}

function checkInteractiveHeader(header: JsonObject, type: string): void {
  const kind = textOf(header['type']);
  if (kind === 'text') return need(header['text'], 'interactive.header.text', 60);
  if (type === 'list' || type === 'product_list') invalid(`the header of a ${type} must be text`);
  if (kind !== 'image' && kind !== 'video' && kind !== 'document')
    invalid('interactive.header.type is not known');
  checkMediaContent(kind, objectOf(header[kind]), false);
}

const interactiveChecks: Record<string, (action: JsonObject, interactive: JsonObject) => void> = {
  button: (action) => {
    const buttons = objectsOf(action['buttons']);
    if (buttons.length < 1 || buttons.length > 3)
      invalid('interactive.action.buttons must hold 1 to 3 buttons');
    const replies = buttons.map((button) => objectOf(button['reply']));
    for (const reply of replies) {
      need(reply['title'], 'button title', 20);
      need(reply['id'], 'button id', 256);
      if (textOf(reply['id']) !== textOf(reply['id'])?.trim()) invalid('button id has spaces at its edge');
    }
    distinct(
      replies.map((reply) => textOf(reply['title'])),
      'button title',
    );
    distinct(
      replies.map((reply) => textOf(reply['id'])),
      'button id',
    );
  },
  list: (action) => {
    need(action['button'], 'list button', 20);
    const sections = objectsOf(action['sections']);
    if (sections.length < 1 || sections.length > 10) invalid('a list has 1 to 10 sections');
    for (const section of sections) {
      if (sections.length > 1 || section['title'] !== undefined) need(section['title'], 'section title', 24);
    }
    const rows = sections.flatMap((section) => objectsOf(section['rows']));
    if (rows.length < 1 || rows.length > 10) invalid('a list has 1 to 10 rows in total');
    for (const row of rows) {
      need(row['id'], 'row id', 200);
      need(row['title'], 'row title', 24);
      if ((textOf(row['description'])?.length ?? 0) > 72)
        invalid('row description is longer than 72 characters');
    }
    distinct(
      rows.map((row) => textOf(row['id'])),
      'row id',
    );
  },
  cta_url: (action) => {
    const parameters = objectOf(action['parameters']);
    need(parameters['display_text'], 'display_text', 20);
    if (!/^https?:\/\//.test(textOf(parameters['url']) ?? '')) invalid('url must be an http address');
  },
  flow: (action) => {
    const parameters = objectOf(action['parameters']);
    if (!parameters['flow_id'] === !parameters['flow_name']) invalid('give flow_id or flow_name');
    need(parameters['flow_cta'], 'flow_cta', 30);
  },
  product: (action) => {
    need(action['catalog_id'], 'catalog_id', 512);
    need(action['product_retailer_id'], 'product_retailer_id', 512);
  },
  product_list: (action, interactive) => {
    if (!isObject(interactive['header'])) missing('interactive.header');
    need(action['catalog_id'], 'catalog_id', 512);
    checkProductSections(action['sections']);
  },
  catalog_message: (action) => {
    if (action['name'] !== 'catalog_message') invalid('interactive.action.name must be catalog_message');
  },
  location_request_message: (action) => {
    if (action['name'] !== 'send_location') invalid('interactive.action.name must be send_location');
  },
  voice_call: (action) => {
    const ttl = Number(objectOf(action['parameters'])['ttl_minutes'] ?? 10_080);
    if (!(ttl >= 1 && ttl <= 43_200)) invalid('ttl_minutes must lie between 1 and 43200');
  },
  carousel: checkCarousel,
  address_message: (action) => {
    if (action['name'] !== 'address_message') invalid('interactive.action.name must be address_message');
    const country = textOf(objectOf(action['parameters'])['country']);
    if (country === undefined) missing('interactive.action.parameters.country');
    if (country !== 'IN') invalid('address_message is for India (IN) only');
  },
  call_permission_request: (action) => {
    if (action['name'] !== 'call_permission_request')
      invalid('interactive.action.name must be call_permission_request');
  },
  // Two names are in use for this type; both are taken.
  contact_request: () => {},
  request_contact_info: () => {},
};
