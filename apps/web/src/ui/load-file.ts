import { lazy, useSyncExternalStore } from 'react';
import type { ComponentType, LazyExoticComponent } from 'react';
import { t } from '../shared/messages.ts';
import { notify } from './toast.tsx';

const RELOADED_AT = 'reloaded-after-update';
const RELOAD_PAUSE_MS = 60_000;
const RETRY_MS = 3_000;
/** Answers when the server does, and is never kept by the browser. */
const PROBE = '/healthz';

const listeners = new Set<() => void>();
let waiting = 0;

/**
 * Loads a file of the app. Without a connection it waits for one instead of failing; of a tab that was open while the product
 * was updated, the file may be gone: one reload brings the tab up to date.
 */
export async function loadFile<Module>(load: () => Promise<Module>, onWait?: () => void): Promise<Module> {
  try {
    return await load();
  } catch {
    setWaiting(1);
    onWait?.();
    try {
      return await loadOnceReachable(load);
    } finally {
      setWaiting(-1);
    }
  }
}

/** A dialog, menu or step in a file of its own; whoever opens it without a connection is told that it comes later. */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({
    default: await loadFile(load, () => notify.info(t('common.partOffline'))),
  }));
}

/** Whether something that was asked for is not here yet, for want of a connection. */
export function useIsFileAwaited(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting > 0,
  );
}

async function loadOnceReachable<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;) {
    const isReachable = await answers();
    try {
      return await load();
    } catch (error) {
      if (isReachable) return reloadOrThrow(error);
    }
    await nextChance();
  }
}

function answers(): Promise<boolean> {
  return fetch(PROBE, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

function nextChance(): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      clearTimeout(timer);
      removeEventListener('online', goOn);
      resolve();
    };
    const timer = setTimeout(goOn, RETRY_MS);
    addEventListener('online', goOn);
  });
}

/** Never twice within a minute, so that a file that is missing for good cannot make it loop. */
function reloadOrThrow(error: unknown): Promise<never> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) < RELOAD_PAUSE_MS)
    throw new FileMissing({ cause: error });
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  location.reload();
  return new Promise(() => {});
}

/** The server answers, but not with this file; in words for people. */
export class FileMissing extends Error {
  constructor(options: ErrorOptions) {
    super(t('common.fileMissing'), options);
  }
}

function setWaiting(by: 1 | -1): void {
  waiting += by;
  for (const listener of listeners) listener();
}
