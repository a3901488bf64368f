import { chooseLanguage, type InterfaceLanguage } from '@app/domain/text/interface-language';
import { sayMessage, type Message } from '@app/domain/text/say-message';
import { useSyncExternalStore } from 'react';
import type activity from '../messages/en/activity.json';
import type activityFacts from '../messages/en/activity-facts.json';
import type auth from '../messages/en/auth.json';
import type bulkMessage from '../messages/en/bulk-message.json';
import type campaigns from '../messages/en/campaigns.json';
import type common from '../messages/en/common.json';
import type contacts from '../messages/en/contacts.json';
import type dashboard from '../messages/en/dashboard.json';
import type deliveries from '../messages/en/deliveries.json';
import type landing from '../messages/en/landing.json';
import type longActs from '../messages/en/long-acts.json';
import type media from '../messages/en/media.json';
import type missingPage from '../messages/en/missing-page.json';
import type palette from '../messages/en/palette.json';
import type profile from '../messages/en/profile.json';
import type sending from '../messages/en/sending.json';
import type teams from '../messages/en/teams.json';
import type templates from '../messages/en/templates.json';
import type users from '../messages/en/users.json';
import { readCatalogue } from './languages/catalogue-files.ts';
import { readChosenLanguage } from './languages/chosen-language.ts';

/** One line per catalogue in `src/messages/en`; the keys of `t` follow from it. */
interface Catalogues {
  activity: typeof activity;
  'activity-facts': typeof activityFacts;
  auth: typeof auth;
  'bulk-message': typeof bulkMessage;
  campaigns: typeof campaigns;
  common: typeof common;
  contacts: typeof contacts;
  dashboard: typeof dashboard;
  deliveries: typeof deliveries;
  landing: typeof landing;
  'long-acts': typeof longActs;
  media: typeof media;
  'missing-page': typeof missingPage;
  palette: typeof palette;
  profile: typeof profile;
  sending: typeof sending;
  teams: typeof teams;
  templates: typeof templates;
  users: typeof users;
}

export type CatalogueName = keyof Catalogues;
export type MessageKey = { [Name in CatalogueName]: keyof Catalogues[Name] }[CatalogueName] & string;
/** `n` is a number that the text itself writes as the language does, never one that was written before. */
export type MessageValues = Record<string, string | number> & { n?: number };

export type Locale = InterfaceLanguage;

/** Texts by key, of each language that was active. */
const catalogues: Partial<Record<Locale, Record<string, Message>>> = {};
const listeners = new Set<() => void>();
let locale: Locale = 'en';
const loaded = new Set<CatalogueName>();
const loading = new Map<string, Promise<void>>();
const arrived = new Set<string>();

/** The text of a key in the active language; plurals and placeholders are filled from `values`. */
export function t(key: MessageKey, values?: MessageValues): string {
  return findText(key, values) ?? key;
}

/** The text of a key that is made of a code; undefined when the catalogue has none for it. */
export function findText(key: string, values?: MessageValues): string | undefined {
  const texts = catalogues[locale] ?? {};
  const message = Object.hasOwn(texts, key) ? texts[key] : undefined;
  return message && sayMessage(message, values ?? {}, locale);
}

/** Loads catalogues of the active language once; a route calls it in its loader. */
export async function loadMessages(...names: CatalogueName[]): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      loaded.add(name);
      await loadCatalogue(activeLocale(), name);
    }),
  );
}

/** Whether a catalogue is there in the active language. */
export function hasMessages(name: CatalogueName): boolean {
  return arrived.has(`${activeLocale()}/${name}`);
}

/** Calls back whenever words come or the language changes. */
export function subscribeToMessages(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Switches the whole interface once every loaded catalogue is there in the new language. */
export async function switchLocale(wanted: Locale): Promise<void> {
  await Promise.all([...loaded].map((name) => loadCatalogue(wanted, name)));
  locale = wanted;
  // Pages are drawn while building, too.
  if (typeof document !== 'undefined') document.documentElement.lang = wanted;
  announce();
}

export function activeLocale(): Locale {
  return locale;
}

/** The active language; a component that uses it renders again after a switch. */
export function useLocale(): Locale {
  return useSyncExternalStore(subscribeToMessages, activeLocale, activeLocale);
}

/** The language chosen in this browser, else the browser's when we have it, else English. */
export function preferredLocale(): Locale {
  return chooseLanguage([readChosenLanguage(), ...navigator.languages]);
}

function loadCatalogue(language: Locale, name: CatalogueName): Promise<void> {
  const key = `${language}/${name}`;
  const running = loading.get(key);
  if (running) return running;
  const promise = readCatalogue(language, name).then((texts) => {
    arrived.add(key);
    Object.assign((catalogues[language] ??= {}), texts);
    announce();
  });
  loading.set(key, promise);
  // A failed download must be tried again on the next visit.
  promise.catch(() => loading.delete(key));
  return promise;
}

function announce(): void {
  for (const listener of listeners) listener();
}
