import { useSyncExternalStore } from 'react';
import { isPublicPath } from '../paths.ts';

const listeners = new Set<() => void>();

if (typeof window !== 'undefined') addEventListener('popstate', announce);

/** Goes to an address from a public page: to another public page at once, anywhere else by loading it. */
export function goTo(href: string, options: { replace?: boolean } = {}): void {
  if (!isPublicPath(new URL(href, location.href).pathname)) {
    if (options.replace) location.replace(href);
    else location.assign(href);
    return;
  }
  if (options.replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  scrollTo(0, 0);
  announce();
}

/** The path of a public page now: `/login`. */
export function usePublicPath(): string {
  return useSyncExternalStore(onNavigation, readPath, readPath);
}

/** What stands behind the path of a public page now: `?token=…`. */
export function usePublicSearch(): string {
  return useSyncExternalStore(onNavigation, readSearch, readSearch);
}

/** Where to go after signing in: the address that sent the visitor here, or `/dashboard`. Other sites, and other public pages than that of an invitation, are ignored. */
export function readReturnAddress(): string {
  const wanted = new URLSearchParams(location.search).get('redirect') ?? '';
  const url = URL.canParse(wanted, location.origin) ? new URL(wanted, location.origin) : undefined;
  const inside = url?.origin === location.origin && /^\/(dashboard(\/|$)|invitation$)/.test(url.pathname);
  return inside ? url.pathname + url.search + url.hash : '/dashboard';
}

function onNavigation(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readPath(): string {
  return location.pathname;
}

function readSearch(): string {
  return location.search;
}

function announce(): void {
  for (const listener of listeners) listener();
}
