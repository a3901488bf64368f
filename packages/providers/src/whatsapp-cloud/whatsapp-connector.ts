import { DISCONNECTED } from '@app/domain/channels/disconnected';
import { numberHealths, readQuality } from '@app/domain/channels/number-standing';
import type { AccountDesk, AccountNumber, ChannelConnector } from '@app/domain/channels/channel-connector';
import type { PhoneNumber } from './account-calls.ts';
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
      if (ofCredentials.has(code) || /^2\d\d$/.test(code)) return 'credentials';
      return ofRegistration.has(code) ? 'registration' : null;
    },
    open: (credentials) => openDesk(open(credentials), credentials['appId'] ?? ''),
  };
}

function openDesk(client: WhatsAppCloudClient, appId: string): AccountDesk {
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
        const own = (await client.listSubscribedApps()).find(({ id }) => id === appId);
        return { isSubscribed: own !== undefined, address: own?.overrideUrl ?? null };
      }),
    subscribe: (callbackUrl, verifyToken) => act(() => client.subscribeApp({ callbackUrl, verifyToken })),
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
