import { DISCONNECTED } from '@app/domain/channels/disconnected';
import { numberHealths, readQuality } from '@app/domain/channels/number-standing';
import type { AccountDesk, AccountNumber, ChannelConnector } from '@app/domain/channels/channel-connector';
import type { PhoneNumber } from './account-calls.ts';
import { completeFields, missingOf, readAppWebhook } from './app-fields.ts';
import { askPlatform } from './ask-platform.ts';
import { proveConnection } from './prove-connection.ts';
import type { WhatsAppCloudClient } from './whatsapp-cloud-client.ts';

/** The current version of Graph, which all of the client is written against. */
const VERSION = 'v26.0';
export const PLATFORM = `https://graph.facebook.com/${VERSION}`;

/** The token has ended or may too little, or a person took the number off. */
const ofCredentials = new Set(['0', '3', '10', '102', '104', '190', '131005', DISCONNECTED]);
const ofRegistration = new Set(['33', '131045', '133010']);

/** How people connect a number of the Cloud API. */
export function connectorOf(
  open: (credentials: Readonly<Record<string, string>>) => WhatsAppCloudClient,
): ChannelConnector {
  return {
    server: { field: 'baseUrl', platform: PLATFORM, standInPath: `/graph/${VERSION}` },
    addressField: 'phoneNumberId',
    accountField: 'businessAccountId',
    webhookToken: 'verifyToken',
    least: ['accessToken', 'phoneNumberId'],
    prove: proveConnection,
    mendedBy(code) {
      if (isOfCredentials(code)) return 'credentials';
      return ofRegistration.has(code) ? 'registration' : null;
    },
    open: (credentials) => openDesk(open(credentials), credentials),
  };
}

function isOfCredentials(code: string): boolean {
  return ofCredentials.has(code) || /^2\d\d$/.test(code);
}

function openDesk(
  client: WhatsAppCloudClient,
  { appId = '', appSecret = '' }: Readonly<Record<string, string>>,
): AccountDesk {
  const act = (work: () => Promise<void>) =>
    askPlatform(async () => {
      await work();
      return null;
    });
  return {
    numbers: () => askPlatform(async () => (await client.listPhoneNumbers()).map(describeNumber)),
    number: (address) => askPlatform(async () => describeNumber(await client.getPhoneNumber(address))),
    requestCode: (address, by, language) => act(() => client.requestCode(address, by, language)),
    verifyCode: (address, code) => act(() => client.verifyCode(address, code)),
    register: (address, pin) => act(() => client.registerNumber(address, pin)),
    subscription: () =>
      askPlatform(async () => {
        const [apps, told] = await Promise.all([
          client.listSubscribedApps(),
          readAppWebhook(client, appSecret),
        ]);
        const own = apps.find(({ id }) => id === appId);
        const appAddress = told?.app?.address ?? null;
        return {
          ...{ isSubscribed: own !== undefined, address: own?.overrideUrl ?? appAddress, appAddress },
          missing: told && missingOf(told.app),
        };
      }),
    subscribe: (callbackUrl, verifyToken) =>
      askPlatform(async () => {
        const own = { appSecret, callbackUrl, verifyToken };
        const news = await completeFields(client, own, isOfCredentials);
        await client.subscribeApp({ callbackUrl, verifyToken });
        return news;
      }),
    close: () => client.close(),
  };
}

function describeNumber(number: PhoneNumber): AccountNumber {
  return {
    address: number.id,
    displayNumber: number.displayPhoneNumber,
    name: number.verifiedName,
    quality: readQuality(number.qualityRating),
    health: numberHealths.find((known) => known === small(number.health)) ?? null,
    status: small(number.status),
    nameStatus: small(number.nameStatus),
    codeStatus: small(number.codeVerification),
    maySend: number.status === 'CONNECTED',
    hasPin: number.isPinEnabled,
    peopleADay: peopleOf(number.messagingLimit),
    messagesPerSecond: number.throughputPerSecond,
  };
}

/** `TIER_2K` is two thousand. */
function peopleOf(tier: string | null): AccountNumber['peopleADay'] {
  if (tier === 'TIER_UNLIMITED') return 'unlimited';
  const [, count, thousands] = /^TIER_(\d+)(K?)$/.exec(tier ?? '') ?? [];
  return count === undefined ? null : Number(count) * (thousands ? 1000 : 1);
}

function small(word: string | null): string | null {
  return word?.toLowerCase() ?? null;
}
