import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { objectOf, objectsOf, parseJson } from '../core/json.ts';
import type { Platform } from './platform.ts';
import { reviewLater } from './templates/template-review.ts';
import type { Account, App, BusinessNumber, Store, Template, Token } from './store.ts';

const SAVE_EVERY_MS = 1000;

/**
 * Keeps apps, accounts, numbers, tokens and templates over restarts, so that what a product registered is still
 * there; messages, media and behaviour are not kept. Returns what saves a last time and stops.
 */
export function keepState(platform: Platform, file: string): () => void {
  restore(platform.store, readState(file));
  for (const template of platform.store.templates.values()) {
    if (template.status === 'PENDING') reviewLater(platform, template);
  }
  let savedVersion = platform.version;
  let savedText = '';
  const save = () => {
    if (platform.version === savedVersion) return;
    savedVersion = platform.version;
    const text = JSON.stringify(snapshot(platform.store));
    if (text === savedText) return;
    savedText = text;
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(`${file}.new`, text, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    } catch (error) {
      console.error(
        `The sandbox could not save its state: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  };
  const timer = setInterval(save, SAVE_EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    save();
  };
}

function snapshot(store: Store): unknown {
  return {
    apps: [...store.apps.values()],
    tokens: [...store.tokens],
    accounts: [...store.accounts.values()].map((account) => ({
      ...account,
      appIds: [...account.appIds],
      subscribedAppIds: [...account.subscribedAppIds],
    })),
    numbers: [...store.numbers.values()].map((number) => ({ ...number, blocked: [...number.blocked] })),
    templates: [...store.templates.values()],
  };
}

// The file is our own: its records have the shapes that `snapshot` gave them.
function restore(store: Store, state: Record<string, unknown>): void {
  for (const app of objectsOf(state['apps']) as unknown as App[]) {
    // An address given at this start wins over the one of the last.
    store.apps.set(app.id, { ...app, callbackUrl: store.apps.get(app.id)?.callbackUrl ?? app.callbackUrl });
  }
  for (const [value, token] of (state['tokens'] ?? []) as [string, Token][]) store.tokens.set(value, token);
  for (const account of objectsOf(state['accounts']) as unknown as Account[]) {
    // hello_world of the seed gives way to the one of the file
    for (const template of store.templatesOf(account.id)) store.removeTemplate(template);
    const sets = { appIds: new Set(account.appIds), subscribedAppIds: new Set(account.subscribedAppIds) };
    store.accounts.set(account.id, { ...account, ...sets });
  }
  for (const number of objectsOf(state['numbers']) as unknown as BusinessNumber[]) {
    store.numbers.set(number.id, { ...number, blocked: new Set(number.blocked) });
  }
  for (const template of objectsOf(state['templates']) as unknown as Template[]) store.addTemplate(template);
}

function readState(file: string): Record<string, unknown> {
  try {
    return objectOf(parseJson(readFileSync(file, 'utf8')));
  } catch {
    // The first start has no file yet.
    return {};
  }
}
