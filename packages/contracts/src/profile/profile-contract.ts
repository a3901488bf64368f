import { roles } from '@app/domain/auth/permissions';
import { signInMethods } from '@app/domain/auth/reauthentication';
import { timeZones } from '@app/domain/profile/time-zones';
import { interfaceLanguages } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { endpoint, id, instant, page, pageInput } from '../endpoint.ts';
import { openSession } from '../users/sessions-contract.ts';
import { notificationChoices, preferences } from './preferences-schema.ts';

const language = z.enum(interfaceLanguages);
const theme = preferences.pick({ theme: true });
/** The form's own rules refuse what is longer, with their sentences. */
const fieldText = z.string().max(1000);
const password = z.string().max(1000);

export const profile = z.object({
  id: z.uuid(),
  email: z.string(),
  /** The address that waits to be confirmed. */
  newEmail: z.string().nullable(),
  /** How another address comes to count: by a link to it, or, where no mail is sent, at once or not by the person. */
  emailChange: z.enum(['link', 'at-once', 'others']),
  firstName: z.string(),
  lastName: z.string(),
  phoneNumber: z.string().nullable(),
  avatar: z.string().nullable(),
  role: z.enum(roles),
  isActive: z.boolean(),
  timezone: z.string(),
  language: language.nullable(),
  preferences,
  loginAlerts: z.boolean(),
  /** None for who signs in with the company's account alone. */
  hasPassword: z.boolean(),
  /** How this session was opened. */
  signedInBy: z.enum(signInMethods),
  lastLoginAt: instant.nullable(),
  createdAt: instant,
});

export const profileContract = {
  get: endpoint({
    method: 'GET',
    path: '/profile',
    access: 'signed-in',
    isForSetUp: true,
    summary: 'Who the caller is, with everything that they set for themself',
    input: z.object({}),
    output: profile,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/profile',
    access: 'signed-in',
    repeat: { harmless: 'It sets whole values.' },
    summary: 'Changes name, phone number and time zone of the caller; what is not named stays',
    input: z.strictObject({
      firstName: fieldText.optional(),
      lastName: fieldText.optional(),
      /** Empty for none. */
      phoneNumber: fieldText.optional(),
      timezone: z.enum(timeZones).optional(),
    }),
    output: profile,
    errors: ['profile_invalid'],
  }),
  updatePreferences: endpoint({
    method: 'PUT',
    path: '/profile/preferences',
    access: 'signed-in',
    repeat: { harmless: 'It sets a whole value.' },
    summary: 'Theme, notifications and home of the caller, on every device',
    input: preferences,
    output: preferences,
  }),
  getNotificationChoices: endpoint({
    method: 'GET',
    path: '/profile/notifications',
    access: 'signed-in',
    summary: 'What the caller wants to be told of, and how; of that which they may hear of',
    input: z.object({}),
    output: notificationChoices,
  }),
  updateNotificationChoices: endpoint({
    method: 'PUT',
    path: '/profile/notifications',
    access: 'signed-in',
    repeat: { harmless: 'It sets whole values.' },
    summary: 'Chooses what the caller is told of, and how; what is not named stays',
    input: notificationChoices,
    output: notificationChoices,
  }),
  setStartHidden: endpoint({
    method: 'PUT',
    path: '/profile/getting-started',
    access: 'signed-in',
    repeat: { harmless: 'It sets a whole value.' },
    summary: 'Whether the home leads the caller to the first campaign of this workspace',
    input: z.strictObject({ isHidden: z.boolean() }),
    output: z.object({ isHidden: z.boolean() }),
  }),
  setLanguage: endpoint({
    method: 'PUT',
    path: '/profile/language',
    access: 'signed-in',
    isForSetUp: true,
    repeat: { harmless: 'It sets a whole value.' },
    summary: 'Chooses the language of the interface and of mails to the caller',
    input: z.object({ language }),
    output: z.object({ language }),
  }),
  setTheme: endpoint({
    method: 'PUT',
    path: '/profile/theme',
    access: 'signed-in',
    isForSetUp: true,
    repeat: { harmless: 'It sets a whole value.' },
    summary: 'Chooses the colours of the interface for the caller, on whichever device',
    input: theme,
    output: theme,
  }),
  setLoginAlerts: endpoint({
    method: 'PUT',
    path: '/profile/login-alerts',
    access: 'signed-in',
    needsReauthentication: true,
    repeat: { harmless: 'It sets a whole value.' },
    summary: 'Whether a mail tells of a sign-in from a new browser',
    input: z.strictObject({ isOn: z.boolean() }),
    output: z.object({ isOn: z.boolean() }),
  }),
  removeAvatar: endpoint({
    method: 'DELETE',
    path: '/profile/avatar',
    access: 'signed-in',
    repeat: { harmless: 'What is gone stays gone.' },
    summary: 'Takes the picture of the caller away; one is set by POST of its bytes to the same address',
    input: z.object({}),
    output: z.object({}),
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/profile/password',
    access: 'signed-in',
    repeat: { harmless: 'After the first request the current password is another one: a second is refused.' },
    summary: 'Changes the password of the caller, and ends their other sessions unless told not to',
    input: z.strictObject({
      currentPassword: password,
      newPassword: password,
      endsOtherSessions: z.boolean().default(true),
    }),
    output: z.object({ ended: z.number() }),
    errors: ['password_wrong', 'password_missing', 'account_locked', 'profile_invalid'],
  }),
  confirmPassword: endpoint({
    method: 'POST',
    path: '/profile/confirm-password',
    access: 'signed-in',
    isForSetUp: true,
    repeat: { harmless: 'It keeps the time of the last proof.' },
    summary: 'Proves once more who the caller is, for what is dangerous',
    input: z.strictObject({ password }),
    output: z.object({}),
    errors: ['password_wrong', 'password_missing', 'account_locked'],
  }),
  changeEmail: endpoint({
    method: 'POST',
    path: '/profile/email',
    access: 'signed-in',
    needsReauthentication: true,
    repeat: { harmless: 'The same wish within a minute leaves no second mail; a later one replaces it.' },
    summary: 'Asks for another address: it counts once the link that is mailed to it was used',
    input: z.strictObject({ email: fieldText }),
    output: profile,
    errors: ['profile_invalid', 'too_many_mails', 'mail_missing', 'email_taken'],
  }),
  withdrawEmail: endpoint({
    method: 'DELETE',
    path: '/profile/email',
    access: 'signed-in',
    repeat: { harmless: 'What is withdrawn stays so.' },
    summary: 'Takes back the wish for another address: its link opens nothing any more',
    input: z.object({}),
    output: profile,
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/profile/sessions',
    access: 'signed-in',
    summary: 'Where the caller is signed in, the latest first; with those that are over, of the last days',
    input: pageInput.extend({ state: z.enum(['active', 'all']).default('active') }),
    output: page(openSession),
  }),
  endSession: endpoint({
    method: 'POST',
    path: '/profile/sessions/{sessionId}/end',
    access: 'signed-in',
    repeat: { harmless: 'A session that is over stays over.' },
    summary: 'Signs the caller out of another browser at once',
    input: z.strictObject({ sessionId: id }),
    output: z.object({ ended: z.number() }),
    errors: ['session_not_found', 'session_is_current'],
  }),
  endOtherSessions: endpoint({
    method: 'POST',
    path: '/profile/sessions/end-others',
    access: 'signed-in',
    repeat: { harmless: 'Sessions that are over stay over.' },
    summary: 'Signs the caller out everywhere else at once',
    input: z.object({}),
    output: z.object({ ended: z.number() }),
  }),
};
