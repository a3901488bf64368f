import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { AnyRoute } from '@tanstack/react-router';
import type { FeatureRoute, FeatureVisit } from '../shared/feature.ts';
import { publicPaths } from '../shared/paths.ts';
import { queryClient } from '../shared/query-client.ts';
import { can, isSignedIn } from '../shared/session.ts';
import { savesData } from '../shared/offline/saves-data.ts';
import { DashboardFrame } from './dashboard-frame.tsx';
import { LeaveDashboard } from './leave-dashboard.tsx';
import { navigation, routes } from './features.tsx';
import { WaitingPage } from './plain-pages/waiting-page.tsx';
import { routePage } from './route-page.tsx';
import { RouterErrorPage } from './plain-pages/router-error-page.tsx';

/** Pages that stay readable without a connection. */
export const offlineRoutes = routes.filter((route) => route.isReadableOffline);

const rootRoute = createRootRoute({ component: Outlet });

const dashboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'dashboard',
  component: DashboardFrame,
});

const shortAddresses = navigation
  .filter((item) => item.path !== '/dashboard')
  .map((item) =>
    createRoute({
      getParentRoute: () => rootRoute,
      path: item.path.replace('/dashboard', ''),
      beforeLoad: ({ search }) => {
        throw redirect({ to: item.path, search, replace: true });
      },
    }),
  );

const publicPages = publicPaths.map((path) =>
  createRoute({ getParentRoute: () => rootRoute, path, component: LeaveDashboard }),
);

let reading: Promise<unknown> = Promise.resolve();

/** What the page that was opened last reads first. */
export function whatIsRead(): Promise<unknown> {
  return reading;
}

/** The route tree: features list their pages, this file only mounts them. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    ...publicPages,
    ...shortAddresses,
    ...developmentRoutes(),
    dashboardRoute.addChildren(routes.map((route) => mount(route, dashboardRoute))),
  ]),
  // Whoever saves data loads what they open, and nothing that they only point at.
  defaultPreload: savesData() ? false : 'intent',
  defaultPreloadDelay: 40,
  // The query cache decides what is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  scrollToTopSelectors: ['#content'],
  defaultPendingMs: 400,
  defaultPendingComponent: WaitingPage,
  defaultErrorComponent: RouterErrorPage,
  defaultNotFoundComponent: routePage({
    page: async () => (await import('./plain-pages/not-found-page.tsx')).NotFoundPage,
    messages: ['missing-page'],
  }).component,
});

function mount(route: FeatureRoute, parent: AnyRoute): AnyRoute {
  const { load, component } = routePage(route);
  return createRoute({
    getParentRoute: () => parent,
    path: route.path,
    staticData: {
      access: route.access ?? [],
      formAccess: route.formAccess,
      deniedText: route.deniedText,
    },
    loader: async ({ params, location }) => {
      // Strangers are about to be sent to the sign-in page, others meet Access Denied: their queries would only be refused.
      if (isSignedIn() && (route.access ?? []).every(can))
        reading = startPrefetch(route, { queryClient, params, search: location.search });
      // Without a connection the page says so itself, in its place.
      await load().catch(() => undefined);
    },
    component,
  });
}

/** The page asks again for what cannot be had now, and reports it. */
async function startPrefetch(route: FeatureRoute, visit: FeatureVisit): Promise<void> {
  try {
    await route.prefetch?.(visit);
  } catch {
    // Its file could not be loaded.
  }
}

function developmentRoutes(): AnyRoute[] {
  if (!import.meta.env.DEV) return [];
  return [
    createRoute({
      getParentRoute: () => rootRoute,
      path: '/dev/ui',
      component: lazyRouteComponent(() => import('./dev-ui/dev-ui-page.tsx'), 'DevUiPage'),
    }),
  ];
}
