import { type GraphAnswer, type GraphCalls, pathSegment } from './graph-calls.ts';
import { isRecord, textOf } from './json-reading.ts';

export type PhoneNumber = {
  id: string;
  displayPhoneNumber: string;
  verifiedName: string | null;
  /** GREEN, YELLOW, RED or UNKNOWN. No webhook carries it: ask again now and then. */
  qualityRating: string;
  /** AVAILABLE, LIMITED or BLOCKED; null where it was not asked for. */
  health: string | null;
  /** Only CONNECTED can send. */
  status: string | null;
  messagingLimit: string | null;
  codeVerification: string | null;
  nameStatus: string | null;
  isPinEnabled: boolean;
  /** Messages per second in and out together, as far as the platform says. */
  throughputPerSecond: number | null;
};

export type BusinessProfile = {
  about: string;
  address: string;
  description: string;
  email: string;
  websites: readonly string[];
  vertical: string;
  profilePictureUrl: string | null;
};

export type SubscribedApp = { id: string; overrideUrl: string | null };

/** What an app is told of, of all accounts that subscribe it. */
export type AppWebhook = {
  /** Where to, unless the account or the number has an address of its own. */
  address: string | null;
  fields: readonly string[];
  isActive: boolean;
};

export type ConnectionReport = {
  accountName: string;
  phoneNumber: PhoneNumber;
  numberBelongsToAccount: boolean;
};

export type AccountCalls = {
  listPhoneNumbers(): Promise<PhoneNumber[]>;
  /** With its health, which lists of numbers leave out. */
  getPhoneNumber(phoneNumberId?: string): Promise<PhoneNumber>;
  getBusinessProfile(): Promise<BusinessProfile>;
  updateBusinessProfile(
    changes: Partial<Omit<BusinessProfile, 'profilePictureUrl'>> & { profilePictureHandle?: string },
  ): Promise<void>;
  requestCode(phoneNumberId: string, by: 'sms' | 'voice', language: string): Promise<void>;
  verifyCode(phoneNumberId: string, code: string): Promise<void>;
  registerNumber(phoneNumberId: string, pin: string): Promise<void>;
  /** The apps that receive webhooks of this business account, each with the address that it has for this account alone. */
  listSubscribedApps(): Promise<SubscribedApp[]>;
  /** Without this step no webhook of the account arrives. The address may override that of the app. */
  subscribeApp(override?: { callbackUrl: string; verifyToken: string }): Promise<void>;
  unsubscribeApp(): Promise<void>;
  /** Null for an app that is told of nothing yet, as every new one is. */
  getAppWebhook(appSecret: string): Promise<AppWebhook | null>;
  /** Sets the app's webhook address and fields; the platform calls the address back before it answers. */
  registerWebhook(registration: {
    appSecret: string;
    callbackUrl: string;
    verifyToken: string;
    fields: readonly string[];
  }): Promise<void>;
  /** Asks for account and number with the stored credentials; throws what the platform says against them. */
  testConnection(): Promise<ConnectionReport>;
};

export const numberFields =
  'id,display_phone_number,verified_name,quality_rating,status,throughput,whatsapp_business_manager_messaging_limit,' +
  'code_verification_status,name_status,is_pin_enabled';
const PAGE = 100;
const MOST_PAGES = 20;
const OBJECT = 'whatsapp_business_account';
const profileFields = 'about,address,description,email,profile_picture_url,websites,vertical';

export function createAccountCalls(
  graph: GraphCalls,
  ids: { phoneNumberId: string; businessAccountId: string; appId: string },
): AccountCalls {
  const account = pathSegment(ids.businessAccountId);
  const number = pathSegment(ids.phoneNumberId);
  /** The id and the secret joined by a bar; in the header it stays out of access logs. */
  const appToken = (appSecret: string) => `Bearer ${ids.appId}|${appSecret}`;

  async function listPhoneNumbers(): Promise<PhoneNumber[]> {
    const found: PhoneNumber[] = [];
    let after: string | null = null;
    // An account with more numbers than that is none; nor is a cursor that leads to itself followed for ever.
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const query = { fields: numberFields, limit: PAGE, ...(after !== null && { after }) };
      const answer: GraphAnswer = await graph.call('GET', `${account}/phone_numbers`, { query });
      found.push(...readList(answer).map(readPhoneNumber));
      after = nextPage(answer);
      if (after === null) break;
    }
    return found;
  }

  async function getPhoneNumber(phoneNumberId = ids.phoneNumberId): Promise<PhoneNumber> {
    return readPhoneNumber(
      await graph.call('GET', pathSegment(phoneNumberId), {
        query: { fields: `${numberFields},health_status` },
      }),
    );
  }

  return {
    listPhoneNumbers,
    getPhoneNumber,
    async getBusinessProfile() {
      const answer = await graph.call('GET', `${number}/whatsapp_business_profile`, {
        query: { fields: profileFields },
      });
      return readProfile(readList(answer)[0] ?? answer);
    },
    async updateBusinessProfile({ profilePictureHandle, ...changes }) {
      await graph.call('POST', `${number}/whatsapp_business_profile`, {
        json: {
          messaging_product: 'whatsapp',
          ...changes,
          ...(profilePictureHandle !== undefined && { profile_picture_handle: profilePictureHandle }),
        },
      });
    },
    async requestCode(phoneNumberId, by, language) {
      await graph.call('POST', `${pathSegment(phoneNumberId)}/request_code`, {
        json: { code_method: by.toUpperCase(), language },
      });
    },
    async verifyCode(phoneNumberId, code) {
      await graph.call('POST', `${pathSegment(phoneNumberId)}/verify_code`, { json: { code } });
    },
    async registerNumber(phoneNumberId, pin) {
      await graph.call('POST', `${pathSegment(phoneNumberId)}/register`, {
        json: { messaging_product: 'whatsapp', pin },
      });
    },
    async listSubscribedApps() {
      const apps = readList(await graph.call('GET', `${account}/subscribed_apps`));
      return apps.flatMap((app) => {
        const data = app['whatsapp_business_api_data'];
        const id = isRecord(data) ? textOf(data['id']) : null;
        return id === null ? [] : { id, overrideUrl: textOf(app['override_callback_uri']) };
      });
    },
    async subscribeApp(override) {
      await graph.call(
        'POST',
        `${account}/subscribed_apps`,
        override === undefined
          ? {}
          : { json: { override_callback_uri: override.callbackUrl, verify_token: override.verifyToken } },
      );
    },
    async unsubscribeApp() {
      await graph.call('DELETE', `${account}/subscribed_apps`);
    },
    async getAppWebhook(appSecret) {
      const answer = await graph.call('GET', `${pathSegment(ids.appId)}/subscriptions`, {
        authorization: appToken(appSecret),
      });
      const own = readList(answer).find(({ object }) => object === OBJECT);
      return own ? readAppWebhook(own) : null;
    },
    async registerWebhook({ appSecret, callbackUrl, verifyToken, fields }) {
      await graph.call('POST', `${pathSegment(ids.appId)}/subscriptions`, {
        authorization: appToken(appSecret),
        query: {
          object: OBJECT,
          callback_url: callbackUrl,
          verify_token: verifyToken,
          fields: fields.join(','),
        },
      });
    },
    async testConnection() {
      const node = await graph.call('GET', account, { query: { fields: 'id,name' } });
      const phoneNumber = await getPhoneNumber();
      const numbers = await listPhoneNumbers();
      return {
        accountName: textOf(node['name']) ?? '',
        phoneNumber,
        numberBelongsToAccount: numbers.some(({ id }) => id === ids.phoneNumberId),
      };
    },
  };
}

export function readPhoneNumber(node: GraphAnswer): PhoneNumber {
  const throughput = node['throughput'];
  const level = isRecord(throughput) ? throughput['level'] : undefined;
  const health = node['health_status'];
  return {
    id: textOf(node['id']) ?? '',
    displayPhoneNumber: textOf(node['display_phone_number']) ?? '',
    verifiedName: textOf(node['verified_name']),
    qualityRating: textOf(node['quality_rating']) ?? 'UNKNOWN',
    health: isRecord(health) ? textOf(health['can_send_message']) : null,
    status: textOf(node['status']),
    messagingLimit: textOf(node['whatsapp_business_manager_messaging_limit']),
    codeVerification: textOf(node['code_verification_status']),
    nameStatus: textOf(node['name_status']),
    isPinEnabled: node['is_pin_enabled'] === true,
    throughputPerSecond: level === 'STANDARD' ? 80 : level === 'HIGH' ? 1000 : null,
  };
}

/** Each field comes with the version of its payloads, or as its bare name. */
function readAppWebhook(node: GraphAnswer): AppWebhook {
  const fields: readonly unknown[] = Array.isArray(node['fields']) ? node['fields'] : [];
  return {
    address: textOf(node['callback_url']),
    fields: fields.flatMap((field) => textOf(isRecord(field) ? field['name'] : field) ?? []),
    isActive: node['active'] !== false,
  };
}

function readProfile(node: GraphAnswer): BusinessProfile {
  const nested = node['business_profile'];
  const profile = isRecord(nested) ? nested : node;
  const websites: unknown = profile['websites'];
  return {
    about: textOf(profile['about']) ?? '',
    address: textOf(profile['address']) ?? '',
    description: textOf(profile['description']) ?? '',
    email: textOf(profile['email']) ?? '',
    websites: Array.isArray(websites) ? websites.filter((site) => typeof site === 'string') : [],
    vertical: textOf(profile['vertical']) ?? '',
    profilePictureUrl: textOf(profile['profile_picture_url']),
  };
}

/** The cursor of the page behind this one; null on the last. */
export function nextPage(answer: GraphAnswer): string | null {
  const paging = isRecord(answer['paging']) ? answer['paging'] : {};
  const cursors = isRecord(paging['cursors']) ? paging['cursors'] : {};
  return paging['next'] === undefined ? null : textOf(cursors['after']);
}

export function readList(answer: GraphAnswer): GraphAnswer[] {
  return Array.isArray(answer['data']) ? answer['data'].filter(isRecord) : [];
}
