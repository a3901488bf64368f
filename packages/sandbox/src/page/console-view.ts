import type { Platform } from '../whatsapp-cloud/platform.ts';
import { findToken } from '../whatsapp-cloud/access.ts';
import { permissions, type Permission } from '../whatsapp-cloud/store.ts';

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
    numbers: { id: string; displayPhoneNumber: string; verifiedName: string }[];
  }[];
  tokens: {
    value: string;
    problem: 'expired' | 'revoked' | 'no-permission' | null;
    expiresAt: number | null;
    permissions: readonly Permission[];
  }[];
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
          .map((number) => ({
            ...{ id: number.id, displayPhoneNumber: number.displayPhoneNumber },
            verifiedName: number.verifiedName,
          })),
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
