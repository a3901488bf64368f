import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import type { Permission } from '@app/domain/auth/permissions';
import type { Feature as FeatureName } from '@app/domain/features';
import type { LiveTopic } from '@app/domain/live/live-topics';
import type { CatalogueName, MessageKey } from './messages.ts';
import type { PublicPath } from './paths.ts';

/** A page for everybody: landing, sign-in and their like. Its address has no parameters. */
export interface PublicRoute {
  path: PublicPath;
  messages: readonly CatalogueName[];
  page: () => Promise<ComponentType>;
}

/** What a feature is to the app, as its `<feature>-feature.tsx` says it once. */
export interface Feature {
  name: FeatureName;
  routes: readonly FeatureRoute[];
  /** Its entry in the sidebar, which the palette offers as well. */
  navigation?: NavigationEntry | undefined;
}

export interface NavigationEntry {
  path: string;
  label: MessageKey;
  icon: ReactNode;
  /** Needed to open the page; without it the entry does not appear. */
  access: readonly Permission[];
  /** The live figure beside it. */
  count?: 'inbox' | 'campaigns' | undefined;
}

/** A page with one of its forms open, offered by the palette to people who may use it: `app/actions.tsx`. */
export interface FeatureAction {
  label: MessageKey;
  icon: ReactNode;
  path: string;
  search?: Record<string, string> | undefined;
  access: readonly Permission[];
}

/** One page of a feature. */
export interface FeatureRoute {
  /** The whole address, with parameters as `$id`: `/dashboard/contacts/$contactId`. */
  path: string;
  /** Every one of these is needed, else the page is Access Denied. */
  access?: readonly Permission[] | undefined;
  /** Said to whoever may not see it, in place of the sentence that all pages have. */
  deniedText?: MessageKey | undefined;
  /** What a form needs besides, by the `form` or `dialog` in the address: without it, Access Denied too. */
  formAccess?: Readonly<Record<string, readonly Permission[] | undefined>> | undefined;
  /** The catalogues that the page's words come from; loaded before it shows. */
  messages: readonly CatalogueName[];
  /** Loads the page's component, and with it everything heavy. */
  page: () => Promise<ComponentType>;
  /** Readable without a connection: loaded ahead, while the browser has nothing else to do. */
  isReadableOffline?: true;
  /** Loads what the page itself brings after its first view; loaded ahead with it. */
  loadLater?: (() => Promise<unknown>) | undefined;
  /** What is read anew, while the page is shown, after events of these topics. */
  live?: { topics: readonly LiveTopic[]; keys: () => readonly QueryKey[] } | undefined;
  /** Starts the page's first queries when a link to it is hovered or opened. */
  prefetch?: ((visit: FeatureVisit) => unknown) | undefined;
}

export interface FeatureVisit {
  queryClient: QueryClient;
  params: Record<string, string>;
  search: Record<string, unknown>;
}
