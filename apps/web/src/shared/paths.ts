/** Every address of the web app; nothing else spells one out. */
export const paths = {
  landing: '/',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  invitation: '/invitation',
  emailLink: '/email-link',
  dashboard: '/dashboard',
  inbox: '/dashboard/inbox',
  quickReplies: '/dashboard/quick-replies',
  chatbot: '/dashboard/chatbot',
  botFlow: (id: string) => `/dashboard/chatbot/${id}`,
  contacts: '/dashboard/contacts',
  templates: '/dashboard/templates',
  campaigns: '/dashboard/campaigns',
  campaign: (id: string) => `/dashboard/campaigns/${id}`,
  conversation: (id: string) => `/dashboard/inbox/${id}`,
  contact: (id: string) => `/dashboard/contacts/${id}`,
  bulkMessage: '/dashboard/bulk-message',
  rcs: '/dashboard/rcs',
  automation: '/dashboard/automation',
  workflow: (id: string) => `/dashboard/automation/${id}`,
  integrations: '/dashboard/integrations',
  analytics: '/dashboard/analytics',
  users: '/dashboard/users',
  settings: '/dashboard/settings',
  profile: '/dashboard/profile',
} as const;

/** The pages for everybody; each is drawn while building and runs without the dashboard's script. */
export const publicPaths = [
  ...[paths.landing, paths.login, paths.register, paths.forgotPassword, paths.invitation, paths.emailLink],
] as const;

export type PublicPath = (typeof publicPaths)[number];

export function isPublicPath(pathname: string): pathname is PublicPath {
  return publicPaths.some((path) => path === pathname);
}
