import { chooseLanguage, type InterfaceLanguage } from '@app/domain/text/interface-language';
import { sayMessage, type Message } from '@app/domain/text/say-message';
import { useSyncExternalStore } from 'react';
import { readCatalogue } from './languages/catalogue-files.ts';
import { readChosenLanguage } from './languages/chosen-language.ts';
import type { SourceTexts } from './languages/split-words.ts';

/** A file whose texts stand in every language. */
type Source<Texts extends SourceTexts> = Texts;

/** One line per file in `src/messages`; the keys of `t` follow from it. */
interface Sources {
  'account-access': Source<typeof import('../messages/account-access.json')>;
  'analytics-people': Source<typeof import('../messages/analytics-people.json')>;
  'ab-tests': Source<typeof import('../messages/ab-tests.json')>;
  activity: Source<typeof import('../messages/activity.json')>;
  automation: Source<typeof import('../messages/automation.json')>;
  analytics: Source<typeof import('../messages/analytics.json')>;
  'api-keys': Source<typeof import('../messages/api-keys.json')>;
  auth: Source<typeof import('../messages/auth.json')>;
  bell: Source<typeof import('../messages/bell.json')>;
  'bulk-message': Source<typeof import('../messages/bulk-message.json')>;
  campaigns: Source<typeof import('../messages/campaigns.json')>;
  canvas: Source<typeof import('../messages/canvas.json')>;
  channels: Source<typeof import('../messages/channels.json')>;
  chat: Source<typeof import('../messages/chat.json')>;
  chatbot: Source<typeof import('../messages/chatbot.json')>;
  common: Source<typeof import('../messages/common.json')>;
  composer: Source<typeof import('../messages/composer.json')>;
  connection: Source<typeof import('../messages/connection.json')>;
  'contact-panel': Source<typeof import('../messages/contact-panel.json')>;
  contacts: Source<typeof import('../messages/contacts.json')>;
  conversions: Source<typeof import('../messages/conversions.json')>;
  conversations: Source<typeof import('../messages/conversations.json')>;
  dashboard: Source<typeof import('../messages/dashboard.json')>;
  'data-management': Source<typeof import('../messages/data-management.json')>;
  deliveries: Source<typeof import('../messages/deliveries.json')>;
  failure: Source<typeof import('../messages/failure.json')>;
  health: Source<typeof import('../messages/health.json')>;
  home: Source<typeof import('../messages/home.json')>;
  inbox: Source<typeof import('../messages/inbox.json')>;
  landing: Source<typeof import('../messages/landing.json')>;
  integrations: Source<typeof import('../messages/integrations.json')>;
  operations: Source<typeof import('../messages/operations.json')>;
  media: Source<typeof import('../messages/media.json')>;
  'missing-page': Source<typeof import('../messages/missing-page.json')>;
  notifications: Source<typeof import('../messages/notifications.json')>;
  outbox: Source<typeof import('../messages/outbox.json')>;
  palette: Source<typeof import('../messages/palette.json')>;
  presence: Source<typeof import('../messages/presence.json')>;
  profile: Source<typeof import('../messages/profile.json')>;
  'webhook-endpoints': Source<typeof import('../messages/webhook-endpoints.json')>;
  'quick-replies': Source<typeof import('../messages/quick-replies.json')>;
  'rcs-agent': Source<typeof import('../messages/rcs-agent.json')>;
  'rcs-analytics': Source<typeof import('../messages/rcs-analytics.json')>;
  rcs: Source<typeof import('../messages/rcs.json')>;
  sample: Source<typeof import('../messages/sample.json')>;
  sending: Source<typeof import('../messages/sending.json')>;
  settings: Source<typeof import('../messages/settings.json')>;
  teams: Source<typeof import('../messages/teams.json')>;
  teamwork: Source<typeof import('../messages/teamwork.json')>;
  templates: Source<typeof import('../messages/templates.json')>;
  ui: Source<typeof import('../messages/ui.json')>;
  users: Source<typeof import('../messages/users.json')>;
  'bot-flows': Source<typeof import('../messages/bot-flows.json')>;
  'workflow-runs': Source<typeof import('../messages/workflow-runs.json')>;
  'workflow-simulation': Source<typeof import('../messages/workflow-simulation.json')>;
  whatsapp: Source<typeof import('../messages/whatsapp.json')>;
  workspaces: Source<typeof import('../messages/workspaces.json')>;
  writing: Source<typeof import('../messages/writing.json')>;
}

/** Each file is loaded as one, and the words of all facts are (`split-words.ts`). */
export type CatalogueName = keyof Sources | 'activity-facts';
export type MessageKey = { [Name in keyof Sources]: keyof Sources[Name] }[keyof Sources] & string;
/**
 * `n` is a number that the text itself writes as the language does, never one that was written before. A switch is chosen by:
 * `{isOn, select, true {…} other {…}}`.
 */
export type MessageValues = Record<string, string | number | boolean> & { n?: number };

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
