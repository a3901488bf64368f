import type { JsonObject } from '../core/json.ts';
import type { WebhookTarget } from '../core/webhook-sender.ts';
import { NodeIds } from './ids.ts';

export interface CallbackOverride {
  url: string;
  verifyToken: string;
}

export interface App {
  id: string;
  name: string;
  secret: string;
  verifyToken: string;
  /** Where webhooks go unless the account or number overrides it. */
  callbackUrl: string | null;
  /** null: all fields. */
  fields: string[] | null;
}

export interface Account {
  id: string;
  name: string;
  currency: string;
  timezoneId: string;
  country: string;
  /** Apps that may use this account. */
  appIds: Set<string>;
  /** Apps that get its webhooks. */
  subscribedAppIds: Set<string>;
  override: CallbackOverride | null;
  templateCreations: number[];
  managementCalls: number[];
  isEnabledForInsights?: boolean;
  createdAt?: number;
}

export interface BusinessNumber {
  id: string;
  accountId: string;
  digits: string;
  displayPhoneNumber: string;
  verifiedName: string;
  qualityRating: 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN';
  status: string;
  isRegistered: boolean;
  isVerified: boolean;
  pin: string | null;
  tier: string;
  throughputLevel: 'STANDARD' | 'HIGH' | 'NOT_APPLICABLE';
  /** Own limit, else the behaviour's. */
  throughputMps: number | null;
  override: CallbackOverride | null;
  profile: JsonObject;
  settings: JsonObject;
  registrations: number[];
  /** Digits or business-scoped user ids. */
  blocked: Set<string>;
  createdAt?: number;
  newDisplayName?: string;
  /** Review of the name that people see; approved where nobody said otherwise. */
  nameStatus?: string;
  /** Where it may send less than its state says. */
  health?: 'LIMITED' | 'BLOCKED';
  username?: string;
  /** What `conversational_automation` was set to. */
  automation?: JsonObject;
  commerce?: { isCartEnabled: boolean; isCatalogVisible: boolean };
  compliance?: JsonObject;
  publicKey?: string;
  qrCodes?: QrCode[];
}

/** A code that opens a chat with a text already written. */
export interface QrCode {
  code: string;
  message: string;
  createdAt: number;
}

export interface Template {
  id: string;
  accountId: string;
  name: string;
  language: string;
  status: string;
  category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION';
  previousCategory: string | null;
  correctCategory: string | null;
  parameterFormat: 'POSITIONAL' | 'NAMED';
  components: JsonObject[];
  rejectedReason: string;
  qualityScore: string;
  ttlSeconds: number | null;
  sends: number;
  edits: number[];
  createdAt: number;
  /** The entry of the template library that it was made from. */
  libraryName?: string;
}

export interface Media {
  id: string;
  numberId: string;
  mimeType: string;
  filename: string;
  bytes: Buffer;
  sha256: Buffer;
  createdAt: number;
  /** When the id stops to mean anything. */
  goneAt: number;
  /** Addresses that were given out until then are over. */
  addressesEndedAt?: number;
}

export interface Upload {
  id: string;
  appId: string;
  fileName: string;
  fileType: string;
  length: number;
  received: Buffer[];
  offset: number;
}

export interface Token {
  appId: string;
  problem: 'expired' | 'revoked' | 'no-permission' | null;
  /** Without it the token never ends. */
  expiresAt?: number;
  /** What it may; without it everything. */
  permissions?: Permission[];
}

export const permissions = ['whatsapp_business_messaging', 'whatsapp_business_management'] as const;
export type Permission = (typeof permissions)[number];

const MEDIA_MEMORY = 256 * 1024 * 1024;

/** All nodes of the pretended platform. Ids share one namespace, as on the real one. */
export class Store {
  readonly ids = new NodeIds();
  readonly apps = new Map<string, App>();
  readonly accounts = new Map<string, Account>();
  readonly numbers = new Map<string, BusinessNumber>();
  readonly templates = new Map<string, Template>();
  readonly media = new Map<string, Media>();
  readonly uploads = new Map<string, Upload>();
  readonly handles = new Map<string, { mimeType: string; fileName: string; bytes: Buffer }>();
  readonly tokens = new Map<string, Token>();
  /** `account/name` of deleted approved templates: the name stays blocked until then. */
  readonly reservedNames = new Map<string, number>();
  #templatesByName = new Map<string, Template>();
  #mediaBytes = 0;

  addTemplate(template: Template): void {
    this.templates.set(template.id, template);
    this.#templatesByName.set(templateKey(template.accountId, template.name, template.language), template);
  }

  removeTemplate(template: Template): void {
    this.templates.delete(template.id);
    this.#templatesByName.delete(templateKey(template.accountId, template.name, template.language));
  }

  findTemplate(accountId: string, name: string, language: string): Template | undefined {
    return this.#templatesByName.get(templateKey(accountId, name, language));
  }

  templatesOf(accountId: string): Template[] {
    return [...this.templates.values()].filter((template) => template.accountId === accountId);
  }

  numbersOf(accountId: string): BusinessNumber[] {
    return [...this.numbers.values()].filter((number) => number.accountId === accountId);
  }

  addMedia(media: Media): void {
    this.media.set(media.id, media);
    this.#mediaBytes += media.bytes.length;
    for (const oldest of this.media.values()) {
      if (this.#mediaBytes <= MEDIA_MEMORY) break;
      this.removeMedia(oldest);
    }
  }

  removeMedia(media: Media): void {
    if (this.media.delete(media.id)) this.#mediaBytes -= media.bytes.length;
  }

  /** Where a webhook of this field goes: number override, then account override, then app. */
  targetFor(account: Account, field: string, number?: BusinessNumber): WebhookTarget | undefined {
    for (const appId of account.subscribedAppIds) {
      const app = this.apps.get(appId);
      if (!app || (app.fields && !app.fields.includes(field))) continue;
      const url = number?.override?.url ?? account.override?.url ?? app.callbackUrl;
      if (url) return { url, appSecret: app.secret };
    }
    return undefined;
  }

  clear(): void {
    for (const map of [this.apps, this.accounts, this.numbers, this.templates, this.media, this.uploads])
      map.clear();
    this.handles.clear();
    this.tokens.clear();
    this.reservedNames.clear();
    this.#templatesByName.clear();
    this.#mediaBytes = 0;
  }
}

function templateKey(accountId: string, name: string, language: string): string {
  return `${accountId}/${name}/${language}`;
}
