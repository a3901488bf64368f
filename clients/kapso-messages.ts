import type { WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import { expect } from 'vitest';
import { customer, number, type World } from './world.ts';

export const to = { phoneNumberId: number, to: customer };
const sent = { messages: [{ id: expect.stringMatching(/^wamid\./) }] };
export type Row = (client: WhatsAppClient) => Promise<unknown>;
/** The call, and what it answers: a part of the answer, or the code of the platform's refusal. */
export const accepts =
  (call: Row, wanted: object = sent): Row =>
  async (client) =>
    expect(await call(client)).toMatchObject(wanted);
export const refused =
  (call: Row, code: number): Row =>
  async (client) =>
    expect(await call(client).catch((error: unknown) => error)).toMatchObject({ code });
export const ownService =
  (call: Row): Row =>
  async (client) =>
    expect(call(client)).rejects.toThrow(/Kapso/);

/** Everything that the library sends. */
export function messageCalls(world: World): Record<string, Row> {
  const image = () => ({ type: 'image' as const, image: { id: world.picture } });
  const card = (cardIndex: number) => ({
    ...{ cardIndex, header: image(), bodyText: `Deal ${cardIndex}` },
    action: { displayText: 'Shop', url: 'https://shop.example/' },
  });

  return {
    sendText: accepts((client) => client.messages.sendText({ ...to, body: 'Hello', previewUrl: true })),
    sendImage: accepts((client) =>
      client.messages.sendImage({ ...to, image: { id: world.picture, caption: 'Look' } }),
    ),
    sendAudio: accepts((client) =>
      client.messages.sendAudio({ ...to, audio: { link: 'https://cdn.example/a.ogg' } }),
    ),
    sendDocument: accepts((client) =>
      client.messages.sendDocument({
        ...to,
        document: { link: 'https://cdn.example/a.pdf', filename: 'a.pdf', caption: 'Invoice' },
      }),
    ),
    sendVideo: accepts((client) =>
      client.messages.sendVideo({ ...to, video: { link: 'https://cdn.example/a.mp4', caption: 'Clip' } }),
    ),
    sendSticker: accepts((client) =>
      client.messages.sendSticker({ ...to, sticker: { link: 'https://cdn.example/a.webp' } }),
    ),
    sendLocation: accepts((client) =>
      client.messages.sendLocation({
        ...to,
        location: { latitude: 51.5, longitude: -0.12, name: 'Shop', address: '1 High St' },
      }),
    ),
    sendContacts: accepts((client) =>
      client.messages.sendContacts({
        ...to,
        contacts: [
          {
            name: { formattedName: 'Ann Lee', firstName: 'Ann' },
            phones: [{ phone: '+447700900300', type: 'WORK' }],
          },
        ],
      }),
    ),
    sendTemplate: accepts(
      (client) =>
        client.messages.sendTemplate({
          ...to,
          template: { name: 'hello_world', language: { code: 'en_US' } },
        }),
      {
        messages: [{ messageStatus: 'accepted' }],
      },
    ),
    sendReaction: accepts((client) =>
      client.messages.sendReaction({ ...to, reaction: { messageId: world.written, emoji: '👍' } }),
    ),
    sendInteractiveButtons: accepts((client) =>
      client.messages.sendInteractiveButtons({
        ...{ ...to, header: image(), bodyText: 'Keep Friday?', footerText: 'Shop' },
        buttons: [
          { id: 'keep', title: 'Keep' },
          { id: 'move', title: 'Move' },
        ],
      }),
    ),
    sendInteractiveList: accepts((client) =>
      client.messages.sendInteractiveList({
        ...{ ...to, bodyText: 'Choose', buttonText: 'Options' },
        sections: [{ title: 'Fast', rows: [{ id: '1', title: 'Today', description: 'before 8 pm' }] }],
      }),
    ),
    sendInteractiveProduct: accepts((client) =>
      client.messages.sendInteractiveProduct({
        ...to,
        bodyText: 'Look',
        catalogId: '6000',
        productRetailerId: 'SKU1',
      }),
    ),
    sendInteractiveProductList: accepts((client) =>
      client.messages.sendInteractiveProductList({
        ...{ ...to, bodyText: 'Pick', header: { type: 'text', text: 'Menu' }, catalogId: '6000' },
        sections: [{ title: 'Hot', productItems: [{ productRetailerId: 'SKU1' }] }],
      }),
    ),
    sendInteractiveFlow: accepts((client) =>
      client.messages.sendInteractiveFlow({
        ...{ ...to, bodyText: 'Book' },
        parameters: {
          flowId: '1',
          flowCta: 'Book',
          flowToken: 't',
          flowAction: 'navigate',
          flowActionPayload: { screen: 'START' },
        },
      }),
    ),
    sendInteractiveAddress: accepts((client) =>
      client.messages.sendInteractiveAddress({
        ...to,
        bodyText: 'Where to?',
        parameters: { country: 'IN', values: { name: 'Ann' } },
      }),
    ),
    sendInteractiveLocationRequest: accepts((client) =>
      client.messages.sendInteractiveLocationRequest({
        ...to,
        bodyText: 'Where are you?',
        parameters: { requestMessage: 'Please' },
      }),
    ),
    sendInteractiveCallPermission: accepts((client) =>
      client.messages.sendInteractiveCallPermission({
        ...to,
        bodyText: 'May we call?',
        parameters: { phoneNumber: '+447700900100' },
      }),
    ),
    sendInteractiveCtaUrl: accepts((client) =>
      client.messages.sendInteractiveCtaUrl({
        ...to,
        bodyText: 'Pay',
        parameters: { displayText: 'Pay', url: 'https://pay.example/1' },
      }),
    ),
    sendInteractiveCarousel: accepts((client) =>
      client.messages.sendInteractiveCarousel({ ...to, bodyText: 'Offers', cards: [card(0), card(1)] }),
    ),
    sendInteractiveCatalogMessage: accepts((client) =>
      client.messages.sendInteractiveCatalogMessage({
        ...to,
        bodyText: 'All',
        parameters: { thumbnailProductRetailerId: 'SKU1' },
      }),
    ),
    sendInteractiveRaw: accepts((client) =>
      client.messages.sendInteractiveRaw({
        ...to,
        interactive: {
          type: 'location_request_message',
          body: { text: 'x' },
          action: { name: 'send_location' },
        },
      }),
    ),
    sendRaw: accepts((client) =>
      client.messages.sendRaw({
        phoneNumberId: number,
        payload: { messaging_product: 'whatsapp', to: customer, type: 'text', text: { body: 'x' } },
      }),
    ),
    markRead: accepts(
      (client) =>
        client.messages.markRead({
          phoneNumberId: number,
          messageId: world.written,
          typingIndicator: { type: 'text' },
        }),
      {
        success: true,
      },
    ),
    query: ownService((client) => client.messages.query({ phoneNumberId: number })),
    get: ownService((client) => client.messages.get({ phoneNumberId: number, messageId: 'x' })),
    listByConversation: ownService((client) =>
      client.messages.listByConversation({ phoneNumberId: number, conversationId: 'x' }),
    ),
  };
}
