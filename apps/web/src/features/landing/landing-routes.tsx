import type { PublicRoute } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

export const landingRoutes: readonly PublicRoute[] = [
  {
    path: paths.landing,
    messages: ['landing'],
    page: async () => (await import('./landing-page.tsx')).LandingPage,
  },
];
