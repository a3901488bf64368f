import * as client from '@whatsapp-cloudapi/client';
import { expect, test } from 'vitest';
import { account, customer, number, png, token, useWorld } from './world.ts';

const world = useWorld();
const common = () => ({ accessToken: token, from: number, to: customer, baseUrl: world.base });
const accepted = {
  messaging_product: 'whatsapp',
  contacts: [{ wa_id: '447700900201' }],
  messages: [{ id: expect.stringMatching(/^wamid\./) }],
};

const calls: Record<string, () => Promise<unknown>> = {
  sendTextMessage: () => client.sendTextMessage({ ...common(), text: 'Hello', previewUrl: true }),
  sendImageMessage: () => client.sendImageMessage({ ...common(), mediaId: world.picture, caption: 'Look' }),
  sendButtonsMessage: () =>
    client.sendButtonsMessage({
      ...common(),
      ...{ bodyText: 'Keep Friday?', footerText: 'Shop', headerText: 'Friday' },
      buttons: [
        { id: 'keep', title: 'Keep' },
        { id: 'move', title: 'Move' },
      ],
    }),
  sendCTAURLMessage: () =>
    client.sendCTAURLMessage({
      ...common(),
      bodyText: 'Pay',
      buttonText: 'Pay now',
      url: 'https://pay.example/1',
      headerImage: { id: world.picture },
    }),
  sendFlowMessage: () =>
    client.sendFlowMessage({
      ...common(),
      bodyText: 'Book',
      flowToken: 't',
      flowId: '1',
      flowCta: 'Book',
      flowAction: 'navigate',
      screen: 'START',
    }),
  sendListMessage: () =>
    client.sendListMessage({
      ...common(),
      ...{ bodyText: 'Choose', buttonText: 'Options' },
      sections: [{ title: 'Fast', rows: [{ id: '1', title: 'Today', description: 'before 8 pm' }] }],
    }),
  sendTemplateMessage: () =>
    client.sendTemplateMessage({
      ...common(),
      templateName: 'hello_world',
      languageCode: 'en_US',
      replyToMessageId: world.written,
    }),
};

test.each(Object.keys(calls))('%s', async (name) => {
  expect(await calls[name]?.()).toMatchObject(accepted);
});

test('markMessageRead', async () => {
  const read = { accessToken: token, from: number, messageId: world.written, baseUrl: world.base };
  expect(await client.markMessageRead(read)).toEqual({ success: true });
  expect(await client.markMessageRead({ ...read, showTypingIndicator: true })).toEqual({ success: true });
});

test('uploadMedia', async () => {
  const file = new File([png], 'a.png', { type: 'image/png' });
  const answer = await client.uploadMedia({ accessToken: token, from: number, file, baseUrl: world.base });
  expect(answer).toEqual({ id: expect.stringMatching(/^\d+$/) });
});

test('every call of the client has a test', () => {
  const offered = Object.entries(client)
    .filter(([, value]) => typeof value === 'function')
    .map(([name]) => name);
  expect(offered.sort()).toEqual([...Object.keys(calls), 'markMessageRead', 'uploadMedia'].sort());
});

test('hears the refusals of the platform', async () => {
  await expect(client.sendTextMessage({ ...common(), accessToken: 'nobody', text: 'x' })).rejects.toThrow(
    '"code":190',
  );
  await expect(client.sendTextMessage({ ...common(), from: account, text: 'x' })).rejects.toThrow(
    'Unsupported post request',
  );
  await expect(
    client.sendTemplateMessage({ ...common(), templateName: 'nothing', languageCode: 'en_US' }),
  ).rejects.toThrow('"code":132001');
});
