import type { JsonObject } from '../../core/json.ts';
import { countryOf, dialCodeOf } from '../ids.ts';
import type { Platform } from '../platform.ts';
import type { BusinessNumber, QrCode } from '../store.ts';
import { edgeField, showNode, type NodeType } from './node-type.ts';

export const profileNode: NodeType<BusinessNumber> = {
  name: 'WhatsAppBusinessProfile',
  usual: ['about', 'address', 'description', 'email', 'profile_picture_url', 'websites', 'vertical'],
  fields: {
    messaging_product: () => 'whatsapp',
    ...Object.fromEntries(
      ['about', 'address', 'description', 'email', 'profile_picture_url', 'websites', 'vertical'].map(
        (name) => [name, (number: BusinessNumber) => number.profile[name]],
      ),
    ),
    account_name: (number) => number.verifiedName,
  },
};

export const qrCodeNode: NodeType<QrCode> = {
  name: 'WhatsAppMessageQRDL',
  usual: ['code', 'prefilled_message', 'deep_link_url'],
  fields: {
    code: (qr) => qr.code,
    prefilled_message: (qr) => qr.message,
    deep_link_url: (qr) => `https://wa.me/message/${qr.code}`,
    creation_time: (qr) => Math.floor(qr.createdAt / 1000),
    qr_image_url: (qr, { origin, values }) => qrImageUrl(origin, qr, values['format'] ?? 'SVG'),
  },
};

export const numberNode: NodeType<BusinessNumber> = {
  name: 'WhatsAppBusinessPhoneNumber',
  usual: [
    'verified_name',
    'code_verification_status',
    'display_phone_number',
    'quality_rating',
    'platform_type',
    'throughput',
    'webhook_configuration',
  ],
  fields: {
    id: (number) => number.id,
    account_mode: () => 'LIVE',
    block_users: (number) => ({ data: blockedUsersOf(number) }),
    business_compliance_info: (number) => number.compliance && { data: [number.compliance] },
    certificate: () => undefined,
    code_verification_status: (number) => (number.isVerified ? 'VERIFIED' : 'NOT_VERIFIED'),
    conversational_automation: (number) => number.automation && { ...number.automation, id: number.id },
    country_code: (number) => countryOf(number.digits),
    country_dial_code: (number) => dialCodeOf(number.digits),
    display_phone_number: (number) => number.displayPhoneNumber,
    eligibility_for_api_business_global_search: () => 'NON_ELIGIBLE_UNDEFINED_COUNTRY',
    health_status: (number) => {
      const usual = healthOf([['PHONE_NUMBER', number.id, number.status === 'CONNECTED']]);
      return number.health ? { ...usual, can_send_message: number.health } : usual;
    },
    host_platform: (number) => (number.isRegistered ? 'CLOUD_API' : 'NOT_APPLICABLE'),
    is_official_business_account: () => false,
    is_on_biz_app: () => false,
    is_pin_enabled: (number) => number.pin !== null,
    is_preverified_number: () => false,
    last_onboarded_time: (number) => timeText(number.createdAt),
    message_qrdls: edgeField(qrCodeNode, (number: BusinessNumber) => number.qrCodes ?? []),
    messaging_limit_tier: (number) => number.tier,
    name_status: (number) => number.nameStatus ?? 'APPROVED',
    new_certificate: () => undefined,
    new_display_name: (number) => number.newDisplayName,
    new_name_status: (number) => (number.newDisplayName ? 'PENDING_REVIEW' : 'NONE'),
    official_business_account: () => ({ oba_status: 'NOT_STARTED' }),
    platform_type: (number) => (number.isRegistered ? 'CLOUD_API' : 'NOT_APPLICABLE'),
    quality_rating: (number) => number.qualityRating,
    quality_score: (number) => ({ score: number.qualityRating }),
    search_visibility: () => 'NON_VISIBLE',
    settings: (number) => settingsOf(number),
    status: (number) => number.status,
    throughput: (number) => ({ level: number.throughputLevel }),
    unified_cert_status: () => 'APPROVED',
    username: (number) => number.username,
    verified_name: (number) => number.verifiedName,
    webhook_configuration: (number, { platform }) => callbacksOf(platform, number),
    whatsapp_business_encryption: (number) => ({ data: [encryptionOf(number)] }),
    whatsapp_business_manager_messaging_limit: (number) => number.tier,
    whatsapp_business_profile: (number, asked) => ({
      data: [showNode(profileNode, number, asked.inner, asked)],
    }),
    whatsapp_commerce_settings: (number) => ({ data: [commerceOf(number)] }),
  },
};

export function qrImageUrl(origin: string, qr: QrCode, format: string): string {
  return `${origin}/_sandbox/whatsapp/samples/qr-${qr.code}.${format.toUpperCase() === 'PNG' ? 'png' : 'svg'}`;
}

export function blockedUsersOf(number: BusinessNumber): JsonObject[] {
  return [...number.blocked].map((user) =>
    /^\d+$/.test(user)
      ? { messaging_product: 'whatsapp', wa_id: user }
      : { messaging_product: 'whatsapp', user_id: user },
  );
}

export function settingsOf(number: BusinessNumber): JsonObject {
  return { storage_configuration: { status: 'DEFAULT' }, ...number.settings };
}

export function commerceOf(number: BusinessNumber): JsonObject {
  const { isCartEnabled = true, isCatalogVisible = false } = number.commerce ?? {};
  return { is_cart_enabled: isCartEnabled, is_catalog_visible: isCatalogVisible, id: number.id };
}

export function encryptionOf(number: BusinessNumber): JsonObject {
  if (!number.publicKey) return {};
  return { business_public_key: number.publicKey, business_public_key_signature_status: 'VALID' };
}

/** `health_status` of a node and of what it stands on. */
export function healthOf(entities: (readonly [type: string, id: string, isWell: boolean])[]): JsonObject {
  const state = (isWell: boolean) => (isWell ? 'AVAILABLE' : 'BLOCKED');
  return {
    can_send_message: state(entities.every(([, , isWell]) => isWell)),
    entities: entities.map(([type, id, isWell]) => ({
      entity_type: type,
      id,
      can_send_message: state(isWell),
    })),
  };
}

/** The platform writes times without milliseconds and with an offset. */
export function timeText(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString().replace(/\.\d+Z$/, '+0000');
}

function callbacksOf(platform: Platform, number: BusinessNumber): JsonObject {
  const account = platform.store.accounts.get(number.accountId);
  const appUrl = account && platform.store.targetFor({ ...account, override: null }, 'messages')?.url;
  return {
    ...(appUrl ? { application: appUrl } : {}),
    ...(account?.override ? { whatsapp_business_account: account.override.url } : {}),
    ...(number.override ? { phone_number: number.override.url } : {}),
  };
}
