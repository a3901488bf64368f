import { textOf, type JsonObject } from '../core/json.ts';
import type { Account, App, BusinessNumber, Store } from './store.ts';

export const sampleIds = {
  app: '300000000000001',
  account: '100000000000001',
  number: '200000000000001',
  appSecret: 'sandbox-app-secret',
  accessToken: 'sandbox-access-token',
  verifyToken: 'sandbox-verify-token',
} as const;

/** The identity that the sample workspace of the product is connected to. */
export function seedStore(store: Store, callbackUrl: string | null): void {
  const app = addApp(store, {
    id: sampleIds.app,
    secret: sampleIds.appSecret,
    verifyToken: sampleIds.verifyToken,
  });
  app.callbackUrl = callbackUrl;
  const account = addAccount(store, sampleIds.account, 'Sample business', app.id);
  addNumber(store, account, sampleIds.number, {
    displayPhoneNumber: '+44 7700 900100',
    verifiedName: 'Sample business',
  });
  store.tokens.set(sampleIds.accessToken, { appId: app.id, problem: null });
  store.tokens.set('sandbox-expired-token', { appId: app.id, problem: 'expired' });
  store.tokens.set('sandbox-revoked-token', { appId: app.id, problem: 'revoked' });
  store.tokens.set('sandbox-powerless-token', { appId: app.id, problem: 'no-permission' });
}

export function addApp(
  store: Store,
  values: Pick<App, 'id' | 'secret' | 'verifyToken'> & { fields?: string[] | null },
): App {
  const app: App = { fields: null, ...values, name: 'Messaging dashboard', callbackUrl: null };
  store.apps.set(app.id, app);
  return app;
}

/** A new account comes with the template that every real account has. */
export function addAccount(store: Store, id: string, name: string, appId: string): Account {
  const account: Account = {
    id,
    name,
    currency: 'USD',
    timezoneId: '1',
    country: 'GB',
    appIds: new Set([appId]),
    subscribedAppIds: new Set([appId]),
    override: null,
    templateCreations: [],
    managementCalls: [],
    createdAt: Date.now(),
  };
  store.accounts.set(id, account);
  store.addTemplate({
    id: store.ids.next('template'),
    accountId: id,
    name: 'hello_world',
    language: 'en_US',
    status: 'APPROVED',
    category: 'UTILITY',
    previousCategory: null,
    correctCategory: null,
    parameterFormat: 'POSITIONAL',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hello World' },
      {
        type: 'BODY',
        text: 'Welcome and congratulations! This message shows that your number can send templates.',
      },
      { type: 'FOOTER', text: 'WhatsApp Business Platform sample message' },
    ],
    rejectedReason: 'NONE',
    qualityScore: 'UNKNOWN',
    ttlSeconds: null,
    sends: 0,
    edits: [],
    createdAt: Date.now(),
  });
  return account;
}

export function addNumber(store: Store, account: Account, id: string, values: JsonObject): BusinessNumber {
  const displayPhoneNumber = textOf(values['displayPhoneNumber']) ?? '+44 7700 900101';
  const number: BusinessNumber = {
    id,
    accountId: account.id,
    digits: displayPhoneNumber.replace(/\D/g, ''),
    displayPhoneNumber,
    verifiedName: textOf(values['verifiedName']) ?? account.name,
    qualityRating: 'GREEN',
    status: 'CONNECTED',
    isRegistered: true,
    isVerified: true,
    pin: null,
    tier: 'TIER_UNLIMITED',
    throughputLevel: 'STANDARD',
    throughputMps: null,
    override: null,
    profile: { about: 'Here to help', vertical: 'RETAIL', websites: ['https://shop.example/'] },
    settings: {},
    registrations: [],
    blocked: new Set(),
    createdAt: Date.now(),
  };
  store.numbers.set(id, number);
  return number;
}
