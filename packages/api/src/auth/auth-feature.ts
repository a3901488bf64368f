import type { ServerFeature } from '../platform/features/server-feature.ts';
import { authApi } from './auth-api.ts';
import { invitationMail } from './invitations/invitation-mail.ts';
import { resetLinkMail } from './reset-link-mail.ts';
import { forgetOldSessions } from './sessions/forget-old-sessions.ts';

export const authFeature = {
  name: 'auth',
  router: { auth: authApi },
  jobs: [resetLinkMail, invitationMail],
  upkeep: { seldom: [forgetOldSessions] },
} satisfies ServerFeature;
