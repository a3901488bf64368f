import type { PublicRoute } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

// Public pages run without the router and the query cache, so that little script stands before the form.
export const authRoutes: readonly PublicRoute[] = [
  {
    path: paths.login,
    messages: ['auth'],
    page: async () => (await import('./login-page.tsx')).LoginPage,
  },
  {
    path: paths.register,
    messages: ['auth', 'account-access'],
    page: async () => (await import('./register-page.tsx')).RegisterPage,
  },
  {
    path: paths.forgotPassword,
    messages: ['auth', 'account-access'],
    page: async () => (await import('./forgot-password-page.tsx')).ForgotPasswordPage,
  },
  {
    path: paths.invitation,
    messages: ['auth', 'account-access'],
    page: async () => (await import('./invitation-page.tsx')).InvitationPage,
  },
  {
    path: paths.emailLink,
    messages: ['auth', 'account-access'],
    page: async () => (await import('./email-link-page.tsx')).EmailLinkPage,
  },
];
