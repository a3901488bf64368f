import type { CatalogueName, MessageKey } from '../shared/messages.ts';
import { paths } from '../shared/paths.ts';
import type { PublicPath } from '../shared/paths.ts';

/** A public page with what its first visit loads, as the build needs to know it. */
export interface PrerenderedPublicPage {
  path: PublicPath;
  title: MessageKey;
  messages: readonly CatalogueName[];
  /** The file of the page, from `src`. */
  module: string;
  /** Its address alone does not tell what it shows, so the file holds only the place for it. */
  isEmpty?: true;
}

/** A page of the dashboard whose frame is drawn while building. */
export interface PrerenderedShell {
  path: string;
  messages: readonly CatalogueName[];
  module: string;
  title: MessageKey;
  purpose: MessageKey;
}

export const prerenderedPublicPages: readonly PrerenderedPublicPage[] = [
  {
    path: paths.landing,
    title: 'landing.title',
    messages: ['landing'],
    module: 'features/landing/landing-page.tsx',
  },
  {
    path: paths.login,
    title: 'auth.signIn.title',
    messages: ['auth'],
    module: 'features/auth/login-page.tsx',
  },
  {
    path: paths.register,
    title: 'auth.signUp.title',
    messages: ['auth', 'account-access'],
    module: 'features/auth/register-page.tsx',
  },
  {
    path: paths.forgotPassword,
    title: 'auth.forgot.title',
    messages: ['auth', 'account-access'],
    module: 'features/auth/forgot-password-page.tsx',
    // With a token it asks for the new password.
    isEmpty: true,
  },
  {
    path: paths.invitation,
    title: 'auth.invitation.title',
    messages: ['auth', 'account-access'],
    module: 'features/auth/invitation-page.tsx',
    // Who invites, and to what, stands behind the token.
    isEmpty: true,
  },
  {
    path: paths.emailLink,
    title: 'auth.emailLink.title',
    messages: ['auth', 'account-access'],
    module: 'features/auth/email-link-page.tsx',
    // One link confirms, the other takes back.
    isEmpty: true,
  },
];

export const prerenderedShells: readonly PrerenderedShell[] = [
  {
    path: paths.dashboard,
    messages: ['dashboard'],
    module: 'features/dashboard/dashboard-page.tsx',
    title: 'dashboard.title',
    purpose: 'dashboard.purpose',
  },
  {
    path: paths.contacts,
    messages: ['contacts'],
    module: 'features/contacts/contacts-page.tsx',
    title: 'contacts.title',
    purpose: 'contacts.purpose',
  },
  {
    path: paths.chatbot,
    messages: ['chatbot', 'inbox', 'conversations'],
    module: 'features/chatbot/chatbot-page.tsx',
    title: 'chatbot.title',
    purpose: 'chatbot.purpose',
  },
  {
    path: paths.templates,
    messages: ['templates', 'media', 'writing', 'deliveries'],
    module: 'features/templates/templates-page.tsx',
    title: 'templates.title',
    purpose: 'templates.purpose',
  },
  {
    path: paths.campaigns,
    messages: ['campaigns', 'sending', 'deliveries', 'writing'],
    module: 'features/campaigns/campaigns-page.tsx',
    title: 'campaigns.title',
    purpose: 'campaigns.purpose',
  },
  {
    path: paths.bulkMessage,
    messages: ['bulk-message', 'sending', 'writing'],
    module: 'features/bulk-message/bulk-message-page.tsx',
    title: 'bulkMessage.title',
    purpose: 'bulkMessage.purpose',
  },
  {
    path: paths.analytics,
    messages: ['analytics'],
    module: 'features/analytics/analytics-page.tsx',
    title: 'analytics.title',
    purpose: 'analytics.purpose',
  },
  {
    path: paths.integrations,
    messages: ['integrations'],
    module: 'features/integrations/integrations-page.tsx',
    title: 'integrations.title',
    purpose: 'integrations.purpose',
  },
  {
    path: paths.users,
    messages: ['users'],
    module: 'features/users/users-page.tsx',
    title: 'users.title',
    purpose: 'users.purpose',
  },
  {
    path: paths.settings,
    messages: ['settings'],
    module: 'features/settings/settings-page.tsx',
    title: 'settings.title',
    purpose: 'settings.purpose',
  },
  {
    path: paths.profile,
    messages: ['profile', 'palette'],
    module: 'features/profile/profile-page.tsx',
    title: 'profile.title',
    purpose: 'profile.purpose',
  },
];
