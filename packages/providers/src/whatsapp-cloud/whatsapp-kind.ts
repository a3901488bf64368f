import type { ChannelKind } from '@app/domain/channels/channel-kind';
import type { CredentialForm, Credentials } from '@app/domain/channels/channel-credentials';
import type { OpenChannel } from '@app/domain/channels/open-channel';
import type { NamedValues } from '@app/domain/channels/webhook-reader';
import { askForFile, askPlatform } from './ask-platform.ts';
import { whatsAppCapabilities } from './whatsapp-capabilities.ts';
import { createWhatsAppCloudClient, type WhatsAppCloudClient } from './whatsapp-cloud-client.ts';
import { connectorOf, PLATFORM } from './whatsapp-connector.ts';
import { openProfile } from './whatsapp-profile.ts';
import { openTemplates } from './whatsapp-templates.ts';
import { outlineWebhook } from './webhooks/outline-webhook.ts';
import { parseWebhook } from './webhooks/parse-webhook.ts';
import { answerHandshake, isSignedBy } from './webhooks/webhook-signature.ts';

const form: CredentialForm = {
  version: 1,
  fields: [
    { name: 'accessToken', label: 'whatsapp.access_token', isSecret: true, format: 'text' },
    { name: 'phoneNumberId', label: 'whatsapp.phone_number_id', isSecret: false, format: 'digits' },
    { name: 'businessAccountId', label: 'whatsapp.business_account_id', isSecret: false, format: 'digits' },
    { name: 'appId', label: 'whatsapp.app_id', isSecret: false, format: 'digits' },
    { name: 'appSecret', label: 'whatsapp.app_secret', isSecret: true, format: 'text' },
    { name: 'verifyToken', label: 'whatsapp.verify_token', isSecret: true, format: 'text' },
    {
      ...{ name: 'baseUrl', label: 'whatsapp.base_url', isSecret: false, format: 'url' },
      suggestion: PLATFORM,
    },
  ],
  addressOf: (credentials) => readOptions(credentials).phoneNumberId,
  serverOf: (credentials) => readOptions(credentials).baseUrl,
};

/** The WhatsApp Cloud API. */
export const whatsAppKind: ChannelKind = {
  name: 'whatsapp',
  credentials: form,
  capabilities: whatsAppCapabilities,
  rates: { messagesPerSecond: 80, counts: 'sent_and_received' },
  webhooks: {
    handshake: {
      method: 'GET',
      answer: ({ verifyToken = '' }, query) => answerHandshake(query, verifyToken),
    },
    signedBy: 'account', // by the app, which may have several numbers
    mayBeSigned: (headers) => signatureOf(headers) !== null,
    isSigned: ({ appSecret = '' }, body, headers) => isSignedBy(appSecret, body, signatureOf(headers)),
    parse: parseWebhook,
    outline: outlineWebhook,
  },
  open: (credentials, { connections }) =>
    openChannel(createWhatsAppCloudClient({ ...readOptions(credentials), connections })),
  connector: connectorOf((credentials) =>
    createWhatsAppCloudClient({ ...readOptions(credentials), connections: 4 }),
  ),
  // When a user writes or gets a link, the app or its servers fetch the page: https://developers.facebook.com/docs/sharing/webmasters/web-crawlers
  previewAgents: /whatsapp\/|facebookexternalhit|facebookcatalog|meta-external/i,
  sandbox: {
    displayName: '+44 7700 900100',
    credentialsAt: (sandboxUrl) => ({
      ...{ phoneNumberId: '200000000000001', businessAccountId: '100000000000001', appId: '300000000000001' },
      appSecret: 'sandbox-app-secret',
      accessToken: 'sandbox-access-token',
      verifyToken: 'sandbox-verify-token',
      baseUrl: `${sandboxUrl}/graph/v26.0`,
    }),
  },
};

function openChannel(client: WhatsAppCloudClient): OpenChannel {
  return {
    send: (message, signal) => client.send(message, signal),
    templates: openTemplates(client),
    media: {
      upload: (file) => askPlatform(() => client.uploadMedia(file)),
      download: (mediaId, maxBytes) => askForFile(() => client.downloadMedia(mediaId, maxBytes)),
    },
    account: {
      check: () =>
        askPlatform(async () => {
          const { accountName, phoneNumber } = await client.testConnection();
          const { displayPhoneNumber, throughputPerSecond } = phoneNumber;
          return { accountName, displayName: displayPhoneNumber, messagesPerSecond: throughputPerSecond };
        }),
    },
    profile: openProfile(client),
    markRead: ({ id }, options) =>
      askPlatform(async () => {
        await client.markRead(id, options);
        return null;
      }),
    close: () => client.close(),
  };
}

function readOptions({
  baseUrl = '',
  accessToken = '',
  phoneNumberId = '',
  businessAccountId = '',
  appId = '',
}: Credentials) {
  return { baseUrl, accessToken, phoneNumberId, businessAccountId, appId };
}

function signatureOf(headers: NamedValues): string | null {
  return headers.get('x-hub-signature-256');
}
