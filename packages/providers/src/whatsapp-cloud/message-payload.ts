import type { OutboundMessage } from '@app/domain/messaging/channel-port';
import type {
  ContactCard,
  InteractiveAction,
  InteractiveContent,
  InteractiveHeader,
  MediaContent,
  MessageContent,
  Place,
  TemplateButtonParameter,
  TemplateContent,
  TemplateHeaderParameter,
  TemplateParameters,
} from '@app/domain/messaging/message-content';
import { describeKindContent } from './carousel-payload.ts';

/** What was written last. A map of all contents would hold each person's own as well, and cost more than it saves. */
let lastContent: MessageContent | undefined;
/** Its part of the body, once it is written for a second time. */
let sharedText: string | undefined;

/**
 * The request body of one send. The part that does not name the recipient is kept while the content stays the same object, so a
 * campaign that shares one between its recipients pays for it once; contents must not be changed after their first use.
 */
export function writeMessageBody({ content, to, tag }: OutboundMessage): string {
  if (content !== lastContent) {
    const body = JSON.stringify({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      ...recipientOf(to),
      biz_opaque_callback_data: tag,
      ...describeContent(content),
    });
    [lastContent, sharedText] = [content, undefined];
    return body;
  }
  sharedText ??= JSON.stringify(describeContent(content)).slice(1);
  return `{"messaging_product":"whatsapp","recipient_type":"individual",${JSON.stringify(recipientOf(to)).slice(1, -1)},"biz_opaque_callback_data":${JSON.stringify(tag)},${sharedText}`;
}

/** Who hides their number has an id of two letters, a dot and signs instead. */
function recipientOf(to: string): { to: string } | { recipient: string } {
  return to.startsWith('+') ? { to } : { recipient: to };
}

/** The content as the Cloud API wants it: `type`, the object of that name, and `context` for a quote. */
export function describeContent(content: MessageContent): Record<string, unknown> {
  switch (content.type) {
    case 'text':
      return quoting(content.replyTo, {
        type: 'text',
        text: { body: content.body, ...(content.previewUrl === true && { preview_url: true }) },
      });
    case 'template':
      return { type: 'template', template: describeTemplate(content) };
    case 'media':
      return quoting(content.replyTo, { type: content.kind, [content.kind]: describeMedia(content) });
    case 'location':
      return quoting(content.replyTo, { type: 'location', location: describePlace(content.location) });
    case 'contacts':
      return quoting(content.replyTo, { type: 'contacts', contacts: content.contacts.map(describeContact) });
    case 'reaction':
      return { type: 'reaction', reaction: { message_id: content.messageId, emoji: content.emoji } };
    case 'interactive':
      return quoting(content.replyTo, { type: 'interactive', interactive: describeInteractive(content) });
    case 'kind_content':
      return quoting(content.replyTo, { type: 'interactive', interactive: describeKindContent(content) });
  }
}

function quoting(replyTo: string | undefined, body: Record<string, unknown>): Record<string, unknown> {
  return replyTo === undefined ? body : { ...body, context: { message_id: replyTo } };
}

function describeTemplate(content: TemplateContent): Record<string, unknown> {
  const components: Record<string, unknown>[] = [];
  if (content.header !== undefined) {
    components.push({ type: 'header', parameters: [describeTemplateHeader(content.header)] });
  }
  const body = content.body === undefined ? [] : describeTextParameters(content.body);
  if (body.length > 0) components.push({ type: 'body', parameters: body });
  for (const button of content.buttons ?? []) components.push(describeTemplateButton(button));
  const template = { name: content.name, language: { code: content.language } };
  return components.length === 0 ? template : { ...template, components };
}

function describeTemplateHeader(header: TemplateHeaderParameter): Record<string, unknown> {
  switch (header.type) {
    case 'text':
      return {
        type: 'text',
        text: header.text,
        ...(header.name !== undefined && { parameter_name: header.name }),
      };
    case 'location':
      return { type: 'location', location: describePlace(header.location) };
    default:
      return { type: header.type, [header.type]: describeFile(header.media, header.filename) };
  }
}

function describeTextParameters(parameters: TemplateParameters): Record<string, unknown>[] {
  return parameters.format === 'positional'
    ? parameters.values.map((text) => ({ type: 'text', text }))
    : Object.entries(parameters.values).map(([name, text]) => ({ type: 'text', parameter_name: name, text }));
}

function describeTemplateButton(button: TemplateButtonParameter): Record<string, unknown> {
  const place = { type: 'button', sub_type: button.type, index: String(button.index) };
  switch (button.type) {
    case 'quick_reply':
      return { ...place, parameters: [{ type: 'payload', payload: button.payload }] };
    case 'url':
      return { ...place, parameters: [{ type: 'text', text: button.suffix }] };
    case 'copy_code':
      return { ...place, parameters: [{ type: 'coupon_code', coupon_code: button.code }] };
    case 'flow':
      return {
        ...place,
        parameters: [
          {
            type: 'action',
            action: {
              ...(button.flowToken !== undefined && { flow_token: button.flowToken }),
              ...(button.data !== undefined && { flow_action_data: button.data }),
            },
          },
        ],
      };
    case 'catalog':
      return {
        ...place,
        parameters: [
          { type: 'action', action: { thumbnail_product_retailer_id: button.thumbnailProductId } },
        ],
      };
  }
}

function describeMedia(content: MediaContent): Record<string, unknown> {
  const takesCaption = content.kind !== 'audio' && content.kind !== 'sticker';
  return {
    ...describeFile(content.media, content.kind === 'document' ? content.filename : undefined),
    ...(takesCaption && content.caption !== undefined && { caption: content.caption }),
    ...(content.kind === 'audio' && content.voice === true && { voice: true }),
  };
}

function describeFile(media: MediaContent['media'], filename: string | undefined): Record<string, unknown> {
  if (!('id' in media) && !('link' in media))
    throw new Error('A file has to be at the platform before its message.');
  return { ...media, ...(filename !== undefined && { filename }) };
}

function describePlace(place: Place): Record<string, unknown> {
  return { ...place };
}

function describeContact(card: ContactCard): Record<string, unknown> {
  const { formattedName } = card;
  // The platform wants one more part of the name beside the formatted one.
  const firstName = card.firstName ?? (card.lastName === undefined ? formattedName : undefined);
  return {
    name: {
      formatted_name: formattedName,
      ...(firstName !== undefined && { first_name: firstName }),
      ...(card.lastName !== undefined && { last_name: card.lastName }),
    },
    ...(card.phones !== undefined && {
      phones: card.phones.map(({ phone, kind }) => withKind({ phone }, kind)),
    }),
    ...(card.emails !== undefined && {
      emails: card.emails.map(({ email, kind }) => withKind({ email }, kind)),
    }),
    ...(card.urls !== undefined && { urls: card.urls.map(({ url, kind }) => withKind({ url }, kind)) }),
    ...(card.company !== undefined && {
      org: {
        company: card.company,
        ...(card.department !== undefined && { department: card.department }),
        ...(card.jobTitle !== undefined && { title: card.jobTitle }),
      },
    }),
    ...(card.birthday !== undefined && { birthday: card.birthday }),
  };
}

function withKind(entry: Record<string, unknown>, kind: string | undefined): Record<string, unknown> {
  return kind === undefined ? entry : { ...entry, type: kind };
}

function describeInteractive(content: InteractiveContent): Record<string, unknown> {
  const { type, action } = describeAction(content.action);
  return {
    type,
    ...(content.header !== undefined && { header: describeInteractiveHeader(content.header) }),
    body: { text: content.body },
    ...(content.footer !== undefined && { footer: { text: content.footer } }),
    action,
  };
}

function describeInteractiveHeader(header: InteractiveHeader): Record<string, unknown> {
  return header.type === 'text'
    ? { type: 'text', text: header.text }
    : { type: header.type, [header.type]: describeFile(header.media, header.filename) };
}

function describeAction(action: InteractiveAction): { type: string; action: Record<string, unknown> } {
  switch (action.type) {
    case 'reply_buttons':
      return {
        type: 'button',
        action: { buttons: action.buttons.map(({ id, title }) => ({ type: 'reply', reply: { id, title } })) },
      };
    case 'list':
      return { type: 'list', action: { button: action.button, sections: action.sections } };
    case 'link_button':
      return {
        type: 'cta_url',
        action: { name: 'cta_url', parameters: { display_text: action.label, url: action.url } },
      };
    case 'location_request':
      return { type: 'location_request_message', action: { name: 'send_location' } };
    case 'product':
      return {
        type: 'product',
        action: { catalog_id: action.catalogId, product_retailer_id: action.productId },
      };
    case 'product_list':
      return {
        type: 'product_list',
        action: {
          catalog_id: action.catalogId,
          sections: action.sections.map(({ title, productIds }) => ({
            title,
            product_items: productIds.map((id) => ({ product_retailer_id: id })),
          })),
        },
      };
    case 'catalog':
      return {
        type: 'catalog_message',
        action: {
          name: 'catalog_message',
          ...(action.thumbnailProductId !== undefined && {
            parameters: { thumbnail_product_retailer_id: action.thumbnailProductId },
          }),
        },
      };
    case 'flow':
      return {
        type: 'flow',
        action: {
          name: 'flow',
          parameters: {
            flow_message_version: '3',
            flow_id: action.flowId,
            flow_cta: action.label,
            ...(action.flowToken !== undefined && { flow_token: action.flowToken }),
            ...(action.screen !== undefined && {
              flow_action: 'navigate',
              flow_action_payload: {
                screen: action.screen,
                ...(action.data !== undefined && { data: action.data }),
              },
            }),
          },
        },
      };
  }
}
