import { lazy } from 'react';
import type { ComponentType, LazyExoticComponent } from 'react';
import { t } from '../shared/messages.ts';
import { notify } from './toast.ts';

/** Long enough that the first page is there and its charts are drawn. */
const SETTLED_MS = 4_000;
const RELOADED_AT = 'reloaded-after-update';
const RELOAD_PAUSE_MS = 60_000;
const RETRY_MS = 3_000;

/**
 * Loads a file of the app. Without a connection it waits for one instead of failing. Browsers remember for the life of a page
 * that a file failed: a reload brings it then, and so it does for a tab that was open while the product was updated, whose files
 * are gone.
 */
export async function loadFile<Module>(load: () => Promise<Module>, onWait?: () => void): Promise<Module> {
  let wasAway = false;
  for (let tries = 0; ; tries += 1) {
    const isReachable = tries > 0 && (await answers());
    try {
      return await load();
    } catch (error) {
      if (isReachable) return wasAway ? reload() : reloadOrThrow(error);
      wasAway = tries > 0;
      if (wasAway) await nextChance();
      else onWait?.();
    }
  }
}

/** A dialog, menu or step in a file of its own; whoever opens it without a connection is told that it comes later. */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
  onWait: () => void = () => notify.info(t('ui.offlineText')),
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadFile(load, onWait) }));
}

/** A part of the page that nobody has to ask for: it comes when it can. */
export function lazyDetail<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazyPart(load, () => undefined);
}

let settled: Promise<void> | undefined;

/** Resolves once the first view has settled. Parts that the user neither sees nor asked for load after it, so that they do not slow down the first view. */
export function whenSettled(): Promise<void> {
  settled ??= new Promise((resolve) => {
    setTimeout(resolve, SETTLED_MS);
  });
  return settled;
}

function answers(): Promise<boolean> {
  return fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

function nextChance(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, RETRY_MS);
  });
}

/** Never twice within a minute, so that a file that is missing for good cannot make it loop. */
function reloadOrThrow(cause: unknown): Promise<never> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) < RELOAD_PAUSE_MS)
    throw new Error(t('common.error.internal'), { cause });
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  return reload();
}

function reload(): Promise<never> {
  location.reload();
  return new Promise(() => {});
}
