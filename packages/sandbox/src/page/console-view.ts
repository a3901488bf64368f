import type { Platform } from '../whatsapp-cloud/platform.ts';
import { findToken } from '../whatsapp-cloud/access.ts';
import { permissions, type BusinessNumber, type Permission } from '../whatsapp-cloud/store.ts';

export interface ConsoleApp {
  id: string;
  name: string;
  secret: string;
  callbackUrl: string | null;
  /** null: all of them. */
  fields: string[] | null;
  accounts: {
    id: string;
    name: string;
    /** Where its webhooks go in place of the app's address. */
    override: string | null;
    isSubscribed: boolean;
    numbers: ConsoleNumber[];
  }[];
  tokens: {
    value: string;
    problem: 'expired' | 'revoked' | 'no-permission' | null;
    expiresAt: number | null;
    permissions: readonly Permission[];
  }[];
}

/** With what the platform decides about it, by the names of the control that changes it. */
export interface ConsoleNumber {
  id: string;
  displayPhoneNumber: string;
  verifiedName: string;
  quality: string;
  status: string;
  health: string;
  limit: string;
  throughputMps: number | null;
  nameStatus: string;
  isVerified: boolean;
  isRegistered: boolean;
  hasPin: boolean;
}

function describeNumber(number: BusinessNumber): ConsoleNumber {
  const { id, displayPhoneNumber, verifiedName, isVerified, isRegistered } = number;
  return {
    ...{ id, displayPhoneNumber, verifiedName, isVerified, isRegistered, hasPin: number.pin !== null },
    ...{ quality: number.qualityRating, status: number.status, limit: number.tier },
    ...{ health: number.health ?? 'USUAL', throughputMps: number.throughputMps },
    nameStatus: number.nameStatus ?? 'APPROVED',
  };
}

/** What the vendor's sites show to the owner of each app. */
export function describeConsole(platform: Platform): ConsoleApp[] {
  const { apps, accounts, numbers, tokens } = platform.store;
  return [...apps.values()].map(({ id, name, secret, callbackUrl, fields }) => ({
    ...{ id, name, secret, callbackUrl, fields },
    accounts: [...accounts.values()]
      .filter(({ appIds }) => appIds.has(id))
      .map((account) => ({
        ...{ id: account.id, name: account.name, override: account.override?.url ?? null },
        isSubscribed: account.subscribedAppIds.has(id),
        numbers: [...numbers.values()]
          .filter(({ accountId }) => accountId === account.id)
          .map(describeNumber),
      })),
    tokens: [...tokens]
      .filter(([, { appId }]) => appId === id)
      .map(([value, token]) => {
        const problem = findToken(platform, value)?.problem ?? null;
        return {
          ...{ value, problem, expiresAt: token.expiresAt ?? null },
          permissions: problem === 'no-permission' ? [] : (token.permissions ?? permissions),
        };
      }),
  }));
}
