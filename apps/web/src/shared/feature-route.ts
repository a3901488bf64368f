import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Permission } from '@app/domain/auth/permissions';
import type { CatalogueName } from './messages.ts';
import type { PublicPath } from './paths.ts';

/** A page for everybody: landing, sign-in and their like. Its address has no parameters. */
export interface PublicRoute {
  path: PublicPath;
  messages: readonly CatalogueName[];
  page: () => Promise<ComponentType>;
}

/** One page of a feature, as its `<feature>-routes.tsx` lists it. */
export interface FeatureRoute {
  /** The whole address, with parameters as `$id`: `/dashboard/contacts/$contactId`. */
  path: string;
  /** Every one of these is needed, else the page is Access Denied. */
  access?: readonly Permission[] | undefined;
  /** What a form needs besides, by the `form` or `dialog` in the address: without it, Access Denied too. */
  formAccess?: Readonly<Record<string, readonly Permission[] | undefined>> | undefined;
  /** The catalogues that the page's words come from; loaded before it shows. */
  messages: readonly CatalogueName[];
  /** Loads the page's component, and with it everything heavy. */
  page: () => Promise<ComponentType>;
  /** Readable without a connection: loaded ahead, while the browser has nothing else to do. */
  isReadableOffline?: true;
  /** Starts the page's first queries when a link to it is hovered or opened. */
  prefetch?: ((visit: FeatureVisit) => unknown) | undefined;
}

export interface FeatureVisit {
  queryClient: QueryClient;
  params: Record<string, string>;
  search: Record<string, unknown>;
}
