import { authRoutes } from '../features/auth/auth-routes.tsx';
import { landingRoutes } from '../features/landing/landing-routes.tsx';
import type { PublicRoute } from '../shared/feature.ts';

export const publicRoutes: readonly PublicRoute[] = [...landingRoutes, ...authRoutes];
