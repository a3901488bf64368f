import { DEFAULT_CURRENCY, type PriceList } from './price-list.ts';
import type { PhoneCountry } from '../contacts/phone-country.ts';
import type { InterfaceLanguage } from '../text/interface-language.ts';

/** What kind of business it is. */
export const businessCategories = [
  'retail',
  'ecommerce',
  'services',
  'healthcare',
  'education',
  'technology',
  'other',
] as const;
export type BusinessCategory = (typeof businessCategories)[number];

/** The days on which a week begins somewhere: Saturday, Sunday, Monday. Counted from Sunday, which is 0. */
export const weekStarts = [1, 0, 6] as const;
export type WeekStart = (typeof weekStarts)[number];

/** What people see of the business beside its name. */
export type BusinessProfile = {
  category: BusinessCategory;
  about: string;
  address: string;
  description: string;
  email: string;
  websites: string[];
  /** Its picture, by id (`logo.ts`). */
  logo: string | null;
};

/** What a workspace says of itself, and how it reckons where nobody chose anything. */
export type GeneralSettings = BusinessProfile & {
  businessName: string;
  timeZone: string;
  /** Of mails to people who chose no language of their own. */
  language: InterfaceLanguage;
  weekStartsOn: WeekStart;
  /** Of numbers without a country code; null: that of the number that sends. */
  country: PhoneCountry | null;
  /** Of the price list (ISO 4217). */
  currency: string;
  /** Null: every message costs the flat price. */
  priceList: PriceList | null;
};

export const generalLimits = {
  businessName: 100,
  about: 139,
  address: 256,
  description: 512,
  email: 128,
  website: 256,
  websites: 2,
} as const;

export const DEFAULT_BUSINESS_NAME = 'Your Business';

export const defaultGeneralSettings: GeneralSettings = {
  businessName: DEFAULT_BUSINESS_NAME,
  category: 'other',
  about: '',
  address: '',
  description: '',
  email: '',
  websites: [],
  logo: null,
  timeZone: 'UTC',
  language: 'en',
  weekStartsOn: 1,
  country: null,
  currency: DEFAULT_CURRENCY,
  priceList: null,
};

/** Stored is what was saved; what is not named yet has its default. */
export function readGeneralSettings(stored: Record<string, unknown>): GeneralSettings {
  const known = Object.keys(defaultGeneralSettings).filter((name) => stored[name] !== undefined);
  const settings = Object.fromEntries(known.map((name) => [name, stored[name]]));
  // What is stored was in the form of the contract.
  return { ...defaultGeneralSettings, ...(settings as Partial<GeneralSettings>) };
}

/** Profiles that numbers had of their own before there were logos name none. */
export type StoredProfile = Omit<BusinessProfile, 'logo'> & { logo?: string | null };

/** The part that platforms show. */
export function readProfile(settings: StoredProfile): BusinessProfile {
  const { category, about, address, description, email, websites, logo = null } = settings;
  return { category, about, address, description, email, websites, logo };
}

/**
 * The address of a website as it is kept, which begins with http:// or https://; null of what is none. `shop.example` is
 * read as people mean it.
 */
export function readWebsite(typed: string): string | null {
  const text = typed.trim();
  const address = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`;
  return WEBSITE.test(address) && address.length <= generalLimits.website ? address : null;
}

/** A host with a dot, neither name nor password before it. */
const WEBSITE = /^https?:\/\/[^\s/?#@:]+\.[^\s/?#@:.]+(:\d{1,5})?([/?#]\S*)?$/i;

/** A name of people's own, in one line; at the default again when nothing is left of it. */
export function readBusinessName(typed: string): string {
  return typed.replaceAll(/\s+/g, ' ').trim() || DEFAULT_BUSINESS_NAME;
}
