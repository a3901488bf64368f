import type { ServerFeature } from '../platform/features/server-feature.ts';
import { authApi } from './auth-api.ts';
import { addressLinkMail } from './addresses/address-link-mail.ts';
import { clearPastReauthentications } from './clear-past-reauthentications.ts';
import { emailLinkMail, emailNotice } from './email-change/email-change-mails.ts';
import { loginAlertMail } from './login-alert-mail.ts';
import { resetLinkMail } from './passwords/reset-link-mail.ts';
import { invitationMail } from './invitations/invitation-mail.ts';
import { deleteOldSessions } from './sessions/delete-old-sessions.ts';

export const authFeature = {
  name: 'auth',
  router: { auth: authApi },
  upkeep: { seldom: [deleteOldSessions, clearPastReauthentications] },
  jobs: [addressLinkMail, emailLinkMail, emailNotice, invitationMail, loginAlertMail, resetLinkMail],
} satisfies ServerFeature;
